import type { ReadConfiguration } from "../config";
import type { CheckFailure } from "../resources/check";
import type { Service, Surroundings } from "../service";

/** What one provider of a program is configured with, and whether the program itself declares that provider. */
export interface Configuration {
  args: Record<string, unknown>;
  declared: boolean;
}

/** What the engine adds to a provider's configuration of its own. */
const ofTheEngine = ["version", "pluginDownloadURL"];

export function configurationOf(args: Record<string, unknown>, providerName: string): Configuration {
  // The engine itself makes a default provider, from the stack's configuration.
  return { args, declared: providerName !== "default" && !providerName.startsWith("default_") };
}

/** What is wrong with the values that are given and known. Says nothing of those that are missing. */
export async function configurationProblems(args: Record<string, unknown>): Promise<CheckFailure[]> {
  const [{ settingDeclarations }, { checkInputs }] = await Promise.all([
    import("../config.js"),
    import("../resources/check.js"),
  ]);
  const shape = Object.fromEntries(
    Object.entries(settingDeclarations).map(([name, { check }]) => [name, check.optional()]),
  );
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => !ofTheEngine.includes(name)));
  return checkInputs(shape, given);
}

/** @throws SettingsError */
export async function serviceFor(
  { args, declared }: Configuration,
  world: Omit<Surroundings, "environment">,
): Promise<Service> {
  const [{ settingDeclarations }, { sharedService }] = await Promise.all([
    import("../config.js"),
    import("../service.js"),
  ]);
  const read: ReadConfiguration = (key) => text(args[key.replace(/^reseller:/, "")]);
  if (!declared) return sharedService(read, { ...world, environment: process.env });
  // A provider that a program declares is one of several, with a tenant each. What it is given takes the place of the
  // environment, which must not send its requests to another enterprise, with a token of another kind least of all.
  const environment = { ...process.env };
  const { accessToken, refreshToken } = settingDeclarations;
  if (args["accessToken"] !== undefined || args["refreshToken"] !== undefined) {
    for (const { environment: variable } of [accessToken, refreshToken]) environment[variable] = undefined;
  }
  for (const [name, { environment: variable }] of Object.entries(settingDeclarations)) {
    environment[variable] = text(args[name]) ?? environment[variable];
  }
  return sharedService(read, { ...world, environment });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
