import { OutcomeUnknownError, PaymentRequiredError, PendingCreationError } from "../../../provider/errors";
import { create } from "../../../provider/resources/customer";
import {
  canary,
  customersPath,
  declaredCustomer,
  modes,
  recorded,
  safeRejection,
  sent,
  shown,
  startCustomers,
  without,
} from "../customer-support";
import { asked, rejection, writes } from "../support";

const onePost = [`POST ${customersPath}`];

describe.each(modes)("creating a customer where the service is %s", (customers) => {
  it.each(["envelope", "bare", "location"] as const)("is one POST, answered in the form %s", async (successBody) => {
    const world = await startCustomers({ customers, successBody });
    const { id, outs } = await create(world, declaredCustomer());
    const [request] = writes(world.simulator);
    expect(asked(world.simulator)).toEqual(onePost);
    expect(request?.body).toEqual(sent());
    expect(request?.headers).toMatchObject({ "content-type": "application/json", "accept-charges": "true" });
    expect(outs).toEqual(recorded(id));
    expect(world.simulator.customers()).toMatchObject([{ id, ...sent() }]);
    expect(world.simulator.charges()).toMatchObject([{ kind: "customer", tenantId: id, name: "Acme" }]);
  });

  it("sends only what is declared", async () => {
    const world = await startCustomers({ customers });
    await create(world, { name: "Acme", enabled: true, acceptCharges: true });
    expect(writes(world.simulator)[0]?.body).toEqual({ name: "Acme", enabled: true });
  });

  it.each([{}, { acceptCharges: false }])(
    "with %j is refused with 402: nothing is done, nothing charged",
    async (not) => {
      const world = await startCustomers({ customers });
      const inputs = without(declaredCustomer(), "acceptCharges");
      const error = await safeRejection(world, create(world, { ...inputs, ...not }));
      expect(error).toBeInstanceOf(PaymentRequiredError);
      expect(error).toMatchObject({ echo: sent() });
      expect(error).not.toHaveProperty("id");
      expect(error.message).toBe(
        'Could not create customer "Acme": the service answered 402 Payment Required: this may incur extra charges, so nothing was done. To accept the charges, set acceptCharges: true on this resource and run again.',
      );
      expect(writes(world.simulator)[0]?.headers).not.toHaveProperty("accept-charges");
      expect(asked(world.simulator)).toEqual(onePost);
      expect(world.simulator.customers()).toEqual([]);
      expect(world.simulator.charges()).toEqual([]);
      expect(world.notices).toEqual([]);
    },
  );

  it("is sent once when it is refused with 402 although charges were accepted", async () => {
    const world = await startCustomers({ customers });
    world.simulator.arm({ action: "status", status: 402, body: sent(), times: Infinity });
    const error = await safeRejection(world, create(world, declaredCustomer()));
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error.message).toContain("402 Payment Required although charges were accepted; nothing was done.");
    expect(asked(world.simulator)).toEqual(onePost);
    expect(world.simulator.charges()).toEqual([]);
    expect(world.notices).toEqual([]);
  });
});

describe("a creation that names no customer, or whose answer does not arrive,", () => {
  it.each([
    { action: "cut-after" },
    { action: "cut-after", reset: true },
    { action: "truncate" },
    { action: "empty-body", status: 201 },
    { action: "empty-body", status: 204 },
    { action: "json", body: sent(), status: 201 },
    { action: "json", body: { data: null, status: "success" } },
    { action: "json", body: { data: { id: 7 } } },
    { action: "html", status: 200, act: true },
    { action: "html", status: 502, act: true },
    { action: "status", status: 500, act: true },
    { action: "status", status: 503, act: true, headers: { "retry-after": "1" } },
    { action: "status", status: 504, act: true },
    { action: "redirect", location: "/api/v1.0/accounts" },
    { action: "delay-headers", ms: 10_000 },
    { action: "delay-body", ms: 10_000 },
  ] as const)("is kept as pending and not sent again after %j", async (fault) => {
    const world = await startCustomers({ limits: { headersMs: 100, bodyMs: 100 } });
    world.simulator.arm({ ...fault, method: "POST" });
    const error = await safeRejection(world, create(world, declaredCustomer()));
    expect(error).toBeInstanceOf(PendingCreationError);
    expect(error).toMatchObject({ id: "pending:Acme", properties: declaredCustomer(), reasons: [error.message] });
    expect(asked(world.simulator)).toEqual(onePost);
    expect(world.simulator.charges()).toHaveLength(fault.action === "redirect" ? 0 : 1);
    expect(world.clock.waits).toEqual([]);
  });

  it.each(modes)("is kept as pending where a success has no body (%s)", async (customers) => {
    const world = await startCustomers({ customers, successBody: "empty" });
    const error = await safeRejection(world, create(world, declaredCustomer()));
    expect(error).toMatchObject({ name: "PendingCreationError", id: "pending:Acme" });
    expect(asked(world.simulator)).toEqual(onePost);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("is explained in one line that says how to go on", async () => {
    const world = await startCustomers({ successBody: "empty" });
    const error = await rejection(create(world, declaredCustomer()));
    expect(error.message).toBe(
      'Could not create customer "Acme": its creation was sent but not confirmed, and the service offers no list of customers to look it up. It may exist and be charged; it is not sent again. Look for "Acme" in the portal: if it is there, set adopt: "<its tenant id>"; if not, run `pulumi state delete` on this resource, then `pulumi up`.',
    );
  });

  it("keeps the key for state, and shows it nowhere", async () => {
    const world = await startCustomers({ successBody: "empty" });
    const error = await rejection(create(world, declaredCustomer()));
    expect(error).toHaveProperty("properties.pbxConnectionProfile.apiKey", canary);
    expect(shown(error)).toContain("pending:Acme");
  });
});

describe("a creation that was refused is an error and not pending", () => {
  it.each([
    [429, "RateLimitedError"],
    [400, "BadRequestError"],
    [401, "UnauthorizedError"],
    [403, "UnexpectedResponseError"],
    [404, "UnexpectedResponseError"],
    [405, "UnexpectedResponseError"],
    [501, "UnexpectedResponseError"],
  ])("after %s, and it is not sent again", async (status, name) => {
    const world = await startCustomers();
    world.simulator.arm({ action: "status", status, headers: { "retry-after": "1" }, times: Infinity });
    const error = await safeRejection(world, create(world, declaredCustomer()));
    expect(error.name).toBe(name);
    expect(error).not.toHaveProperty("properties");
    expect(asked(world.simulator)).toEqual(onePost);
    expect(world.simulator.charges()).toEqual([]);
    expect(world.notices).toEqual([]);
    expect(world.clock.waits).toEqual([]);
  });

  it("also when the refusal repeats the key", async () => {
    const world = await startCustomers();
    const quoted = [
      { error: 400, message: `The value '${canary}' is not valid.`, status: "error" },
      { title: "Bad Request", errors: { "pbxConnectionProfile.apiKey": [`${canary} is not a key.`] } },
      `<!doctype html><title>${canary}</title>`,
      // So long that the line ends in the middle of the key.
      ...Array.from({ length: 20 }, (_, index) => ({ title: `${".".repeat(355 + index)}${canary}` })),
      // Escaped as some servers do.
      `{"title":"${canary.replace('"', "\\u0022")}"}`,
    ];
    for (const body of quoted) {
      world.simulator.arm({ action: "status", status: 400, body });
      expect(await safeRejection(world, create(world, declaredCustomer()))).toHaveProperty("name", "BadRequestError");
    }
    expect(world.simulator.charges()).toEqual([]);
  });

  it("nor pending is what never left this machine", async () => {
    const world = await startCustomers();
    await world.simulator.close();
    const error = await safeRejection(world, create(world, declaredCustomer()));
    expect(error).toMatchObject({ name: "NetworkError", sent: false });
    expect(error).not.toBeInstanceOf(OutcomeUnknownError);
  });
});
