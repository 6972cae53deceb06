import { generateKeyPairSync, sign } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { Http } from "../../../provider/api/http";
import { closeAfterwards, FakeClock, fixedToken, rejection } from "../support";

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const long = content.length > 127;
  const length = long ? [0x82, content.length >> 8, content.length & 0xff] : [content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** A certificate that nobody but itself vouches for, in PEM, and its key. */
function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
  const algorithm = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")));
  const name = sequence(der(0x31, commonName));
  const validity = sequence(...["240101000000Z", "490101000000Z"].map((date) => der(0x17, Buffer.from(date))));
  const key = publicKey.export({ type: "spki", format: "der" });
  const signed = sequence(der(0x02, Buffer.from([1])), algorithm, name, validity, name, key);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, privateKey));
  const body = sequence(signed, algorithm, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

describe("a certificate that is not trusted", () => {
  it.each(["GET", "POST"] as const)(
    "ends a %s at once, before anything was sent, and says what to do",
    async (method) => {
      let secured = 0;
      const server = createServer(selfSigned(), (socket) => {
        socket.on("data", () => secured++);
      });
      server.on("tlsClientError", () => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closeAfterwards(
        () =>
          new Promise((resolve) =>
            server.close(() => {
              resolve();
            }),
          ),
      );
      const clock = new FakeClock();
      const { port } = server.address() as AddressInfo;
      const http = new Http(`https://localhost:${port}`, fixedToken({ accessToken: "t" }), clock);
      closeAfterwards(() => http.close());
      const call = { doing: "list the accounts", path: "/accounts" };
      const error = await rejection(method === "GET" ? http.read(call) : http.write({ ...call, method, body: {} }));
      expect(error).toMatchObject({ name: "NetworkError", sent: false });
      expect(error.message).toContain("for a private authority set NODE_EXTRA_CA_CERTS");
      expect(clock.waits).toEqual([]);
      expect(secured).toBe(0);
    },
  );
});
