/** The page on which a portal user approves or denies. It needs no script and no further file. */
export function loginPage(clientId: string, scopes: readonly string[], parameters: Record<string, string>): string {
  const hidden = Object.entries(parameters)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join("\n");
  const items = scopes.map((scope) => `<li>${escape(scope)}</li>`).join("");
  return page(
    "Reseller portal (simulated)",
    `<p>The application <b>${escape(clientId)}</b> asks for access to:</p>
<ul>${items}</ul>
<form method="post" action="/connect/authorize">
${hidden}
<button name="decision" value="approve">Log in and approve</button>
<button name="decision" value="deny" class="deny">Deny</button>
</form>`,
  );
}

/** The page for a request that must not be answered by a redirect. */
export function errorPage(error: string, description: string): string {
  return page("The request can't be authorized", `<p><code>${escape(error)}</code>: ${escape(description)}</p>`);
}

function page(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.6rem; }
  form { display: flex; gap: 0.8rem; margin-top: 2rem; }
  button { font: inherit; padding: 0.5rem 1.2rem; border: 1px solid #1c5fb0; border-radius: 6px; background: #1c5fb0; color: #fff; cursor: pointer; }
  .deny { background: none; color: inherit; border-color: #888; }
</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
