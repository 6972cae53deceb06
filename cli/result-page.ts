import type { ServerResponse } from "node:http";

/** The page on which a sign-in ends in the browser. It loads nothing and leads nowhere. */
export function resultPage(response: ServerResponse, title: string, text: string, succeeded: boolean): void {
  response.writeHead(succeeded ? 200 : 400, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; color: #222; }
  h1 { font-size: 1.6rem; color: ${succeeded ? "#17692f" : "#a3201a"}; }
  @media (prefers-color-scheme: dark) { body { background: #181818; color: #eee; } h1 { color: ${succeeded ? "#7ddc98" : "#ff9a94"}; } }
</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><p>You can close this window and go back to the terminal.</p></main>
</html>
`);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
