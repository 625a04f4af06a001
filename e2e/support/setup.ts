/** Once before all journeys: the browser's path, and a data folder that the workers' servers copy. */
import { findChromium } from '../harness/chromium.ts';
import { prepareDataDir } from '../harness/fulcrum.ts';

export default async function setup(): Promise<() => void> {
  process.env.FULCRUM_CHROMIUM = await findChromium();
  return prepareDataDir();
}
