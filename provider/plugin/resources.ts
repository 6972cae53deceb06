import type { AccountInputs } from "../resources/account";
import type { CheckFailure } from "../resources/check";
import type { CustomerInputs } from "../resources/customer";
import type { Difference } from "../resources/patch";
import type { Service } from "../service";
import { type Asked, type Listed, listAccounts } from "./listing";
import type { Names } from "./wire";

type Fields = Record<string, unknown>;

export interface Considered {
  failures: CheckFailure[];
  notices: string[];
}

/** A kind of resource, as the service calls it whatever it is. */
export interface Kind {
  /** Names of the properties that the service adds. */
  outputs: readonly string[];
  /** Where its secrets are, whether or not a program marks them. */
  secrets: readonly string[][];
  names: Names;
  check(olds: Fields, news: Fields, urn: string): { inputs: object; failures: CheckFailure[]; notices: string[] };
  /** What `adopt` means for a resource whose inputs are in order; the service is asked for only where that matters. */
  consider(
    connect: () => Promise<Service | undefined>,
    olds: Fields,
    inputs: object,
    preview: boolean,
  ): Promise<Considered>;
  /** The tenant that owns what is in state, where the service returns it. */
  owner(olds: Fields): unknown;
  diff(id: string, olds: Fields, news: Fields): Difference;
  create(service: Service, inputs: Fields): Promise<{ id: string; outs: object }>;
  read(service: Service, id: string, props: Fields): Promise<{ id: string; props?: object; inputs?: object }>;
  update(service: Service, id: string, olds: Fields, news: Fields): Promise<{ outs: object }>;
  remove(service: Service, id: string, props: Fields): Promise<void>;
  /** Where the service lists resources of this kind. */
  list?: (service: Service, asked: Asked) => AsyncGenerator<Listed>;
}

/** Every kind by its token. Loaded when first used: the engine waits for the port, and often needs one kind only. */
export const kinds: Record<string, () => Promise<Kind>> = {
  "reseller:index:Account": async () => {
    const account = await import("../resources/account.js");
    const { schemaNames, secretPaths } = await import("../schema/fields.js");
    return {
      outputs: Object.keys(account.accountOutputFields),
      secrets: secretPaths(account.accountFields),
      names: schemaNames(account.accountFields),
      check: (olds, news, urn) => account.check(olds, news, defaultReference(urn)),
      consider: async (connect, olds, inputs: Partial<AccountInputs>, preview) => {
        if (inputs.adopt === undefined) return { failures: [], notices: [] };
        const { considerAdoption } = await import("../resources/account-adoption.js");
        const service = await connect();
        return considerAdoption(() => service, olds, inputs, { preview });
      },
      owner: (olds) => olds["parentTenantId"],
      diff: (id, olds, news) => account.diff(id, olds, news),
      create: (service, inputs) => account.create(service, inputs as unknown as AccountInputs),
      read: (service, id, props) => account.read(service, id, props),
      update: (service, id, olds, news) => account.update(service, id, olds, news as unknown as AccountInputs),
      remove: (service, id, props) => account.remove(service, id, props),
      list: listAccounts,
    };
  },
  "reseller:index:Customer": async () => {
    const customer = await import("../resources/customer.js");
    const { schemaNames, secretPaths } = await import("../schema/fields.js");
    return {
      outputs: Object.keys(customer.customerOutputFields),
      secrets: secretPaths(customer.customerFields),
      names: schemaNames(customer.customerFields),
      check: (olds, news) => customer.check(olds, news),
      owner: () => undefined,
      consider: () => Promise.resolve({ failures: [], notices: [] }),
      diff: (id, olds, news) => customer.diff(id, olds, news),
      create: (service, inputs) => customer.create(service, inputs as unknown as CustomerInputs),
      read: (service, id, props) => customer.read(service, id, props),
      update: (service, id, olds, news) => customer.update(service, id, olds, news as unknown as CustomerInputs),
      remove: (service, id, props) => customer.remove(service, id, props),
    };
  },
};

/** `urn:pulumi:<stack>::<project>::<types>::<name>` */
function defaultReference(urn: string): string {
  const [stack = "", project = "", , ...name] = urn.split("::");
  return [project, stack.replace(/^urn:pulumi:/, ""), name.join("::")].join("/");
}
