/** The lines of a `--diff` that show a change of a property, blanks reduced to one. */
export function changesIn(output: string): string[] {
  const lines = output.split("\n").map((line) =>
    line
      .trim()
      .replace(/\s+/g, " ")
      .replace(/^(. \w+): /, "$1 : "),
  );
  return lines.filter((line) => /^[~+-] \w+ : /.test(line));
}
