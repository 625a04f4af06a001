/**
 * `npm run bench -- lighthouse`: Lighthouse scores of the public pages, from the real server with the built app: its mobile
 * preset (a slow phone on a slow network, simulated), three runs of each page, the median of each category beside its limit.
 * Loopback only; about two minutes on a quiet machine.
 *
 * Known limitation: performance is derived from this machine's processor time, so other work lowers the score.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import lighthouse from 'lighthouse';
import { freePort } from '../apps/server/test/harness/free-port.ts';
import { launchBrowser } from './browser.ts';
import { messageOf, start } from './children.ts';
import { startCluster } from './cluster.ts';
import type { ServerCommand, ServerJob, ServerReady } from './server.ts';

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

const medianOf = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

async function judge(url: string, port: number): Promise<boolean> {
  let isMet = true;
  console.log(`${''.padEnd(10)}${categories.map((name) => name.padStart(columnWidth)).join('')}`);
  for (const path of paths) {
    const judged: Scores[] = [];
    for (let run = 0; run < runs; run += 1) judged.push(await scoresOf(`${url}${path}`, port));
    const cells = categories.map((name) => {
      const figures = judged.map((scores) => scores[name]);
      const median = medianOf(figures);
      isMet &&= median >= limit;
      return `${median} (${figures.join(' ')})`.padStart(columnWidth);
    });
    console.log(`${path.padEnd(10)}${cells.join('')}`);
  }
  console.log(`\nmedian of ${runs} runs; limit: ${limit} in each: ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}

export async function benchLighthouse(): Promise<void> {
  if (!existsSync(webRoot)) throw new Error('the web app is not built: npm run build');
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}\n`,
  );
  const cluster = await startCluster();
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-bench-server-'));
  const server = start('./server.ts');
  try {
    const databaseUrl = await cluster.createDatabase('lighthouse');
    server.send({ databaseUrl, dataDir, traders: 1 } satisfies ServerJob);
    const { url } = await messageOf<ServerReady>(server);
    const port = await freePort();
    const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
    try {
      if (!(await judge(url, port))) process.exitCode = 1;
    } finally {
      await browser.close();
    }
    const exited = once(server, 'exit');
    server.send('stop' satisfies ServerCommand);
    await exited;
  } finally {
    if (server.exitCode === null) server.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    await cluster.stop();
  }
}
