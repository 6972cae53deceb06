import { considerAdoption } from "../../../provider/resources/account-adoption";
import { type AccountInputs, check, create, diff, remove, update } from "../../../provider/resources/account";
import { unknownValue } from "../../../provider/resources/check";
import { NotAdoptedError, OutcomeUnknownError, WrongEnterpriseError } from "../../../provider/errors";
import { accountsPath, asked, declared, rejection, start, without, type World, writes } from "../support";

const list = `GET ${accountsPath}`;
const missing = "00000000-0000-4000-8000-000000000000";
const seed = { name: "Acme", description: "From the portal", reference: "CRM-1", timezone: "Europe/Amsterdam" };
const replace = (field: string, value: unknown) => ({ op: "replace", path: `/${field}`, value });

const ids = (world: World) => world.simulator.accounts().map(({ id }) => id);

/** A world with one account that Pulumi did not make. */
async function withAccount(account: object = seed, options: Parameters<typeof start>[0] = {}) {
  const world = await start({ seedAccounts: [account], ...options });
  const [existing] = world.simulator.accounts();
  if (!existing) throw new Error("no account was seeded");
  return { world, id: existing.id, existing };
}

/** What a program declares of an account it takes over, completed as `check` does. */
function adopting(adopt: string | true, inputs: Partial<AccountInputs> = {}): AccountInputs {
  const { inputs: completed, failures } = check({}, { name: "Acme", adopt, ...inputs }, "shop/dev/acme");
  expect(failures).toEqual([]);
  return completed as AccountInputs;
}

const nothingDone = (world: World) => {
  expect(writes(world.simulator)).toEqual([]);
  expect(world.simulator.charges()).toEqual([]);
  expect(world.notices).toEqual([]);
};

describe("taking over the account with an id", () => {
  it("sends nothing when what is declared is what exists", async () => {
    const { world, id, existing } = await withAccount();
    const inputs = adopting(id, { description: "From the portal", reference: "CRM-1" });
    const { parentTenantId, dateCreated } = existing;
    expect(await create(world, inputs)).toEqual({
      id,
      outs: { ...without(inputs, "adopt"), parentTenantId, dateCreated },
    });
    expect(writes(world.simulator)).toEqual([]);
    expect(world.simulator.accounts()).toEqual([existing]);
    expect(world.notices).toEqual([`Account "Acme" (${id}) was taken over; no new one was created or charged.`]);
  });

  it("sends the declared fields that differ in one PATCH, and leaves the others", async () => {
    const { world, id } = await withAccount();
    await create(world, adopting(id, { name: "Acme BV", description: "In code" }));
    expect(writes(world.simulator)).toMatchObject([{ method: "PATCH", path: `${accountsPath}/${id}` }]);
    expect(writes(world.simulator)[0]?.body).toEqual([replace("description", "In code"), replace("name", "Acme BV")]);
    expect(world.simulator.accounts()).toMatchObject([{ ...seed, name: "Acme BV", description: "In code" }]);
    expect(world.notices).toEqual([
      `Account "Acme BV" (${id}) was taken over, description "From the portal" → "In code", name "Acme" → "Acme BV"; no new one was created or charged.`,
    ]);
  });

  it("takes what the service never returns as declared, and sends it once it changes", async () => {
    const { world, id } = await withAccount();
    const inputs = adopting(id, { timezone: "Europe/Berlin", countryCode: "DE" });
    const { outs } = await create(world, inputs);
    expect(outs).toMatchObject({ timezone: "Europe/Berlin", countryCode: "DE" });
    expect(diff(id, outs, inputs).changes).toBe(false);
    expect(writes(world.simulator)).toEqual([]);
    await update(world, id, outs, { ...inputs, timezone: "Europe/Paris" });
    expect(writes(world.simulator).map(({ body }) => body)).toEqual([[replace("timezone", "Europe/Paris")]]);
  });

  it.each([{ reference: null }, { reference: "CRM-1" }])("keeps the reference it has: %j", async (has) => {
    const { world, id } = await withAccount({ ...seed, ...has });
    const inputs = adopting(id);
    const { outs } = await create(world, inputs);
    expect(world.simulator.accounts()).toMatchObject([has]);
    const later = check(inputs, { name: "Acme" }, "shop/dev/acme").inputs;
    expect(diff(id, outs, later).changes).toBe(false);
    expect(writes(world.simulator)).toEqual([]);
  });

  it.each([true, false])("accepts charges for a PATCH only where the program does: %s", async (acceptCharges) => {
    const { world, id } = await withAccount();
    await create(world, adopting(id, { description: "", acceptCharges }));
    expect(writes(world.simulator)[0]?.headers["accept-charges"]).toBe(acceptCharges ? "true" : undefined);
  });

  it("needs no charge to be allowed", async () => {
    const { world, id } = await withAccount();
    world.chargePolicy = "never";
    expect(await create(world, adopting(id))).toMatchObject({ id });
  });

  it("is no difference once done, with or without adopt", async () => {
    const { world, id } = await withAccount();
    const inputs = adopting(id, { reference: "CRM-1" });
    const { outs } = await create(world, inputs);
    for (const news of [inputs, without(inputs, "adopt"), { ...inputs, adopt: true as const }]) {
      expect(diff(id, outs, news)).toMatchObject({ changes: false, replaces: [] });
    }
    expect(JSON.stringify(world.simulator.requests().map(({ body }) => body ?? ""))).not.toContain("adopt");
  });

  it("is refused for an id that no account has", async () => {
    const { world } = await withAccount();
    const error = await rejection(create(world, adopting(missing)));
    expect(error).toBeInstanceOf(NotAdoptedError);
    expect(error.message).toBe(
      `Could not take over account ${missing} as "Acme": the service answered 404: Not Found. Nothing was sent. Correct adopt, or remove it to have the account created.`,
    );
    nothingDone(world);
  });

  it("is refused for an id that the service does not take for one", async () => {
    const { world } = await withAccount();
    const error = await rejection(create(world, adopting("CRM-1")));
    expect(error).toBeInstanceOf(NotAdoptedError);
    expect(error.message).toContain("The value 'CRM-1' is not valid");
    nothingDone(world);
  });

  it.each([{ enabled: false }, { enabled: false, flaggedForDeletion: true }])(
    "is refused for an account that is %j, whatever is declared",
    async (removed) => {
      const { world, id } = await withAccount({ ...seed, ...removed });
      for (const enabled of [true, false]) {
        const error = await rejection(create(world, adopting(id, { enabled })));
        expect(error).toBeInstanceOf(NotAdoptedError);
        expect(error.message).toContain(`${id} ("Acme", disabled) is disabled; a deleted account looks the same.`);
      }
      nothingDone(world);
    },
  );

  it("is refused for an account of another enterprise", async () => {
    const { world, existing } = await withAccount();
    const foreign = { ...existing, id: missing, parentTenantId: "11111111-1111-4111-8111-111111111111" };
    world.simulator.arm({
      action: "json",
      body: { data: foreign, status: "success" },
      path: `${accountsPath}/${missing}`,
    });
    const error = await rejection(create(world, adopting(missing, { description: "In code" })));
    expect(error).toBeInstanceOf(WrongEnterpriseError);
    expect(error.message).toContain("belongs to enterprise 11111111-1111-4111-8111-111111111111, but this token sees");
    nothingDone(world);
  });

  it("that fails takes nothing over, and can be done again", async () => {
    const { world, id } = await withAccount();
    world.simulator.arm({ action: "status", status: 400, method: "PATCH" });
    await rejection(create(world, adopting(id, { description: "In code" })));
    expect(world.notices).toEqual([]);
    await create(world, adopting(id, { description: "In code" }));
    expect(world.simulator.accounts()).toMatchObject([{ description: "In code" }]);
  });

  it("believes the account when the answer to its PATCH is lost", async () => {
    const { world, id } = await withAccount();
    world.simulator.arm({ action: "cut-after", method: "PATCH" });
    expect(await create(world, adopting(id, { description: "In code" }))).toMatchObject({ id });
    const other = await withAccount();
    other.world.simulator.arm({ action: "cut-before", method: "PATCH" });
    const error = await rejection(create(other.world, adopting(other.id, { description: "In code" })));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(writes(other.world.simulator)).toHaveLength(1);
  });
});

describe("taking over the account with the declared reference", () => {
  it("is done for the one that is active", async () => {
    const { world } = await withAccount(seed, { seedAccounts: [{ ...seed, enabled: false }, seed, { name: "Acme" }] });
    const [, active] = ids(world);
    expect(await create(world, adopting(true, { reference: "CRM-1" }))).toMatchObject({ id: active });
    expect(writes(world.simulator)).toEqual([]);
  });

  it("changes what differs, unlike what an interrupted run left", async () => {
    const { world, id } = await withAccount();
    expect(await create(world, adopting(true, { reference: "CRM-1", name: "Acme BV" }))).toMatchObject({ id });
    expect(writes(world.simulator).map(({ body }) => body)).toEqual([[replace("name", "Acme BV")]]);
  });

  it("needs a reference, and says so where it is declared", () => {
    const { failures } = check({}, { name: "Acme", adopt: true }, "shop/dev/acme");
    expect(failures).toEqual([
      { property: "reference", reason: "reference is required with adopt: true, to find the account by" },
    ]);
    expect(check({}, { name: "Acme", adopt: true, reference: unknownValue }).failures).toEqual([]);
  });

  it("is refused when several have it, naming them", async () => {
    const { world } = await withAccount(seed, { seedAccounts: [seed, { ...seed, name: "Acme too" }] });
    const error = await rejection(create(world, adopting(true, { reference: "CRM-1" })));
    const [one, other] = ids(world);
    expect(error).toBeInstanceOf(NotAdoptedError);
    expect(error).toMatchObject({ candidates: [one, other] });
    expect(error.message).toContain(
      `2 active accounts have reference "CRM-1": ${String(one)} ("Acme"), ${String(other)} ("Acme too"). Nothing was sent. Name the account, adopt: "<its tenant id>"`,
    );
    nothingDone(world);
  });

  it("is refused when none has it, naming the disabled ones and those of that name", async () => {
    const seedAccounts = [{ ...seed, enabled: false }, { name: "Acme", reference: "CRM-2" }, { name: "Globex" }];
    const { world } = await withAccount(seed, { seedAccounts });
    const error = await rejection(create(world, adopting(true, { reference: "CRM-1" })));
    const [disabled, namesake] = ids(world);
    expect(error).toMatchObject({ candidates: [disabled, namesake] });
    expect(error.message).toContain(
      `no active account has reference "CRM-1"; the nearest: ${String(disabled)} ("Acme", disabled), ${String(namesake)} ("Acme").`,
    );
    nothingDone(world);
  });
});

describe("one account", () => {
  it("is taken over by one resource only", async () => {
    const { world, id } = await withAccount();
    const outcomes = await Promise.allSettled([1, 2].map(() => create(world, adopting(id))));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const error = await rejection(create(world, adopting(true, { reference: "CRM-1" })));
    expect(error).toBeInstanceOf(NotAdoptedError);
    expect(error.message).toContain(`another resource of this program stands for account ${id} already.`);
    expect(writes(world.simulator)).toEqual([]);
  });

  it("is not taken over by its id after it was by its reference, nor the other way round", async () => {
    const { world, id } = await withAccount();
    await create(world, declared({ description: "From the portal", reference: "CRM-1" }));
    expect(await rejection(create(world, adopting(id)))).toBeInstanceOf(NotAdoptedError);
    const other = world.anotherProcess();
    await create(other, adopting(id));
    const left = create(other, declared({ description: "From the portal", reference: "CRM-1" }));
    expect(await rejection(left)).toBeInstanceOf(NotAdoptedError);
    expect(world.simulator.charges()).toEqual([]);
  });

  it("is not taken over by the run that created it", async () => {
    const world = await start();
    const { id } = await create(world, declared());
    expect(await rejection(create(world, adopting(id)))).toBeInstanceOf(NotAdoptedError);
  });

  it("that a resource adopted in an earlier run is not taken over by another, whichever is checked first", async () => {
    const { world, id } = await withAccount();
    const managed = (process: World) =>
      considerAdoption(() => process, { name: "Acme" }, adopting(id), { preview: false });
    expect(await managed(world)).toEqual({ failures: [], notices: [] });
    expect(await managed(world)).toEqual({ failures: [], notices: [] });
    expect(await rejection(create(world, adopting(id)))).toBeInstanceOf(NotAdoptedError);
    const other = world.anotherProcess();
    await create(other, adopting(id));
    expect(await managed(other)).toMatchObject({ failures: [{ property: "adopt" }] });
  });

  it("is not deleted by the run that takes it over under a new name", async () => {
    const { world, id } = await withAccount();
    const { outs } = await create(world, adopting(id));
    await remove(world, id, outs);
    expect(writes(world.simulator)).toEqual([]);
  });

  it("cannot become another one by changing adopt", () => {
    const inputs = adopting(missing);
    expect(() => diff("other", inputs, inputs)).toThrow(
      `Could not take over account ${missing}: this resource stands for account other already, and that cannot change. Nothing was sent. Remove adopt from it`,
    );
    expect(diff("other", inputs, { ...inputs, adopt: unknownValue }).changes).toBe(false);
  });
});

describe("taking over many", () => {
  it("asks for the list once, and writes nothing", async () => {
    const seedAccounts = Array.from({ length: 2_500 }, (_, index) => ({ ...seed, reference: `CRM-${index}` }));
    const world = await start({ seedAccounts });
    await Promise.all(
      world.simulator
        .accounts()
        .map(({ id, reference }) => create(world, adopting(id, { reference: reference ?? "" }))),
    );
    expect(writes(world.simulator)).toEqual([]);
    expect(asked(world.simulator)).toEqual([list, list, list]);
  }, 60_000);
});

describe("a preview of taking over", () => {
  const foresee = (world: World, inputs: Partial<AccountInputs>) =>
    considerAdoption(() => world, {}, inputs, { preview: true });
  const line = (text: string) => ({ failures: [], notices: [text] });

  it("says what would change, and that nothing would", async () => {
    const { world, id } = await withAccount();
    const same = adopting(id, { timezone: "Europe/Berlin" });
    expect(await foresee(world, same)).toEqual(line(`Account "Acme" (${id}) would be taken over as it is.`));
    const changed = adopting(id, { description: "In code", name: unknownValue });
    expect(await foresee(world.anotherProcess(), changed)).toEqual(
      line(
        `Account "Acme" (${id}) would be taken over: description "From the portal" → "In code", name "Acme" → a value not known yet.`,
      ),
    );
    nothingDone(world);
  });

  it("fails on adopt for what is certain to be refused", async () => {
    const { world, id } = await withAccount();
    expect(await foresee(world, adopting(missing))).toMatchObject({
      failures: [{ property: "adopt", reason: expect.stringContaining("404: Not Found") as unknown }],
      notices: [],
    });
    await foresee(world, adopting(id));
    expect(await foresee(world, adopting(id))).toMatchObject({
      failures: [{ property: "adopt", reason: expect.stringContaining("stands for account") as unknown }],
    });
    nothingDone(world);
  });

  it("does not fail when the service does, says so once, and does not ask again", async () => {
    const { world, id } = await withAccount();
    world.simulator.arm({ action: "status", status: 503, times: Infinity });
    const { failures, notices } = await foresee(world, adopting(id));
    expect(failures).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(/^What taking over accounts would change cannot be shown\. .*503/)]);
    const before = world.simulator.requests().length;
    expect(await foresee(world, adopting(missing))).toEqual({ failures: [], notices: [] });
    expect(world.simulator.requests()).toHaveLength(before);
  });

  it.each([
    [{ name: "Acme" }],
    [{ name: "Acme", adopt: unknownValue }],
    [{ name: "Acme", adopt: true as const, reference: unknownValue }],
  ])("asks nothing for %j", async (inputs) => {
    const { world } = await withAccount();
    expect(await foresee(world, inputs)).toEqual({ failures: [], notices: [] });
    expect(world.simulator.requests()).toEqual([]);
  });

  it("asks nothing of an account that is managed already", async () => {
    const { world, id } = await withAccount();
    await considerAdoption(() => world, { name: "Acme" }, adopting(id), { preview: true });
    expect(world.simulator.requests()).toEqual([]);
  });

  it("asks nothing without settings", async () => {
    const none = { failures: [], notices: [] };
    expect(await considerAdoption(() => undefined, {}, adopting(missing), { preview: true })).toEqual(none);
  });
});

describe("declaring adopt", () => {
  it.each([false, "", "a/b", "..", 7, {}])("is refused for %j", (adopt) => {
    expect(check({}, { name: "Acme", reference: "r", adopt }).failures).toMatchObject([{ property: "adopt" }]);
  });

  it("says nothing of charges, for there are none", () => {
    expect(check({}, { name: "Acme", adopt: missing }).notices).toEqual([]);
    expect(check({}, { name: "Acme" }).notices).toHaveLength(1);
  });
});
