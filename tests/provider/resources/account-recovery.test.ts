import { create } from "../../../provider/resources/account";
import { AmbiguousAccountError, OutcomeUnknownError, RateLimitedError } from "../../../provider/errors";
import { accountsPath, asked, declared, rejection, start, without, writes } from "../support";

const reference = declared().reference ?? "";
const list = `GET ${accountsPath}`;
const post = `POST ${accountsPath}`;

describe("a creation whose answer was lost", () => {
  it.each([
    { action: "cut-after" },
    { action: "cut-after", reset: true },
    { action: "truncate" },
    { action: "empty-body", status: 201 },
    { action: "html", status: 502, act: true },
    { action: "html", status: 200, act: true },
    { action: "status", status: 500, act: true },
    { action: "status", status: 504, act: true },
    { action: "delay-headers", ms: 10_000 },
    { action: "delay-body", ms: 10_000 },
    { action: "json", body: {} },
    { action: "json", body: { data: { name: "Acme" }, status: "success" } },
  ] as const)("by %j is found by its reference, and charged once", async (fault) => {
    const world = await start({ limits: { headersMs: 100, bodyMs: 100 } });
    world.simulator.arm({ ...fault, method: "POST" });
    const { id, outs } = await create(world, declared());
    const [account] = world.simulator.accounts();
    expect(id).toBe(account?.id);
    expect(outs).toMatchObject({ ...declared(), parentTenantId: account?.parentTenantId });
    expect(asked(world.simulator)).toEqual([list, post, list]);
    expect(world.simulator.charges()).toHaveLength(1);
    expect(world.notices.join("\n")).toContain(`created account "Acme" (${id})`);
    expect(world.notices.join("\n")).not.toContain("nothing new was charged");
  });

  it("and which shows in the list only after seconds is waited for", async () => {
    const world = await start({ listDelayMs: 12_000 });
    world.simulator.arm({ action: "cut-after", method: "POST" });
    const { id } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(world.clock.waited()).toBeGreaterThanOrEqual(12_000);
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("and which never shows ends in an error that says how to go on, without a second POST", async () => {
    const world = await start();
    world.simulator.arm({ action: "cut-before", method: "POST" });
    const error = await rejection(create(world, declared()));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(`create account "Acme"`);
    expect(error.message).toMatch(/Nothing was sent again\. Wait a minute, then run again/);
    expect(error.message).toContain(JSON.stringify(reference));
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.clock.waited()).toBeGreaterThanOrEqual(15_000);
    expect(world.clock.waited()).toBeLessThanOrEqual(60_000);
  });

  it("is found by the next run, and charged once, when the list was too late for this one", async () => {
    const world = await start({ listDelayMs: 120_000 });
    world.simulator.arm({ action: "cut-after", method: "POST" });
    await rejection(create(world, declared()));
    world.simulator.advanceClock(120);
    const next = world.anotherProcess();
    const { id } = await create(next, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(next.notices.join("\n")).toContain("nothing new was charged");
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("is found by the next run when the process was killed before it could look", async () => {
    const world = await start();
    await world.accounts.create({ name: "Acme", reference, enabled: true }, true);
    const next = world.anotherProcess();
    const { id } = await create(next, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("stays in doubt, and says so, when the list cannot be read afterwards", async () => {
    const world = await start();
    world.simulator.arm({ action: "cut-after", method: "POST" });
    world.simulator.arm({ action: "status", status: 403, method: "GET", skip: 1, times: Infinity });
    const error = await rejection(create(world, declared()));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("the request was sent");
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it("is not sent again when the list is closed for a while and the account is late in it", async () => {
    const world = await start({ successBody: "empty", listDelayMs: 300_000 });
    world.simulator.arm({ action: "status", status: 429, method: "GET", skip: 1, times: 14 });
    await rejection(create(world, declared()));
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("without a reference is not guessed at", async () => {
    const world = await start();
    world.simulator.arm({ action: "cut-after", method: "POST" });
    const inputs = without(declared(), "reference");
    const error = await rejection(create(world, inputs));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("Look for it in the portal before running again");
    expect(world.clock.waits).toEqual([]);
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it("is not claimed to have cost nothing when what is found is not what was declared", async () => {
    const world = await start();
    world.simulator.arm({ action: "cut-after", method: "POST" });
    world.clock.onSleep = () => {
      const [account] = world.simulator.accounts();
      if (account) world.simulator.editAccount(account.id, { name: "ACME" });
    };
    const error = await rejection(create(world, declared()));
    expect(error).toBeInstanceOf(AmbiguousAccountError);
    expect(error.message).not.toContain("Nothing was created or charged");
    expect(writes(world.simulator)).toHaveLength(1);
  });
});

describe("too many requests answered to a creation", () => {
  it("are followed by a look-up before it is sent again", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, method: "POST", headers: { "retry-after": "3" } });
    await create(world, declared());
    expect(asked(world.simulator)).toEqual([list, post, list, post]);
    expect(world.clock.waits).toEqual([3_125]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("although it was done are not followed by a second one", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, act: true, method: "POST" });
    const { id } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(asked(world.simulator)).toEqual([list, post, list]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("for an hour end in an error that names the time", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, method: "POST", headers: { "retry-after": "3600" } });
    const error = await rejection(create(world, declared()));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error.message).toContain("2025-01-15T13:00:00.000Z");
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it("without end end within the budget", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, method: "POST", times: Infinity });
    expect(await rejection(create(world, declared()))).toBeInstanceOf(RateLimitedError);
    expect(world.clock.waited()).toBeLessThanOrEqual(60_000);
    expect(world.simulator.charges()).toEqual([]);
  });
});

describe("an account that is there before it is created", () => {
  it("is taken over when it is exactly what is declared, and the person is told", async () => {
    const world = await start({ seedAccounts: [{ name: "Acme", reference }] });
    const [account] = world.simulator.accounts();
    const { id, outs } = await create(world, declared());
    expect(id).toBe(account?.id);
    expect(outs).toMatchObject({ ...declared(), dateCreated: account?.dateCreated });
    expect(writes(world.simulator)).toEqual([]);
    expect(world.simulator.charges()).toEqual([]);
    expect(world.notices).toHaveLength(1);
    expect(world.notices[0]).toMatch(new RegExp(`"Acme" \\(${id}\\) already exists .* nothing new was charged`));
  });

  it.each(["null", "empty", "absent"] as const)("is taken over also when its unset texts are %s", async (unsetText) => {
    const world = await start({ unsetText, seedAccounts: [{ name: "Acme", reference }] });
    await create(world, declared());
    expect(writes(world.simulator)).toEqual([]);
  });

  it.each([{ name: "Another" }, { description: "differs" }])(
    "is not taken over when it differs (%j): the candidates are named, nothing is sent",
    async (difference) => {
      const world = await start({ seedAccounts: [{ name: "Acme", description: "d", reference, ...difference }] });
      const [account] = world.simulator.accounts();
      const error = await rejection(create(world, declared({ description: "d" })));
      expect(error).toBeInstanceOf(AmbiguousAccountError);
      expect(error).toMatchObject({ candidates: [account?.id] });
      expect(error.message).toContain(account?.id);
      expect(error.message).toContain("Nothing was created or charged.");
      expect(writes(world.simulator)).toEqual([]);
    },
  );

  it("is not chosen among several", async () => {
    const world = await start({ seedAccounts: Array.from({ length: 2 }, () => ({ name: "Acme", reference })) });
    const error = await rejection(create(world, declared()));
    expect(error).toMatchObject({
      name: "AmbiguousAccountError",
      candidates: world.simulator.accounts().map(({ id }) => id),
    });
    expect(writes(world.simulator)).toEqual([]);
  });

  it("is never taken over when it is disabled, as a deletion leaves it", async () => {
    const seed = { name: "Acme", reference, enabled: false, flaggedForDeletion: true };
    const world = await start({ seedAccounts: [seed] });
    const [left] = world.simulator.accounts();
    const { id } = await create(world, declared());
    expect(id).not.toBe(left?.id);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("is never taken over when it is disabled, also where a disabled one is declared", async () => {
    const world = await start({ seedAccounts: [{ name: "Acme", reference, enabled: false }] });
    const error = await rejection(create(world, declared({ enabled: false })));
    expect(error).toBeInstanceOf(AmbiguousAccountError);
    expect(error.message).toContain(", disabled)");
    expect(writes(world.simulator)).toEqual([]);
  });

  it("is recognised by the whole reference, not by part of it or its case", async () => {
    const seeds = [`${reference}-2`, reference.toUpperCase(), ` ${reference}`].map((text) => ({
      name: "Acme",
      reference: text,
    }));
    const world = await start({ seedAccounts: seeds });
    await create(world, declared());
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("is found on a later page", async () => {
    const seeds = Array.from({ length: 25 }, (_, index) => ({
      name: "Acme",
      reference: index === 24 ? reference : null,
    }));
    const world = await start({ seedAccounts: seeds, maxPageSize: 10 });
    const { id } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[24]?.id);
    expect(writes(world.simulator)).toEqual([]);
  });

  it("is not looked for in vain: without the list, nothing is sent", async () => {
    const world = await start({ limits: { budgetMs: 1_000 } });
    world.simulator.arm({ action: "status", status: 503, method: "GET", times: Infinity });
    await rejection(create(world, declared()));
    expect(writes(world.simulator)).toEqual([]);
  });
});
