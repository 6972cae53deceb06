import { literal } from "../text";
import { gone, type Row } from "./rows";
import type { StackReport } from "./stacks";

const head = ["stack", "resource", "property", "in code", "in service"];

/** A table for a terminal. */
export function asText(reports: readonly StackReport[]): string {
  const rows = cells(reports);
  if (rows.length === 0) return lines(reports).join("\n");
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const table = [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return [...table.map((line) => line.trimEnd()), "", ...lines(reports)].join("\n");
}

/** The same for the summary of a job. */
export function asMarkdown(reports: readonly StackReport[]): string {
  const rows = cells(reports).map((row) => row.map(escaped));
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const paragraphs = ["## Drift", ...(rows.length > 0 ? [table.join("\n")] : []), ...lines(reports).map(escaped)];
  return paragraphs.join("\n\n");
}

/** The same for scripts. `gone` in place of a property: the resource does not exist any more. */
export function asJson(reports: readonly StackReport[]): string {
  const stacks = reports.map(({ stack, rows, failure }) => ({
    stack,
    drift: rows.map(({ property, inCode, inService, ...about }) =>
      property === undefined ? { ...about, gone: true } : { ...about, property, inCode, inService },
    ),
    failure,
  }));
  return JSON.stringify({ stacks }, undefined, 2);
}

function cells(reports: readonly StackReport[]): string[][] {
  return reports.flatMap(({ stack, rows }) =>
    rows.map((row) => [stack, `${row.type} ${row.resource}`, row.property ?? "", shown(row.inCode), inService(row)]),
  );
}

function inService({ property, inService }: Row): string {
  return property === undefined ? gone : shown(inService);
}

const longest = 60;

function shown(value: unknown): string {
  if (value === undefined) return "";
  const text = literal(value as object);
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** What was found in total, and what could not be. */
function lines(reports: readonly StackReport[]): string[] {
  const failed = reports.filter(({ failure }) => failure !== undefined);
  const drifted = reports.filter(({ rows }) => rows.length > 0);
  const differences = drifted.reduce((count, { rows }) => count + rows.length, 0);
  const found =
    differences === 0
      ? `No drift in ${plural(reports.length - failed.length, "stack")}.`
      : `${plural(differences, "difference")} in ${drifted.length} of ${plural(reports.length, "stack")}.`;
  return [found, ...failed.map(({ stack, failure }) => `Could not check stack ${stack}: ${failure ?? ""}`)];
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Any ASCII punctuation may be escaped in Markdown, and then means nothing. */
function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
