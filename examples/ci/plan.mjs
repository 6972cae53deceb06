// Reads what `pulumi preview --json` prints, and says what it would change and what that may cost.
import { readFileSync } from "node:fs";

const text = readFileSync(0, "utf8");
if (!text.startsWith("{")) throw new Error("The preview printed no plan.");
const { steps = [], diagnostics = [] } = JSON.parse(text);

const idle = ["same", "refresh", "read"];
const planned = steps.filter(({ op, urn }) => !idle.includes(op) && !urn.includes("::pulumi:pulumi:Stack::"));

const kindOf = ({ urn }) => /\breseller:(?:index:)?(Account|Customer)$/.exec(urn.split("::")[2].split("$").at(-1))?.[1];
const creations = planned.filter((step) => step.op === "create" && kindOf(step));
const accepts = ({ newState }) => newState.inputs.acceptCharges === true;

// Names come from the program or the service: they must not end a cell or start anything.
const cell = (value) => `\`${String(value).replace(/[|`\r\n]/g, " ")}\``;

function chargeLine(step) {
  const what = `${kindOf(step)} ${cell(step.newState.inputs.name)}`;
  return accepts(step)
    ? `- ${what}: creating it may cost money, and the program accepts that.`
    : `- ${what}: creating it may cost money that is **not accepted**; set \`acceptCharges: true\` or it is refused.`;
}

function row(step) {
  const properties = Object.keys(step.detailedDiff ?? {}).filter((name) => !name.startsWith("__"));
  const named = properties.length > 0 ? properties : (step.diffReasons ?? []);
  return `| ${step.op} | ${cell(step.urn.split("::").at(-1))} | ${named.map(cell).join(", ")} |`;
}

function markdown(stack) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message.trim());
  const lines = [`### Preview of ${cell(stack)}`, ""];
  for (const message of errors) lines.push(...message.split("\n").map((line) => `    ${line}`), "");
  if (creations.length > 0) lines.push("**Charges**", "", ...creations.map(chargeLine), "");
  if (planned.length > 0)
    lines.push("| step | resource | properties |", "| --- | --- | --- |", ...planned.map(row), "");
  else if (errors.length === 0) lines.push("Nothing to change.", "");
  return lines.join("\n");
}

const [form, stack] = process.argv.slice(2);
console.log(form === "--charges" ? creations.filter(accepts).length : markdown(stack));
