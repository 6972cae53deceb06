import { unknownValue } from "../../../provider/resources/check";
import { check, type CustomerInputs, diff } from "../../../provider/resources/customer";
import { canary, declaredCustomer, profile, shown, unknownId } from "../customer-support";

const { _type, ...rest } = profile;

function failuresOf(news: Record<string, unknown>) {
  const { failures } = check({}, news);
  shown(failures);
  return failures;
}

/** What is wrong with a profile in which these fields are different. */
const profileFailures = (changes: object) =>
  failuresOf({ name: "Acme", pbxConnectionProfile: { ...profile, ...changes } });

describe("checking a declared customer", () => {
  it("completes what is left out and keeps the rest", () => {
    expect(check({}, { name: "Acme", acceptCharges: true })).toEqual({
      inputs: { name: "Acme", enabled: true, acceptCharges: true },
      failures: [],
      notices: [],
    });
    const everything = declaredCustomer({ enabled: false });
    expect(check({}, everything)).toEqual({ inputs: everything, failures: [], notices: [] });
  });

  it("drops what is undefined, and what the host adds", () => {
    const { inputs, failures } = check(
      {},
      { name: "Acme", culture: undefined, __provider: "code", acceptCharges: true },
    );
    expect(inputs).toEqual({ name: "Acme", enabled: true, acceptCharges: true });
    expect(failures).toEqual([]);
  });

  it("requires a name that is not blank", () => {
    expect(failuresOf({})).toEqual([{ property: "name", reason: "name is required" }]);
    expect(failuresOf({ name: " " })).toEqual([{ property: "name", reason: "name must not be blank" }]);
  });

  it("offers the nearest name for a property nobody declared", () => {
    expect(failuresOf({ name: "Acme", cultrue: "nl-NL" })).toEqual([
      { property: "cultrue", reason: "cultrue is not a property here; did you mean culture?" },
    ]);
  });

  it.each([
    ["enabled", "yes", "must be true or false"],
    ["acceptCharges", "true", "must be true or false"],
    ["culture", "nl", "must be a locale tag in language-REGION form, such as nl-NL"],
    ["timezone", "Amsterdam", "must be an IANA time zone in Region/City form"],
    ["description", "\x1b[31m", "must not hold control characters"],
    ["adopt", "../accounts", "must be a tenant id"],
    ["adopt", "pending:Acme", "must be a tenant id"],
    ["pbxConnectionProfile", "text", "must be an object"],
  ])("refuses %s %j", (property, value, reason) => {
    const failures = failuresOf({ name: "Acme", [property]: value });
    expect(failures).toEqual([{ property, reason: expect.stringContaining(`${property} ${reason}`) as string }]);
  });
});

describe("the connection profile", () => {
  const completed = (given: object) => check({}, { name: "Acme", pbxConnectionProfile: given });

  it.each([
    ["kind", "Example"],
    ["kind", "ExamplePbxConnectionProfile"],
    ["_type", "Example"],
    ["_type", "ExamplePbxConnectionProfile"],
  ])("named by %s %s travels with its full _type", (name, kind) => {
    const { inputs, failures } = completed({ ...rest, [name]: kind });
    expect(failures).toEqual([]);
    expect(inputs.pbxConnectionProfile).toEqual(profile);
  });

  it("goes by _type when it has a kind too", () => {
    expect(completed({ ...rest, kind: "Other", _type }).inputs.pbxConnectionProfile).toEqual(profile);
  });

  it("must say its kind", () => {
    expect(completed(rest).failures).toEqual([
      { property: "pbxConnectionProfile._type", reason: "pbxConnectionProfile._type is required" },
    ]);
  });

  it.each(["", "3CX", "Exa mple", "Example/../x", 7, null])("is of no kind such as %j", (kind) => {
    expect(profileFailures({ _type: kind })).toMatchObject([{ property: "pbxConnectionProfile._type" }]);
  });

  it.each(["hostRest", "hostWebsocket", "accountId", "apiKey"])("requires %s", (field) => {
    const property = `pbxConnectionProfile.${field}`;
    expect(profileFailures({ [field]: undefined })).toEqual([{ property, reason: `${property} is required` }]);
  });

  it.each([
    ["hostRest", "wss://pbx.example"],
    ["hostRest", "pbx.example"],
    ["hostRest", "file:///etc/passwd"],
    ["hostRest", "javascript:alert(1)"],
    ["hostRest", "https://user:password@pbx.example"],
    ["hostWebsocket", "https://pbx.example"],
    ["hostWebsocket", "ws"],
    ["accountId", " "],
    ["accountId", 7],
    ["apiKey", `${canary}\r\nX-Header: 1`],
    ["apiKey", ""],
  ])("has no %s such as %j, and the failure does not repeat a key", (field, value) => {
    expect(profileFailures({ [field]: value })).toMatchObject([{ property: `pbxConnectionProfile.${field}` }]);
  });

  it("has no further properties", () => {
    const reason =
      "pbxConnectionProfile has no property apikey; there are _type, hostRest, hostWebsocket, accountId, apiKey";
    expect(profileFailures({ apikey: canary })).toEqual([{ property: "pbxConnectionProfile", reason }]);
  });
});

describe("a value that is not known yet", () => {
  it.each(Object.keys(declaredCustomer()))("passes as %s", (property) => {
    const { inputs, failures } = check({}, { ...declaredCustomer(), [property]: unknownValue });
    expect(failures).toEqual([]);
    expect(inputs).toHaveProperty(property, unknownValue);
  });

  it.each([...Object.keys(profile), "kind"])("passes as %s of the profile, and is left as it is", (field) => {
    const given = field === "kind" ? { ...rest, kind: unknownValue } : { ...profile, [field]: unknownValue };
    const { inputs, failures } = check({}, { name: "Acme", pbxConnectionProfile: given });
    expect(failures).toEqual([]);
    expect(inputs.pbxConnectionProfile).toHaveProperty(field === "kind" ? "_type" : field, unknownValue);
  });

  it("does not hide what is wrong beside it", () => {
    expect(profileFailures({ hostRest: unknownValue, hostWebsocket: "https://pbx.example" })).toMatchObject([
      { property: "pbxConnectionProfile.hostWebsocket" },
    ]);
    expect(failuresOf({ name: unknownValue, culture: "xx" })).toMatchObject([{ property: "culture" }]);
  });
});

describe("that a creation will be refused", () => {
  const told = [
    'Customer "Acme": creating it may incur charges that are not accepted; the service will refuse it unless acceptCharges: true is set.',
  ];
  const notices = (olds: Partial<CustomerInputs>, inputs: Partial<CustomerInputs>) =>
    check(olds, declaredCustomer(inputs)).notices;

  it("is told when charges are not accepted", () => {
    expect(notices({}, { acceptCharges: false })).toEqual(told);
    expect(check({}, { name: "Acme" }).notices).toEqual(told);
  });

  it("is told without what is not known yet, and not while that is whether they are accepted", () => {
    const [notice] = notices({}, { name: unknownValue, acceptCharges: false });
    expect(notice).toMatch(/^Customer: creating it may incur charges that are not accepted;/);
    expect(notices({}, { acceptCharges: unknownValue as unknown as boolean })).toEqual([]);
  });

  it("is not told when they are, nor of a customer that exists, nor of one that is taken over", () => {
    expect(notices({}, {})).toEqual([]);
    expect(notices(declaredCustomer(), { acceptCharges: false })).toEqual([]);
    expect(notices({}, { acceptCharges: false, adopt: unknownId })).toEqual([]);
  });
});

describe("comparing a customer with its declaration", () => {
  const none = { changes: false, replaces: [] };
  const change = { changes: true, replaces: [] };

  it("finds nothing in what is the same", () => {
    expect(diff(unknownId, declaredCustomer(), declaredCustomer())).toMatchObject(none);
    expect(diff(unknownId, declaredCustomer(), declaredCustomer({ adopt: unknownId }))).toMatchObject(none);
  });

  it.each([
    { name: "Other" },
    { description: undefined },
    { enabled: false },
    { timezone: "Europe/Paris" },
    { culture: "nl-BE" },
    { pbxConnectionProfile: { ...profile, apiKey: "another" } },
    { pbxConnectionProfile: undefined },
    { acceptCharges: false },
  ] as Partial<CustomerInputs>[])("finds the change %j, which never replaces", (changes) => {
    expect(diff(unknownId, declaredCustomer(), declaredCustomer(changes))).toMatchObject(change);
  });

  it("cannot make it another customer by changing adopt", () => {
    expect(() => diff(unknownId, declaredCustomer(), declaredCustomer({ adopt: "another" }))).toThrow(
      `Could not take over customer another: this resource stands for customer ${unknownId} already, and that cannot change.`,
    );
  });

  it("always finds a pending creation changed, and replaces it only by the customer that adopt names", () => {
    expect(diff("pending:Acme", declaredCustomer(), declaredCustomer())).toMatchObject(change);
    expect(diff("pending:Acme", declaredCustomer(), declaredCustomer({ name: "Other" }))).toMatchObject(change);
    expect(diff("pending:Acme", declaredCustomer(), declaredCustomer({ adopt: unknownId }))).toMatchObject({
      changes: true,
      replaces: ["adopt"],
    });
  });
});
