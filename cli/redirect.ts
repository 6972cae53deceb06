import { createServer, type ServerResponse } from "node:http";
import { isLoopback } from "../provider/config";
import { resultPage } from "./result-page";

/** Listens where the authorization server sends the browser back to. */
export interface RedirectListener {
  /** The address with its query, once the browser has come. */
  arrived: Promise<URL>;
  /** Tells the person in the browser how it went. */
  answer(title: string, text: string, succeeded: boolean): void;
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
    answer: (title, text, succeeded) => {
      for (const response of waiting) resultPage(response, title, text, succeeded);
      waiting.clear();
    },
    close: () => {
      server.close();
      server.closeIdleConnections();
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
