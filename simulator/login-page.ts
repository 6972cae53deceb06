/** The page on which a portal user approves or denies. It needs no script and no further file. */
export function loginPage(clientId: string, scopes: readonly string[], parameters: Record<string, string>): string {
  const hidden = Object.entries(parameters)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join("\n");
  const items = scopes.map((scope) => `<li>${escape(scope)}</li>`).join("");
  return page(
    "Reseller portal (simulated)",
    `<p>The application <b>${escape(clientId)}</b> asks for access:</p>
<ul>${items}</ul>
<form method="post" action="/connect/authorize">
${hidden}
<button name="decision" value="approve">Log in and approve</button>
<button name="decision" value="deny">Deny</button>
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
<head><meta charset="utf-8"><title>${title}</title></head>
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
