import { createServer, type ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { isLoopback } from "../provider/config";
import { resultPage } from "./result-page";

/** Listens where the authorization server sends the browser back to. */
export interface RedirectListener {
  /** The address with its query, once the browser has come. */
  arrived: Promise<URL>;
  /** Tells the person in the browser how it went; ends when the browser has it. */
  answer(title: string, text: string, succeeded: boolean): Promise<void>;
  close(): void;
}

/** @throws Error when the address is not of this machine, or its port is taken */
export async function listenForRedirect(redirectUri: string): Promise<RedirectListener> {
  const address = new URL(redirectUri);
  if (address.protocol !== "http:" || !isLoopback(address.hostname)) {
    throw new Error(`${redirectUri} is not an address of this machine: use --no-browser and paste where you end up.`);
  }
  const waiting = new Set<ServerResponse>();
  let arrive: (url: URL) => void;
  const arrived = new Promise<URL>((resolve) => (arrive = resolve));
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", redirectUri);
    // Browsers ask for an icon too, and whatever else: only what carries an answer is one.
    if (request.method !== "GET" || url?.pathname !== address.pathname || !url.searchParams.has("state")) {
      response.writeHead(404).end();
      return;
    }
    waiting.add(response);
    arrive(url);
  });
  const port = Number(address.port || 80);
  const host = address.hostname.replace(/^\[|\]$/g, "");
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(taken(error, port)));
    });
    server.listen({ port, host }, resolve);
  });
  return {
    arrived,
    answer: async (title, text, succeeded) => {
      const answered = [...waiting].map((response) => {
        resultPage(response, title, text, succeeded);
        return finished(response);
      });
      waiting.clear();
      await Promise.allSettled(answered);
    },
    close: () => {
      server.close();
      // Browsers open connections to spare, which count as busy until they have asked for something.
      server.closeAllConnections();
    },
  };
}

function taken(error: NodeJS.ErrnoException, port: number): string {
  if (error.code !== "EADDRINUSE") return `port ${port} cannot be listened on (${error.code ?? "unknown reason"}).`;
  return (
    `port ${port} is in use, and the service sends you back there. Stop what uses it, name another address that the ` +
    "service knows with --redirect-uri, or use --no-browser."
  );
}
