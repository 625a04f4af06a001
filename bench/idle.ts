/**
 * `npm run bench -- idle`: the cost of an idle server: 177 simulated symbols, no listener, no position. Processor
 * time of the server and of its PostgreSQL as shares of a core, before the background begins to store days and while it
 * does. Linux only (/proc). Bounded: two minutes, loopback only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadAverage, machine, verdict } from './figures.ts';
import { withInstalledServer } from './installed-server.ts';

const limitPercent = 1.5;
/** In seconds from the first answer. The background begins a minute after the feed does (`day-fill.ts`). */
const windows = [
  { name: 'nothing in the background', from: 20, to: 55 },
  { name: 'while the background keeps days', from: 65, to: 110 },
] as const;

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

export async function benchIdle(): Promise<void> {
  console.log(machine);
  await withInstalledServer({}, async (server) => {
    const servesSince = performance.now();
    const until = (second: number) => sleep(servesSince + second * 1000 - performance.now());
    for (const { name, from, to } of windows) {
      await until(from);
      const { serverCores, postgresCores } = await server.costOf(() => until(to));
      const isMet = 100 * serverCores <= limitPercent;
      console.log(
        `${name}: server ${percent(serverCores)} of a core, limit ${limitPercent} %: ${verdict(isMet)}; PostgreSQL ${percent(postgresCores)}; ${loadAverage()}`,
      );
    }
  });
}
