import * as pulumi from "@pulumi/pulumi";
import { Account } from "../../sdk";

interface Registered {
  type: string;
  name: string;
  id: string | undefined;
  inputs: Record<string, unknown>;
}

const registered: Registered[] = [];

beforeAll(() => {
  void pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, id, inputs }) => {
        registered.push({ type, name, id, inputs: inputs as Record<string, unknown> });
        return { id: id === undefined || id === "" ? `${name}-id` : id, state: inputs as Record<string, unknown> };
      },
      call: () => ({}),
    },
    "shop",
    "dev",
  );
});
beforeEach(() => {
  registered.length = 0;
});

const settled = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply((value) => {
      resolve(value);
    });
  });

async function inputsOf(account: Account): Promise<Record<string, unknown>> {
  await settled(account.urn);
  const inputs = Object.entries(registered.at(-1)?.inputs ?? {});
  return Object.fromEntries(inputs.filter(([name, value]) => name !== "__provider" && value !== undefined));
}

describe("an account in a program", () => {
  it("is registered under its own type, and told apart by it", async () => {
    const account = new Account("acme", { name: "Acme" });
    await settled(account.urn);
    expect(registered).toMatchObject([{ type: "pulumi-nodejs:dynamic/reseller:Account", name: "acme" }]);
    expect(Account.isInstance(account)).toBe(true);
    expect(Account.isInstance({})).toBe(false);
    expect(Account.isInstance(undefined)).toBe(false);
  });

  it("hands over what is declared, and the reference it gets when it is given none", async () => {
    expect(await inputsOf(new Account("acme", { name: "Acme", timezone: "Europe/Amsterdam" }))).toEqual({
      name: "Acme",
      timezone: "Europe/Amsterdam",
      __defaultReference: "shop/dev/acme",
    });
  });

  it("hands over its own reference alone", async () => {
    expect(await inputsOf(new Account("acme", { name: "Acme", reference: "CRM-7" }))).toEqual({
      name: "Acme",
      reference: "CRM-7",
    });
  });

  it("hands over adopt, and whether this is a preview only with it", async () => {
    const preview = jest.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(true);
    const inputs = { name: "Acme", reference: "CRM-7" };
    expect(await inputsOf(new Account("acme", { ...inputs, adopt: true }))).toEqual({
      ...inputs,
      adopt: true,
      __preview: true,
    });
    expect(await inputsOf(new Account("acme", inputs))).toEqual(inputs);
    preview.mockReturnValue(false);
    expect(await inputsOf(new Account("acme", { ...inputs, adopt: true }))).toEqual({ ...inputs, adopt: true });
    preview.mockRestore();
  });

  it("offers what is declared as outputs", async () => {
    const account = new Account("acme", { name: pulumi.output("Acme"), enabled: false });
    expect(await settled(account.name)).toBe("Acme");
    expect(await settled(account.enabled)).toBe(false);
    expect(await settled(account.id)).toBe("acme-id");
    expect(pulumi.Output.isInstance(account.parentTenantId)).toBe(true);
    expect(pulumi.Output.isInstance(account.dateCreated)).toBe(true);
  });

  it("can be looked up by its id, without a reference of its own", async () => {
    const account = Account.get("acme", "6f9619ff-8b86-4011-b42d-00c04fc964ff", { countryCode: "NL" });
    expect(await inputsOf(account)).toEqual({ countryCode: "NL" });
    expect(registered[0]).toMatchObject({ id: "6f9619ff-8b86-4011-b42d-00c04fc964ff" });
  });
});
