import { relative } from "node:path";
import { type Command, Option } from "commander";
import { SingleBar } from "cli-progress";
import { defaultProfile, loginCommand } from "../provider/config";
import { oneLine } from "../provider/errors";
import { sharedService, tokenStore } from "../provider/service";
import { type Filter, parseFilter } from "./import/filter";
import { openFolder, writeFiles } from "./import/folder";
import { nameAccounts } from "./import/names";
import { projectFiles } from "./import/project";
import { consider, emptySelection, type Selection } from "./import/selection";
import { addChoice, type Choice } from "./sign-ins";
import { literal } from "./text";

interface Choices extends Choice {
  filter?: Filter[];
  out: string;
}

/** `pulumi-reseller import`: a project that declares, and adopts, the accounts that exist. */
export function addImport(program: Command): void {
  addChoice(program.command("import"))
    .description(
      "Write a Pulumi project that adopts the accounts of the enterprise. Reads only. Run again on the same folder, " +
        "it adds accounts that are new.",
    )
    .option(
      "--filter <field=pattern>",
      "only accounts that match, such as name=Acme*; may be repeated",
      parseFilter,
      [],
    )
    .option("--out <folder>", "folder of the project", "resellers")
    .addOption(new Option("--language <name>", "language of the program").choices(["typescript"]).default("typescript"))
    .action(importAccounts);
}

async function importAccounts({ filter = [], out, ...choice }: Choices): Promise<void> {
  const folder = await openFolder(out);
  const settings = afterLogin(choice);
  const { accounts, baseUrl } = sharedService((key) => settings[key.replace("reseller:", "") as keyof Choice]);
  const selection = emptySelection();
  // How many there are shows only at the end of the list.
  const bar = new SingleBar({ format: "Reading accounts: {value}", clearOnComplete: true });
  bar.start(0, 0);
  try {
    for await (const account of accounts.list()) {
      consider(selection, account, folder, filter);
      bar.update(selection.read);
    }
  } finally {
    bar.stop();
  }
  const names = nameAccounts(selection.chosen, folder.literals);
  const declarations = selection.chosen.flatMap((account) => {
    const name = names.get(account.id);
    return name ? [{ account, name }] : [];
  });
  if (declarations.length > 0) {
    const { profile } = settings;
    await writeFiles(
      out,
      projectFiles(folder, declarations, { baseUrl, ...(profile === undefined ? {} : { profile }) }),
    );
  }
  process.stdout.write(`${summary(selection, out, folder.record === undefined).join("\n")}\n`);
}

/** Where one sign-in fits, which service is meant need not be said again. */
function afterLogin(choice: Choice): Choice {
  if (choice.baseUrl !== undefined) return choice;
  const [signIn, ...others] = tokenStore().find(choice);
  if (signIn && others.length === 0) return { ...choice, baseUrl: signIn.baseUrl };
  throw new Error(
    signIn
      ? "there are several sign-ins: say which with --base-url, --profile or --client-id."
      : `which service? Sign in first: ${loginCommand(choice.profile ?? defaultProfile)}, or name it with --base-url ($RESELLER_BASE_URL).`,
  );
}

function summary(selection: Selection, out: string, first: boolean): string[] {
  const { read, chosen, known, filtered, disabled, refused } = selection;
  const counts: [number, string][] = [
    [chosen.length, `written to ${out}`],
    [known, "imported before"],
    [filtered, "not chosen by --filter"],
    [disabled, "left out: disabled or deleted, which the service does not tell apart"],
    [refused.length, "left out, each for its own reason:"],
  ];
  const width = String(read).length;
  const lines = counts.filter(([count], index) => count > 0 || index === 0);
  const shown = refused.slice(0, 20);
  return [
    `Accounts read: ${read}`,
    ...lines.map(([count, what]) => `  ${String(count).padStart(width)} ${what}`),
    ...shown.map(({ account, reason }) => `    ${literal(account.name)} (${oneLine(account.id)}): ${reason}`),
    ...(refused.length > shown.length ? [`    and ${refused.length - shown.length} more`] : []),
    ...(chosen.length === 0 ? ["Nothing was written."] : next(out, first)),
  ];
}

function next(out: string, first: boolean): string[] {
  const steps = [
    ...(relative("", out) === "" ? [] : [`cd ${out}`]),
    ...(first ? ["npm install", "pulumi stack init dev"] : []),
    "pulumi up   # shows what it would do first: it adopts, and writes nothing to the service",
  ];
  return ["", "Next:", ...steps.map((step) => `  ${step}`)];
}
