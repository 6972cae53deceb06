import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "../../engine/support/installed";

const executablePath = join(root, ".tools/chromium");
const results = join(root, ".tools/results");
/** Chromium on its own: it fetches nothing by itself. */
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `describe` where there is a Chromium; where there is none its tests count as skipped. */
export const describeInBrowser = existsSync(executablePath) ? describe : describe.skip;

/** A Chromium with a profile of its own, which is gone when it ends. */
export class Chromium implements AsyncDisposable {
  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath, args }));
  }

  /** A page of somebody who has not been anywhere. */
  async page(): Promise<Page> {
    return (await this.browser.newContext()).newPage();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.browser.close();
  }
}

/** Keeps what a page looks like as an artefact of the test run. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(results, { recursive: true });
  await page.setViewportSize({ width: 800, height: 600 });
  await page.screenshot({ path: join(results, `${name}.png`) });
}
