import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** An address of this machine at which nothing listens. */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}
