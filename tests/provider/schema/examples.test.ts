import { join } from "node:path";
import schema from "../../../schema.json";
import { exampleFiles, readExamples, withExample } from "../../../provider/schema/examples";

const examples = readExamples(join(__dirname, "../../../docs/examples"));
const described: Record<string, { description: string }> = { ...schema.resources, ...schema.functions };

describe("the examples", () => {
  it("are there for every resource", () => {
    const resources = Object.keys(schema.resources).map((token) => token.replace("reseller:index:", ""));
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(resources));
  });

  it.each(Object.keys(examples))("of %s are in its description, in every language", (name) => {
    for (const language of Object.keys(exampleFiles)) {
      const text = examples[name]?.[language] ?? "";
      expect(text).not.toBe("");
      expect(described[`reseller:index:${name}`]?.description).toContain(`\`\`\`${language}\n${text}\`\`\`\n`);
    }
  });

  it("leave a description without one as it is", () => {
    expect(withExample("Reads one invoice.", undefined)).toBe("Reads one invoice.");
  });
});
