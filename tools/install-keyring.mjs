// Makes sure that there is a Secret Service to test with: what a Linux desktop keeps secrets in.
import { installDebianPackage } from "./debian-package.mjs";
import { findIn, pathFolders } from "./engine/on-path.mjs";

const needed = { "gnome-keyring-daemon": "gnome-keyring", "dbus-run-session": "dbus" };

const reasons = Object.entries(needed).flatMap(([program, name]) =>
  findIn(pathFolders(), program) ? [] : (installDebianPackage(name) ?? []),
);
console.log(
  reasons.length === 0
    ? "keyring: gnome-keyring ready for the tests"
    : `keyring: none here, so the tests with one are skipped (${reasons.join("; ")})`,
);
