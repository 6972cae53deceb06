// Puts a link to a Chromium or Chrome at .tools/chromium, for the tests that sign in with a browser.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installDebianPackage } from "./debian-package.mjs";
import { isExecutable, putSymlink } from "./engine/files.mjs";
import { findIn, pathFolders } from "./engine/on-path.mjs";
import { root } from "./engine/paths.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const link = join(root, ".tools", "chromium");
const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

function browser() {
  const folders = [...pathFolders(), "/usr/bin"];
  return names.map((name) => findIn(folders, name)).find(Boolean) ?? [mac].find(isExecutable);
}

let reason;
if (!browser()) reason = installDebianPackage("chromium");
const found = browser();
if (found) {
  putSymlink(link, found);
  console.log(`chromium: ${found} ready for the tests`);
} else {
  // A link to what is no longer there would make the tests fail instead of being skipped.
  if (!existsSync(link)) rmSync(link, { force: true });
  console.log(`chromium: none here, so the tests with a browser are skipped (${reason ?? "the package brought none"})`);
}
