import { join } from "node:path";
import type { Project } from "./project";
import { type Run, start } from "./processes";

/** Runs `npx pulumi-reseller` with these arguments in the folder of a project, which has the package installed. */
export function pulumiReseller(project: Project, ...args: string[]): Promise<Run> {
  const command = join(project.folder, "node_modules/.bin/pulumi-reseller");
  return start(command, args, { cwd: project.folder, env: project.env }).ended;
}
