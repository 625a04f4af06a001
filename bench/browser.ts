/** The browser of a measurement: the headless Chromium of the e2e tests, cut off from the network. */
import { type Browser, chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../e2e/harness/chromium.ts';

export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags, ...flags] });
}
