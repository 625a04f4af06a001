/** The browser of a measurement: the Chromium of the journeys, as it is found there, without a window and off the network. */
import { type Browser, chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../e2e/support/chromium.ts';

export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags, ...flags] });
}
