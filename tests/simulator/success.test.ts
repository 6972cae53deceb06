import { startSimulator, type SimulatorOptions } from "../../simulator";
import { accept, accounts, ask, type Answer } from "./client";

async function changes(
  options: SimulatorOptions,
): Promise<{ post: Answer; patch: Answer; remove: Answer; id: string }> {
  await using simulator = await startSimulator(options);
  const post = await ask(simulator, "POST", accounts, { json: { name: "A" }, headers: accept });
  const id = simulator.accounts()[0]?.id ?? "";
  const json = [{ op: "replace", path: "/name", value: "B" }];
  const patch = await ask(simulator, "PATCH", `${accounts}/${id}`, { json });
  const remove = await ask(simulator, "DELETE", `${accounts}/${id}`);
  return { post, patch, remove, id };
}

describe("what a change answers", () => {
  it("is the record in the envelope by default", async () => {
    const { post, patch, remove, id } = await changes({});
    expect([post.status, patch.status, remove.status]).toEqual([201, 200, 204]);
    expect(post.json()).toMatchObject({ status: "success", data: { id, name: "A" } });
    expect(patch.json()).toMatchObject({ status: "success", data: { id, name: "B" } });
  });

  it("is the record alone with bare", async () => {
    const { post, patch, id } = await changes({ successBody: "bare" });
    expect(post.json()).toMatchObject({ id, name: "A" });
    expect(patch.json()).toMatchObject({ id, name: "B" });
    expect(post.json()).not.toHaveProperty("status");
  });

  it("is a Location header and no body with location", async () => {
    const { post, patch, id } = await changes({ successBody: "location" });
    expect([post.status, post.text, post.headers.get("location")]).toEqual([201, "", `${accounts}/${id}`]);
    expect([patch.status, patch.text]).toEqual([200, ""]);
  });

  it("is nothing at all with empty", async () => {
    const { post, patch, remove } = await changes({ successBody: "empty" });
    for (const answer of [post, patch, remove]) {
      expect(answer.text).toBe("");
      expect(answer.headers.get("location")).toBeNull();
      expect(answer.headers.get("content-type")).toBeNull();
    }
  });

  it("has the statuses of the options, and never a body with 204", async () => {
    const { post, patch, remove, id } = await changes({ successStatus: { post: 202, patch: 204, delete: 200 } });
    expect([post.status, patch.status, remove.status]).toEqual([202, 204, 200]);
    expect(patch.text).toBe("");
    expect(remove.json()).toMatchObject({ status: "success", data: { id, enabled: false } });
  });
});
