import { startSimulator } from "../../simulator";
import { changesIn } from "./support/output";
import { Project, settingsOf } from "./support/project";
import { writes } from "./support/requests";

/** What is changed behind Pulumi's back is told by property, and nothing else is. */

jest.setTimeout(480_000);

const account = (name: string) => ({
  name,
  description: `About ${name}`,
  reference: `CRM-${name}`,
  timezone: "Europe/Amsterdam",
  countryCode: "NL",
  acceptCharges: true,
});
const accounts = {
  renamed: account("Renamed"),
  described: account("Described"),
  cleared: account("Cleared"),
  disabled: account("Disabled"),
  rereferenced: account("Rereferenced"),
  removed: account("Removed"),
  flagged: account("Flagged"),
  unseen: account("Unseen"),
  bare: { name: "Bare", acceptCharges: true },
};

test("each change made elsewhere shows on its property, and what the service never returns does not", async () => {
  // Unset texts come as null, and every record brings fields that the service document does not show.
  await using simulator = await startSimulator({ unsetText: "null", extraFields: { tier: "gold", region: null } });
  await using project = await Project.packed(settingsOf(simulator));
  project.declare(accounts);
  await project.up();
  const idOf = (name: string) => simulator.accounts().find((record) => record.name === name)?.id ?? "none";

  await project.succeed("preview", "--refresh", "--expect-no-changes");
  await project.refresh("--expect-no-changes");

  simulator.clearRequests();
  simulator.editAccount(idOf("Described"), { description: "By hand" });
  simulator.editAccount(idOf("Cleared"), { description: null });
  simulator.editAccount(idOf("Disabled"), { enabled: false });
  simulator.editAccount(idOf("Rereferenced"), { reference: "ERP-1" });
  simulator.removeAccount(idOf("Removed"));
  simulator.editAccount(idOf("Flagged"), { enabled: false, flaggedForDeletion: true });
  simulator.editAccount(idOf("Unseen"), { timezone: "Asia/Tokyo", countryCode: "JP" });
  simulator.editAccount(idOf("Bare"), { description: "Not declared" });
  simulator.editAccount(idOf("Renamed"), { name: "By hand" });

  const elsewhere = {
    renamed: ['~ name : "Renamed" => "By hand"'],
    described: ['~ description : "About Described" => "By hand"'],
    cleared: ['- description : "About Cleared"'],
    disabled: ["~ enabled : true => false"],
    rereferenced: ['~ reference : "CRM-Rereferenced" => "ERP-1"'],
    flagged: ["~ enabled : true => false"],
  };
  const back = {
    renamed: ['~ name : "By hand" => "Renamed"'],
    described: ['~ description : "By hand" => "About Described"'],
    cleared: ['+ description : "About Cleared"'],
    disabled: ["~ enabled : false => true"],
    rereferenced: ['~ reference : "ERP-1" => "CRM-Rereferenced"'],
    flagged: ["~ enabled : false => true"],
  };
  const { removed: planned, ...shown } = changesByResource(await project.succeed("preview", "--refresh", "--diff"));
  expect(planned).toContain('- name : "Removed"');
  expect(shown).toEqual(
    Object.fromEntries(
      Object.entries(elsewhere).map(([name, changes]) => [name, [...changes, ...back[name as keyof typeof back]]]),
    ),
  );
  const { removed, ...found } = changesByResource(await project.refresh("--diff"));
  expect(removed).toContain('- name : "Removed"');
  expect(found).toEqual(elsewhere);
  expect(Object.keys(await project.state()).sort()).toEqual(
    Object.keys(accounts)
      .filter((name) => name !== "removed")
      .sort(),
  );
  expect(writes(simulator)).toEqual([]);
});

/** The changes of a `--diff` by the name of the resource. */
function changesByResource(output: string): Record<string, string[]> {
  const changes: Record<string, string[]> = {};
  for (const part of output.split("[urn=").slice(1)) {
    const name = /^\S+::(\w+)\]/.exec(part)?.[1] ?? "";
    const lines = changesIn(part);
    if (lines.length > 0) changes[name] = [...(changes[name] ?? []), ...lines];
  }
  return changes;
}
