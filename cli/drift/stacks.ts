import { type EngineEvent, LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { oneLine } from "../../provider/errors";
import { messageOf } from "../text";
import { type Row, rowsOf } from "./rows";

/** What a check of one stack found. */
export interface StackReport {
  stack: string;
  rows: Row[];
  /** Why the stack, or a part of it, could not be checked. */
  failure: string | undefined;
}

/** @throws Error in one line when there is no engine. */
export async function openProject(workDir: string): Promise<LocalWorkspace> {
  try {
    const workspace = await LocalWorkspace.create({ workDir, envVars: { PULUMI_SKIP_UPDATE_CHECK: "true" } });
    // Selecting a stack would change which one the person's own commands act on; every command names its stack.
    workspace.selectStack = () => Promise.resolve();
    return workspace;
  } catch (error) {
    throw new Error(`could not start pulumi: ${said(error)}. Is it installed, and on the PATH?`, { cause: error });
  }
}

/** The names of the project's stacks. @throws Error in one line */
export async function stacksOf(workspace: LocalWorkspace): Promise<string[]> {
  try {
    return (await workspace.listStacks()).map(({ name }) => name);
  } catch (error) {
    throw new Error(`could not list the stacks in ${workspace.workDir}: ${said(error)}`, { cause: error });
  }
}

/** Compares a stack's state with what exists. Writes neither: the engine only previews its refresh. */
export async function checkStack(workspace: LocalWorkspace, name: string): Promise<StackReport> {
  const rows: Row[] = [];
  const errors: string[] = [];
  const onEvent = (event: EngineEvent) => {
    rows.push(...rowsOf(event));
    const { severity, message } = event.diagnosticEvent ?? {};
    if (severity === "error" && message !== undefined) errors.push(readable(message));
  };
  try {
    const stack = await Stack.select(name, workspace);
    // Without the program the engine would use the settings of the last update, with a token that has expired since.
    await stack.previewRefresh({ onEvent, color: "never", runProgram: true });
    return { stack: name, rows: sorted(rows), failure: undefined };
  } catch (error) {
    const [first = said(error), ...others] = new Set(errors);
    const failure = others.length === 0 ? first : `${first} (and ${others.length} more)`;
    return { stack: name, rows: sorted(rows), failure };
  }
}

/** The engine tells of resources in the order in which their reads end. */
function sorted(rows: readonly Row[]): Row[] {
  const key = ({ resource, type, property = "" }: Row) => JSON.stringify([resource, type, property]);
  return [...rows].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** Without the engine's marks of colour, and what it puts in front of an error of a provider. */
function readable(message: string): string {
  return oneLine(message.replace(/<\{%.*?%\}>/g, "").replace(/^Preview failed: /, ""));
}

/** Of everything a command printed, the lines that say what was wrong. */
function said(error: unknown): string {
  const text = messageOf(error);
  const lines = text.split("\n").map((line) => /^\s*(?:err\?:|stderr:)?\s*error: (.*)/.exec(line)?.[1]);
  const errors = new Set(lines.filter((line) => line !== undefined));
  return oneLine(errors.size > 0 ? [...errors].join("; ") : text, 300);
}
