/**
 * The simulator for as long as one likes: `npm run soak -- --minutes N [--seed S]`. Every scenario is new; the first seed is
 * drawn from the clock unless it is given. Prints what ran once a minute; at the first disagreement the seed and the
 * shortened list of steps, and ends with 1. A seed runs with one engine, with several accounts, with net positions, and with several
 * engines; `--seed S --minutes 0` runs that one.
 *
 * `npm run soak -- --cluster --minutes N [--seed S] [--traders T] [--bots B] [--staff A] [--sockets K]
 * [--think MS]` has a cluster of real processes trade while its parts die (`long/cluster.long.test.ts`); each client waits about MS between requests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { minuteMs } from '@fulcrum/domain';
import { accountsScenarioOf, lanesScenarioOf, netScenarioOf } from './simulation/scenario-variants.ts';
import { nothingRan, type Ran, runSeed } from './simulation/seeds.ts';

const seedsMax = 2 ** 31;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function numberOf(text: string, name: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new RangeError(`--${name} is a number from 0 up: ${text}`);
}

function summaryOf(
  { scenarios, settled, crossings, failures, engines, moves }: Ran,
  first: number,
  next: number,
): string {
  return (
    `seeds ${first} to ${next - 1}: ${scenarios} scenarios, ${settled} decisions audited, ${crossings} of them crossings, ` +
    `${failures} failures of the store, ${engines} engines, ${moves} hand-overs`
  );
}

async function soak(minutes: number, first: number): Promise<void> {
  const ran = nothingRan();
  const end = performance.now() + minutes * minuteMs;
  let reportAt = performance.now() + minuteMs;
  let seed = first;
  do {
    await runSeed(seed, ran);
    await runSeed(seed, ran, accountsScenarioOf);
    await runSeed(seed, ran, netScenarioOf);
    await runSeed(seed, ran, lanesScenarioOf);
    seed += 1;
    if (performance.now() < reportAt) continue;
    reportAt += minuteMs;
    print(summaryOf(ran, first, seed));
  } while (performance.now() < end);
  print(summaryOf(ran, first, seed));
}

const clusterTest = fileURLToPath(new URL('long/cluster.long.test.ts', import.meta.url));

/** Resolves with vitest's exit code. */
async function soakCluster(settings: Readonly<Record<string, string | undefined>>): Promise<number> {
  const given = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(numberOf(value, name))] as const],
  );
  const child = spawn('vitest', ['run', '--project=system', clusterTest], {
    env: { ...process.env, ...Object.fromEntries(given), TEST_VOLUME: 'long', CI: '1' },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    traders: { type: 'string' },
    bots: { type: 'string' },
    staff: { type: 'string' },
    sockets: { type: 'string' },
    think: { type: 'string' },
  },
});
try {
  if (values.cluster) {
    process.exitCode = await soakCluster({
      SOAK_MINUTES: values.minutes,
      KILL_SEED: values.seed,
      SOAK_TRADERS: values.traders,
      SOAK_BOTS: values.bots,
      SOAK_STAFF: values.staff,
      SOAK_SOCKETS: values.sockets,
      SOAK_THINK_MS: values.think,
    });
  } else {
    const first = values.seed === undefined ? Date.now() % seedsMax : numberOf(values.seed, 'seed');
    await soak(numberOf(values.minutes, 'minutes'), first);
  }
} catch (error) {
  print((error as Error).message);
  process.exitCode = 1;
}
