import { startSimulator, type Simulator } from "../../simulator";
import { accept, accounts, ask, dataOf, rowsOf, unknownId, utcDate } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ seedAccounts: 3 });
});
afterEach(() => simulator.close());

const idOf = (index: number): string => simulator.accounts()[index]?.id ?? "";

describe("listing accounts", () => {
  it("gives a page envelope whose size and index default to 1000 and 0", async () => {
    const answer = await ask(simulator, "GET", accounts);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json()).toEqual({
      page_size: 1000,
      page_index: 0,
      data: expect.any(Array) as unknown,
      status: "success",
      timestamp: expect.stringMatching(utcDate) as unknown,
    });
  });

  it("shows the seven documented fields and keeps timezone and countryCode to itself", async () => {
    simulator.seedAccount({ name: "A", timezone: "Europe/Berlin", countryCode: "DE" });
    const row = rowsOf(await ask(simulator, "GET", accounts)).at(-1);
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      name: "A",
      description: "",
      enabled: true,
      parentTenantId: simulator.enterpriseTenantId,
      reference: "",
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/) as unknown,
    });
  });

  it("gives the page that was asked for, and an empty one past the end", async () => {
    const second = await ask(simulator, "GET", `${accounts}?pageIndex=1&pageSize=2`);
    expect(second.json()).toMatchObject({ page_size: 2, page_index: 1 });
    expect(rowsOf(second).map((row) => row["id"])).toEqual([idOf(2)]);
    expect(rowsOf(await ask(simulator, "GET", `${accounts}?pageIndex=2&pageSize=2`))).toEqual([]);
  });

  it.each(["pageIndex=-1", "pageIndex=x", "pageSize=0", "pageSize=1.5"])("refuses ?%s", async (query) => {
    const answer = await ask(simulator, "GET", `${accounts}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(Object.keys(answer.json()["errors"] as object)).toEqual([query.split("=")[0]]);
  });

  it("silently reduces a page to the largest one", async () => {
    await using small = await startSimulator({ seedAccounts: 3, maxPageSize: 2 });
    const answer = await ask(small, "GET", `${accounts}?pageSize=500`);
    expect(answer.json()["page_size"]).toBe(2);
    expect(rowsOf(answer)).toHaveLength(2);
  });

  it("shows a new account only after the list delay, while reading it by id works at once", async () => {
    await using slow = await startSimulator({ listDelayMs: 5000 });
    const created = await ask(slow, "POST", accounts, { json: { name: "A" }, headers: accept });
    const id = String(dataOf(created)["id"]);
    expect((await ask(slow, "GET", `${accounts}/${id}`)).status).toBe(200);
    expect(rowsOf(await ask(slow, "GET", accounts))).toHaveLength(0);
    slow.advanceClock(5);
    expect(rowsOf(await ask(slow, "GET", accounts))).toHaveLength(1);
  });
});

describe("reading an account", () => {
  it("gives the single-record envelope", async () => {
    const answer = await ask(simulator, "GET", `${accounts}/${idOf(0)}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ status: "success", data: { id: idOf(0), name: "Reseller 0001" } });
    expect(answer.json()["timestamp"]).toMatch(utcDate);
  });

  it("accepts an id in capitals", async () => {
    expect((await ask(simulator, "GET", `${accounts}/${idOf(0).toUpperCase()}`)).status).toBe(200);
  });

  it.each([
    ["not-an-id", "not-an-id"],
    ["a%2Fb", "a/b"],
    ["%E2%82%AC", "€"],
  ])("answers 400 with the documented message to %s", async (sent, shown) => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await ask(simulator, method, `${accounts}/${sent}`);
      expect(answer.status).toBe(400);
      expect(answer.json()).toEqual({
        error: 400,
        message: `The value '${shown}' is not valid.`,
        status: "error",
        timestamp: expect.stringMatching(utcDate) as unknown,
      });
    }
  });

  it("answers 404 with the error envelope to an unknown id", async () => {
    const answer = await ask(simulator, "GET", `${accounts}/${unknownId}`);
    expect(answer.status).toBe(404);
    expect(answer.json()).toEqual({
      error: 404,
      message: "Not Found",
      status: "error",
      timestamp: expect.stringMatching(utcDate) as unknown,
    });
  });

  it("gives the documented fields of the metrics record", async () => {
    const answer = await ask(simulator, "GET", `${accounts}/${idOf(0)}/metrics`);
    const { dateCreated } = simulator.accounts()[0] ?? {};
    expect(dataOf(answer)).toEqual({
      accountTenantId: idOf(0),
      accountName: "Reseller 0001",
      enabled: true,
      dateCreated,
    });
  });

  it.each([
    ["null", null],
    ["absent", undefined],
  ] as const)("shows a text that was never sent as the option says: %s", async (unsetText, shown) => {
    await using other = await startSimulator({ unsetText, extraFields: { tier: 1 }, seedAccounts: [{ name: "A" }] });
    const [row] = rowsOf(await ask(other, "GET", accounts));
    expect(row?.["description"]).toBe(shown);
    expect(row?.["tier"]).toBe(1);
  });
});

describe("creating an account", () => {
  const body = {
    name: "A",
    description: "d",
    reference: "r",
    enabled: false,
    timezone: "Europe/Paris",
    countryCode: "FR",
  };

  it("stores every field, answers 201 with the record, and charges once", async () => {
    const answer = await ask(simulator, "POST", accounts, { json: body, headers: accept });
    expect(answer.status).toBe(201);
    expect(simulator.accounts().at(-1)).toMatchObject({ ...body, flaggedForDeletion: false });
    expect(dataOf(answer)).toMatchObject({ name: "A", description: "d", reference: "r", enabled: false });
    const { id } = simulator.accounts().at(-1) ?? {};
    expect(simulator.charges()).toEqual([
      {
        id: 1,
        kind: "account",
        tenantId: id,
        name: "A",
        reference: "r",
        at: expect.stringMatching(utcDate) as unknown,
      },
    ]);
  });

  it.each([undefined, "false", "1"])(
    "echoes the body with 402 and does nothing when accept-charges is %s",
    async (value) => {
      const headers: Record<string, string> = value === undefined ? {} : { "accept-charges": value };
      const answer = await ask(simulator, "POST", accounts, { json: body, headers });
      expect(answer.status).toBe(402);
      expect(answer.json()).toEqual(body);
      expect(simulator.accounts()).toHaveLength(3);
      expect(simulator.charges()).toEqual([]);
    },
  );

  it("needs nothing but a name, is enabled then, and ignores unknown fields", async () => {
    const sent = '{"name":"A","id":"mine","__proto__":{"enabled":false}}';
    const headers = { ...accept, "content-type": "application/json; charset=utf-8" };
    expect((await ask(simulator, "POST", accounts, { body: sent, headers })).status).toBe(201);
    expect(simulator.accounts().at(-1)).toMatchObject({ name: "A", enabled: true, description: null });
    expect(simulator.accounts().at(-1)?.id).not.toBe("mine");
  });

  it.each([
    ["no name", { reference: "r" }, "name", "The name field is required."],
    ["a blank name", { name: " " }, "name", "The name field is required."],
    ["a number as name", { name: 5 }, "name", "The JSON value could not be converted. Path: $.name"],
    [
      "text as enabled",
      { name: "A", enabled: "yes" },
      "enabled",
      "The JSON value could not be converted. Path: $.enabled",
    ],
    ["a list", [], "", "The JSON value could not be converted. Path: $."],
  ])("answers %s with problem details", async (_case, json, field, message) => {
    const answer = await ask(simulator, "POST", accounts, { json, headers: accept });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(answer.json()).toMatchObject({
      title: "One or more validation errors occurred.",
      status: 400,
      errors: { [field]: [message] },
      traceId: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) as unknown,
    });
    expect(simulator.charges()).toEqual([]);
  });

  it("answers 400 to a body that isn't JSON, or is missing, and 415 to another type", async () => {
    const type = { ...accept, "content-type": "application/json" };
    expect((await ask(simulator, "POST", accounts, { body: "{", headers: type })).status).toBe(400);
    expect((await ask(simulator, "POST", accounts, { headers: type })).status).toBe(400);
    const wrong = await ask(simulator, "POST", accounts, { body: "{}", headers: { "content-type": "text/plain" } });
    expect(wrong.status).toBe(415);
    expect(wrong.json()["title"]).toBe("Unsupported Media Type");
  });

  it("allows two accounts with the same reference", async () => {
    for (let n = 0; n < 2; n++) await ask(simulator, "POST", accounts, { json: body, headers: accept });
    expect(simulator.accounts().filter(({ reference }) => reference === "r")).toHaveLength(2);
  });
});

describe("patching an account", () => {
  const patch = (json: unknown, headers: Record<string, string> = {}): ReturnType<typeof ask> =>
    ask(simulator, "PATCH", `${accounts}/${idOf(0)}`, { json, headers });

  it("replaces fields and answers 200 with the record", async () => {
    const answer = await patch([
      { op: "replace", path: "/enabled", value: false },
      { op: "replace", path: "/timezone", value: "Asia/Tokyo" },
      { op: "replace", path: "/description", value: "new" },
    ]);
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toMatchObject({ enabled: false, description: "new", name: "Reseller 0001" });
    expect(simulator.accounts()[0]).toMatchObject({ enabled: false, timezone: "Asia/Tokyo", description: "new" });
    expect(simulator.charges()).toEqual([]);
  });

  it("accepts the media type of JSON Patch too", async () => {
    const type = { "content-type": "application/json-patch+json" };
    expect((await patch([{ op: "replace", path: "/name", value: "B" }], type)).status).toBe(200);
  });

  it.each([
    ["no list", { op: "replace", path: "/name", value: "B" }],
    ["an unknown operation", [{ op: "set", path: "/name", value: "B" }]],
    ["an unknown path", [{ op: "replace", path: "/tier", value: "B" }]],
    ["a read-only path", [{ op: "replace", path: "/id", value: unknownId }]],
    ["a read-only source", [{ op: "copy", from: "/parentTenantId", path: "/name" }]],
    ["the whole document", [{ op: "replace", path: "", value: {} }]],
    ["a path below a text", [{ op: "add", path: "/name/x", value: "B" }]],
    ["a prototype", [{ op: "add", path: "/__proto__", value: {} }]],
    ["no value", [{ op: "replace", path: "/name" }]],
    ["a wrong type", [{ op: "replace", path: "/enabled", value: "no" }]],
    ["an empty name", [{ op: "replace", path: "/name", value: "" }]],
    ["the removal of the name", [{ op: "remove", path: "/name" }]],
    ["a failing test", [{ op: "test", path: "/name", value: "other" }]],
    [
      "a good operation before a bad one",
      [
        { op: "replace", path: "/description", value: "x" },
        { op: "remove", path: "/a" },
      ],
    ],
  ])("refuses %s and changes nothing", async (_case, json) => {
    const before = simulator.accounts();
    const answer = await patch(json);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(simulator.accounts()).toEqual(before);
  });

  it("answers 404 and 400 like a read", async () => {
    const json = [{ op: "replace", path: "/name", value: "B" }];
    expect((await ask(simulator, "PATCH", `${accounts}/${unknownId}`, { json })).json()["message"]).toBe("Not Found");
    expect((await ask(simulator, "PATCH", `${accounts}/x`, { json })).json()["error"]).toBe(400);
  });

  it("asks for accept-charges when a patch may cost extra", async () => {
    await using paid = await startSimulator({ seedAccounts: [{ name: "A" }], patchCharges: true });
    const path = `${accounts}/${paid.accounts()[0]?.id ?? ""}`;
    const json = [{ op: "replace", path: "/name", value: "B" }];
    const refused = await ask(paid, "PATCH", path, { json });
    expect(refused.status).toBe(402);
    expect(refused.json()).toEqual(json);
    expect(paid.accounts()[0]?.name).toBe("A");
    expect((await ask(paid, "PATCH", path, { json, headers: accept })).status).toBe(200);
  });
});

describe("deleting an account", () => {
  it("deactivates and flags it, answers 204, and keeps it readable and listed", async () => {
    const path = `${accounts}/${idOf(0)}`;
    const answer = await ask(simulator, "DELETE", path);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(simulator.accounts()[0]).toMatchObject({ enabled: false, flaggedForDeletion: true });
    const read = dataOf(await ask(simulator, "GET", path));
    expect(read["enabled"]).toBe(false);
    expect(read).not.toHaveProperty("flaggedForDeletion");
    expect(rowsOf(await ask(simulator, "GET", accounts))).toHaveLength(3);
    expect((await ask(simulator, "DELETE", path)).status).toBe(204);
  });

  it("answers 404 once the account is gone", async () => {
    const id = idOf(0);
    simulator.removeAccount(id);
    expect((await ask(simulator, "DELETE", `${accounts}/${id}`)).json()).toMatchObject({ error: 404, status: "error" });
  });
});
