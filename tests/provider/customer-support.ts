import { inspect } from "node:util";
import { CustomersApi } from "../../provider/api/customers";
import type { CustomerInputs, CustomerOutputs, CustomerService } from "../../provider/resources/customer";
import { type SimulatorOptions } from "../../simulator";
import { rejection, start, type World, type WorldOptions } from "./support";

/** The core with customers, against a simulator of its own. */
export interface CustomerWorld extends World, CustomerService {}

export async function startCustomers(options: WorldOptions = {}): Promise<CustomerWorld> {
  return withCustomers(await start(options));
}

export function withCustomers(world: World): CustomerWorld {
  return { ...world, customers: new CustomersApi(world.http) };
}

/** A world in which one customer exists, its creation charged and then forgotten. */
export async function startWithCustomer(options: WorldOptions = {}): Promise<{ world: CustomerWorld; id: string }> {
  const world = await startCustomers(options);
  await world.customers.create(sent(), true);
  world.simulator.clearRequests();
  return { world, id: world.simulator.customers()[0]?.id ?? "" };
}

/** The two services there may be: the one the document shows, and one that offers more. */
export const modes = ["create-only", "full"] as const satisfies SimulatorOptions["customers"][];

export const customersPath = "/api/v1.0/customers";
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** Found nowhere but where it belongs: in the request, and in encrypted state. */
export const canary = 'canary-"7f3a';

export const profile = {
  _type: "ExamplePbxConnectionProfile",
  hostRest: "https://pbx.example/rest",
  hostWebsocket: "wss://pbx.example/ws",
  accountId: "7",
  apiKey: canary,
};

/** What travels of a customer that is declared. */
export function sent(): Omit<CustomerInputs, "acceptCharges" | "adopt"> {
  return {
    name: "Acme",
    description: "first",
    enabled: true,
    timezone: "Europe/Amsterdam",
    culture: "nl-NL",
    pbxConnectionProfile: { ...profile },
  };
}

/** What a program declares, completed as `check` does. */
export function declaredCustomer(inputs: Partial<CustomerInputs> = {}): CustomerInputs {
  return { ...sent(), acceptCharges: true, ...inputs };
}

export function without<T extends object, K extends keyof T>(from: T, ...names: K[]): Omit<T, K> {
  const kept = Object.entries(from).filter(([name]) => !(names as string[]).includes(name));
  return Object.fromEntries(kept) as Omit<T, K>;
}

/** What state keeps of it: what was declared, and the tenant id once it is known. */
export function recorded(tenantId: string | undefined, inputs: Partial<CustomerInputs> = {}): CustomerOutputs {
  return { ...without(declaredCustomer(inputs), "adopt"), ...(tenantId === undefined ? {} : { tenantId }) };
}

/** What a log, a report or a crash shows of an error. Fails the test when the key of the telephone system is in it. */
export function shown(error: unknown): string {
  const text = [String(error), JSON.stringify(error), inspect(error, { depth: 10 }), (error as Error).stack].join("\n");
  // A quote in the key is escaped in some of these: neither half may show.
  for (const part of canary.split('"')) expect(text).not.toContain(part);
  return text;
}

/** What the promise is rejected with, after making sure that it and the notices hold no secret. */
export async function safeRejection(world: CustomerWorld, promise: Promise<unknown>): Promise<Error> {
  const error = await rejection(promise);
  shown(error);
  shown(world.notices);
  return error;
}
