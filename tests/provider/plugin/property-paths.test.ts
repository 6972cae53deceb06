import { withIgnored } from "../../../provider/plugin/property-paths";

const olds = { name: "Old", description: "Old", profile: { host: "old", key: "old" } };
const news = { name: "New", timezone: "Europe/Paris", profile: { host: "new", key: "new" } };

describe("ignoreChanges", () => {
  it.each([
    ["name", { ...news, name: "Old" }],
    ["timezone", { name: "New", profile: news.profile }],
    ["description", { ...news, description: "Old" }],
    ["profile", { ...news, profile: olds.profile }],
    ["profile.host", { ...news, profile: { host: "old", key: "new" } }],
    ['profile["host"]', { ...news, profile: { host: "old", key: "new" } }],
    ['["profile"].host', { ...news, profile: { host: "old", key: "new" } }],
    ["profile.*", { ...news, profile: olds.profile }],
    ["*", olds],
    ["nothing.here", news],
  ])("%s keeps what is in state", (path, expected) => {
    expect(withIgnored(news, olds, [path])).toEqual(expected);
    expect(news.profile.host).toBe("new");
  });
});
