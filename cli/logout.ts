import type { Command } from "commander";
import { tokenStore } from "../provider/service";
import { addChoice, type Choice, label } from "./sign-ins";

/** `pulumi-reseller logout`: forgets sign-ins on this machine. */
export function addLogout(program: Command): void {
  addChoice(program.command("logout"))
    .description("Forget the sign-in of a profile on this machine.")
    .option("--all", "forget every sign-in, whatever its profile", false)
    .addHelpText(
      "after",
      "\nThe service offers no way to end a refresh token from here. If one has leaked, ask its support to revoke it.",
    )
    .action(async ({ all, ...choice }: Choice & { all: boolean }) => {
      const store = tokenStore();
      const keys = store.find(all ? {} : choice);
      if (keys.length > 0) {
        await store.exclusively("forget the sign-in", (transaction) => {
          for (const key of keys) transaction.remove(key);
          return Promise.resolve();
        });
        store.forgetJournal();
      }
      const lines = keys.map((key) => `Forgotten: ${label(key)}.`);
      process.stdout.write(`${lines.join("\n") || "Nobody was signed in."}\n`);
    });
}
