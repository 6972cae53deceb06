import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Example programs of one resource or function, by language as a fence of Markdown names it. */
export type Example = Record<string, string>;

/** The file of each language, in the order in which the registry shows them. */
export const exampleFiles = {
  typescript: "index.ts",
  python: "__main__.py",
  csharp: "Program.cs",
  go: "main.go",
  java: "App.java",
  yaml: "Pulumi.yaml",
};

/** Reads the examples, by name of the resource or function. One that lacks a language is an error. */
export function readExamples(folder: string): Record<string, Example> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      Object.fromEntries(
        Object.entries(exampleFiles).map(([language, file]) => [
          language,
          readFileSync(join(folder, name, file), "utf8"),
        ]),
      ),
    ]),
  );
}

/** A description followed by its example, in the form from which each generator takes its own language. */
export function withExample(description: string, example: Example | undefined): string {
  if (!example) return description;
  const programs = Object.entries(example).map(([language, text]) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`);
  const opening = "{{% examples %}}\n## Example Usage\n{{% example %}}\n";
  return [description, "", opening, ...programs, "{{% /example %}}\n{{% /examples %}}\n"].join("\n");
}
