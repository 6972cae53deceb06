import fc from "fast-check";
import {
  type FindSignIns,
  isLoopback,
  resolveSettings,
  type SettingName,
  settingDeclarations,
} from "../../provider/config";
import { SettingsError } from "../../provider/errors";

const complete = { "reseller:baseUrl": "https://api.example.com", "reseller:accessToken": "token-1" };

const nobody: FindSignIns = () => [];

function resolve(
  configuration: Record<string, string>,
  environment: Record<string, string> = {},
  findSignIns: FindSignIns = nobody,
) {
  return resolveSettings((key) => configuration[key], environment, findSignIns);
}

function refusal(...from: Parameters<typeof resolve>): SettingsError {
  try {
    resolve(...from);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error("expected a SettingsError");
}

describe("settings", () => {
  it("come from the stack's configuration", () => {
    expect(resolve(complete)).toEqual({ baseUrl: "https://api.example.com", accessToken: "token-1" });
  });

  it("come from the environment first", () => {
    const environment = { RESELLER_BASE_URL: "http://127.0.0.1:4010", RESELLER_ACCESS_TOKEN: "token-2" };
    expect(resolve(complete, environment)).toEqual({ baseUrl: "http://127.0.0.1:4010", accessToken: "token-2" });
  });

  it("do not come from a variable that is empty", () => {
    expect(resolve(complete, { RESELLER_BASE_URL: "", RESELLER_ACCESS_TOKEN: "" })).toEqual(resolve(complete));
  });

  it("have each a description and a variable of their own, and the secret ones are marked", () => {
    const declared = Object.values(settingDeclarations);
    expect(new Set(declared.map(({ environment }) => environment)).size).toBe(declared.length);
    const secret = (Object.keys(settingDeclarations) as SettingName[]).filter(
      (name) => "secret" in settingDeclarations[name],
    );
    expect(secret.sort()).toEqual(["accessToken", "clientSecret", "refreshToken"]);
    for (const { description } of declared) expect(description).toMatch(/\.$/);
  });

  it("that are missing are named, with the way to set them", () => {
    const { message } = refusal({ "reseller:accessToken": "t" });
    expect(message).toContain("reseller:baseUrl is not set");
    expect(message).toContain("Set $RESELLER_BASE_URL, or run: pulumi config set reseller:baseUrl <value>.");
    expect(message).toContain("Nothing was sent.");
  });

  it("that are missing and secret are to be set as secrets", () => {
    const whole = {
      "reseller:baseUrl": "https://api.example.com",
      "reseller:refreshToken": "refresh",
      "reseller:authUrl": "https://auth.example.com",
      "reseller:clientId": "client",
    };
    expect(refusal(whole).message).toContain("pulumi config set --secret reseller:clientSecret <value>");
  });

  it.each(["authUrl", "clientId", "clientSecret"])("need %s to use a refresh token", (missing) => {
    const whole: Record<string, string> = {
      "reseller:baseUrl": "https://api.example.com",
      "reseller:authUrl": "https://auth.example.com",
      "reseller:clientId": "id",
      "reseller:clientSecret": "secret",
      "reseller:refreshToken": "refresh",
    };
    expect(resolve(whole)).toMatchObject({ refreshToken: "refresh" });
    Reflect.deleteProperty(whole, `reseller:${missing}`);
    expect(refusal(whole).message).toContain(`reseller:${missing} is not set (needed to use the refresh token)`);
  });
});

describe("an address", () => {
  it.each([
    "https://api.example.com",
    "https://api.example.com/",
    "https://api.example.com:8443/base",
    "http://localhost:4010",
    "http://127.0.0.1:4010",
    "http://127.5.5.5",
    "http://[::1]:4010",
  ])("may be %s", (baseUrl) => {
    expect(resolve({ ...complete, "reseller:baseUrl": baseUrl }).baseUrl).toBe(baseUrl);
  });

  it.each([
    "http://api.example.com",
    "http://10.0.0.1",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://128.0.0.1",
    "http://0.0.0.0",
    "http://[::2]",
  ])("may not be %s, which would send the token readable over the network", (baseUrl) => {
    expect(refusal({ ...complete, "reseller:baseUrl": baseUrl }).message).toContain("plain http would send the token");
  });

  it.each([
    ["api.example.com", /is not an address such as/],
    ["", /is not an address such as/],
    ["ftp://api.example.com", /must start with https/],
    ["file:///etc/hosts", /must start with https/],
    ["https://user:password@api.example.com", /must not hold a user name or password/],
    ["https://api.example.com/?tenant=1", /must not hold a query or a fragment/],
    ["https://api.example.com/?", /must not hold a query or a fragment/],
    ["https://api.example.com#top", /must not hold a query or a fragment/],
    ["https://api.example.com/#", /must not hold a query or a fragment/],
    ["https://api.example.com ", /must not hold spaces/],
    [" https://api.example.com", /must not hold spaces/],
    ["https://api.example.com\n", /must not hold spaces/],
    ["https://api.exa\tmple.com", /must not hold spaces/],
  ])("may not be %j", (address, says) => {
    expect(refusal({ ...complete, "reseller:baseUrl": address }).message).toMatch(says);
    const { message } = refusal({ ...complete, "reseller:authUrl": address });
    expect(message).toMatch(/the configuration value reseller:authUrl/);
    expect(message).toMatch(says);
  });

  it("that is accepted joins with a path below it, and nothing else", () => {
    const part = fc.string({
      unit: fc.constantFrom("a", "1", ".", ":", "/", "?", "#", "@", "\\", " ", "\n", "%"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(part, (rest) => {
        const address = `https://h${rest}`;
        let baseUrl: string;
        try {
          baseUrl = resolve({ ...complete, "reseller:baseUrl": address }).baseUrl;
        } catch (error) {
          expect(error).toBeInstanceOf(SettingsError);
          return;
        }
        const joined = new URL(`${baseUrl.replace(/\/+$/, "")}/api/v1.0`);
        expect(joined.host).toBe(new URL(address).host);
        expect(joined.pathname).toMatch(/\/api\/v1\.0$/);
        expect(joined.search + joined.hash + joined.username).toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  it("is of this machine only as loopback", () => {
    expect(["localhost", "127.0.0.1", "127.255.0.1", "[::1]"].every(isLoopback)).toBe(true);
    expect(["localhost.", "127.0.0.1.nip.io", "1127.0.0.1", "::1", "[::]", "example.com"].some(isLoopback)).toBe(false);
  });
});

describe("a token", () => {
  it.each(["a b", "a\r\nx-evil: 1", "a\n", "\ta", "a\0", "é", "a\u2028"])(
    "may not be %j: it would not fit a header",
    (token) => {
      for (const name of ["accessToken", "refreshToken", "clientId", "clientSecret"]) {
        const { message } = refusal({ ...complete, [`reseller:${name}`]: token });
        expect(message).toContain(`the configuration value reseller:${name} holds spaces, line breaks`);
        expect(message).not.toMatch(/[\r\n]/);
      }
    },
  );

  it("that is not accepted is not shown", () => {
    const { message, stack } = refusal(complete, { RESELLER_ACCESS_TOKEN: "canary token" });
    expect(message).toContain("$RESELLER_ACCESS_TOKEN holds spaces");
    expect(message + (stack ?? "")).not.toContain("canary");
  });
});

describe("where tokens come from", () => {
  const key = { profile: "default", baseUrl: "https://api.example.com", clientId: "client" };
  const signedIn: FindSignIns = () => [key];
  const { "reseller:baseUrl": baseUrl } = complete;

  it("is the environment before anything else", () => {
    for (const [variable, name] of [
      ["RESELLER_ACCESS_TOKEN", "accessToken"],
      ["RESELLER_REFRESH_TOKEN", "refreshToken"],
    ] as const) {
      const environment = {
        [variable]: "from-environment",
        RESELLER_AUTH_URL: "https://auth.example.com",
        RESELLER_CLIENT_ID: "client",
        RESELLER_CLIENT_SECRET: "secret",
      };
      const settings = resolve({ ...complete, "reseller:refreshToken": "from-configuration" }, environment, signedIn);
      expect(settings.signIn).toBeUndefined();
      expect(settings[name]).toBe("from-environment");
      // The two belong together: one of them from elsewhere could be of another person.
      expect([settings.accessToken, settings.refreshToken].filter((token) => token !== undefined)).toHaveLength(1);
    }
  });

  it("is a sign-in before configuration, which goes stale in state", () => {
    const stale = { ...complete, "reseller:refreshToken": "stale" };
    expect(resolve(stale, {}, signedIn)).toEqual({ baseUrl, signIn: key });
  });

  it("is configuration when nobody is signed in", () => {
    expect(resolve(complete)).toEqual({ baseUrl, accessToken: "token-1" });
  });

  it("is asked for by profile, base URL and client", () => {
    const asked: unknown[] = [];
    const find: FindSignIns = (wanted) => {
      asked.push(wanted);
      return [key];
    };
    resolve({ "reseller:baseUrl": baseUrl }, {}, find);
    resolve({ "reseller:baseUrl": baseUrl, "reseller:profile": "prod", "reseller:clientId": "c" }, {}, find);
    resolve({ "reseller:baseUrl": baseUrl, "reseller:profile": "prod" }, { RESELLER_PROFILE: "dev" }, find);
    expect(asked).toEqual([
      { profile: "default", baseUrl, clientId: undefined },
      { profile: "prod", baseUrl, clientId: "c" },
      { profile: "dev", baseUrl, clientId: undefined },
    ]);
  });

  it("is not guessed among several clients", () => {
    const { message } = refusal({ "reseller:baseUrl": baseUrl }, {}, () => [key, { ...key, clientId: "other" }]);
    expect(message).toContain("sign-ins of several clients");
    expect(message).toContain("$RESELLER_CLIENT_ID");
  });

  it("is said to be missing with the command that signs in", () => {
    expect(refusal({ "reseller:baseUrl": baseUrl }).message).toBe(
      "Could not read the settings: nobody is signed in to https://api.example.com (profile default), and no token is set. Run: npx pulumi-reseller login, or set $RESELLER_ACCESS_TOKEN or $RESELLER_REFRESH_TOKEN. Nothing was sent.",
    );
    expect(refusal({ "reseller:baseUrl": baseUrl, "reseller:profile": "prod" }).message).toContain(
      "npx pulumi-reseller login --profile prod,",
    );
  });

  it.each(["", "a b", "../x", "given:1", "a".repeat(65)])("is no profile named %j", (profile) => {
    expect(refusal({ ...complete, "reseller:profile": profile }).message).toContain(
      "reseller:profile may hold letters",
    );
  });
});
