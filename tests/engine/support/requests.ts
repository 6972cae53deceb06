import type { Simulator } from "../../../simulator";

/** The writes the simulator received, oldest first, reduced to what the service document prescribes. */
export function writes(simulator: Simulator) {
  return simulator
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, headers, body }) => ({
      method,
      path,
      headers: Object.fromEntries(
        ["authorization", "content-type", "accept-charges"].flatMap((name) => {
          const value = headers[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      body,
    }));
}

const accounts = "/api/v1.0/accounts";
const authorization = "Bearer <redacted>";
const json = "application/json";

/** POST of an account as it has to look on the wire. */
export function post(body: object, { acceptCharges = true } = {}) {
  return { method: "POST", path: accounts, headers: headers({ json: true, acceptCharges }), body };
}

/** PATCH of an account, as [field, value] pairs. */
export function patch(id: string, fields: Record<string, unknown>, { acceptCharges = true } = {}) {
  const body = Object.entries(fields).map(([field, value]) => ({ op: "replace", path: `/${field}`, value }));
  return { method: "PATCH", path: `${accounts}/${id}`, headers: headers({ json: true, acceptCharges }), body };
}

/** DELETE of an account. */
export function remove(id: string) {
  return { method: "DELETE", path: `${accounts}/${id}`, headers: headers({}), body: undefined };
}

function headers({ json: hasBody = false, acceptCharges = false }): Record<string, string> {
  return {
    authorization,
    ...(hasBody ? { "content-type": json } : {}),
    ...(acceptCharges ? { "accept-charges": "true" } : {}),
  };
}
