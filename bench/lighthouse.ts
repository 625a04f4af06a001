/**
 * `npm run bench -- lighthouse`: Lighthouse scores of the public pages, from the real server with the built app: its mobile
 * preset (a slow phone on a slow network, simulated), three runs of each page, the median of each category beside its limit.
 * Loopback only; about two minutes on a quiet machine.
 *
 * Known limitation: performance is derived from this machine's processor time, so other work lowers the score.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import lighthouse from 'lighthouse';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { launchBrowser } from './browser.ts';
import { ask, stop } from './children.ts';
import type { Endpoint } from './endpoint.ts';
import { machine, quantile, verdict } from './figures.ts';
import { withRig } from './rig.ts';
import type { ServerJob } from './server.ts';

const paths = ['/', '/login'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const runs = 3;
const limit = 95;
const columnWidth = 20;
const webRoot = fileURLToPath(new URL('../apps/web/dist/index.html', import.meta.url));

type Scores = Readonly<Record<(typeof categories)[number], number>>;

/** Of one run, 0 to 100. @throws Error when the page could not be judged */
async function scoresOf(url: string, port: number): Promise<Scores> {
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...categories] });
  const judged = result?.lhr;
  if (!judged || judged.runtimeError) {
    throw new Error(`${url} was not judged: ${judged?.runtimeError?.message ?? 'no result'}`);
  }
  const scoreOf = (name: string): number => {
    const score = judged.categories[name]?.score;
    if (score == null) throw new Error(`${url} has no score for ${name}`);
    return Math.round(score * 100);
  };
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
    seo: scoreOf('seo'),
  };
}

async function judge(url: string, port: number): Promise<boolean> {
  let isMet = true;
  console.log(`${''.padEnd(10)}${categories.map((name) => name.padStart(columnWidth)).join('')}`);
  for (const path of paths) {
    const judged: Scores[] = [];
    for (let run = 0; run < runs; run += 1) judged.push(await scoresOf(`${url}${path}`, port));
    const cells = categories.map((name) => {
      const figures = judged.map((scores) => scores[name]);
      const median = quantile(figures, 0.5);
      isMet &&= median >= limit;
      return `${median} (${figures.join(' ')})`.padStart(columnWidth);
    });
    console.log(`${path.padEnd(10)}${cells.join('')}`);
  }
  console.log(`\nmedian of ${runs} runs; limit: ${limit} in each: ${verdict(isMet)}`);
  return isMet;
}

export async function benchLighthouse(): Promise<void> {
  if (!existsSync(webRoot)) throw new Error('the web app is not built: npm run build');
  console.log(`${machine}\n`);
  await withRig(async ({ cluster, dataDir, begin }) => {
    const server = begin('./server.ts');
    const databaseUrl = await cluster.createDatabase('lighthouse');
    const { url } = await ask<Endpoint>(server, { databaseUrl, dataDir, traders: 1 } satisfies ServerJob);
    const port = await freePort();
    const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
    try {
      if (!(await judge(url, port))) process.exitCode = 1;
    } finally {
      await browser.close();
    }
    await stop(server);
  });
}
