import { SingleBar } from "cli-progress";
import { type Command, Option } from "commander";
import pLimit from "p-limit";
import { asJson, asMarkdown, asText } from "./drift/report";

interface Choices {
  stack?: string[];
  cwd: string;
  json?: true;
  markdown?: true;
}

// Each is an engine with a provider of its own: some 300 MB.
const atOnce = 4;

/** `pulumi-reseller drift`: one table over environments of what was changed behind Pulumi's back. */
export function addDrift(program: Command): void {
  program
    .command("drift")
    .description(
      "Compare stacks with what exists, and show what was changed elsewhere. Writes neither to the service nor to the " +
        "state. Exit code: 0 no drift, 2 drift, 1 a stack could not be checked.",
    )
    .option(
      "--stack <name>",
      "stack to check; may be repeated. Default: every stack of the project",
      (name: string, others?: string[]) => [...(others ?? []), name],
    )
    .option("--cwd <folder>", "folder of the project", ".")
    .addOption(new Option("--json", "print JSON").conflicts("markdown"))
    .option("--markdown", "print Markdown, for the summary of a job")
    .action(drift);
}

async function drift({ stack, cwd, json, markdown }: Choices): Promise<void> {
  // Loaded here: it takes longer than any other command as a whole.
  const { checkStack, openProject, stacksOf } = await import("./drift/stacks.js");
  const workspace = await openProject(cwd);
  const stacks = [...new Set(stack ?? (await stacksOf(workspace)))];
  if (stacks.length === 0) {
    throw new Error(
      `the project in ${cwd} has no stacks in this backend. Make one with pulumi stack init, or log in to the backend that has them.`,
    );
  }
  const bar = new SingleBar({ format: "Checking stacks {bar} {value}/{total}", clearOnComplete: true });
  bar.start(stacks.length, 0);
  const limit = pLimit(atOnce);
  const checks = stacks.map((name) =>
    limit(async () => {
      const report = await checkStack(workspace, name);
      bar.increment();
      return report;
    }),
  );
  const reports = await Promise.all(checks).finally(() => {
    bar.stop();
  });
  const print = json ? asJson : markdown ? asMarkdown : asText;
  process.stdout.write(`${print(reports)}\n`);
  if (reports.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
  else if (reports.some(({ rows }) => rows.length > 0)) process.exitCode = 2;
}
