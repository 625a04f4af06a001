/**
 * Finds a Chromium without system packages: CHROMIUM_PATH, an installed one, or the one of
 * `@sparticuz/chromium` from npm. Unpacked once here, before any test, because its target path is shared.
 */
import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** It runs in containers, and sends no requests of its own to the network. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

/** Path of the browser that the journeys drive; throws when there is none. */
export async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
  const path = given ?? installed.find((candidate) => existsSync(candidate));
  return path ?? (await chromium.executablePath());
}
