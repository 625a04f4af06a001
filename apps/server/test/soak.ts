/**
 * The simulator for as long as one likes: `npm run soak -- --minutes N [--seed S]`. Every scenario is new; the first seed is
 * drawn from the clock unless it is given. Prints what ran once a minute; at the first disagreement the seed and the
 * shortened list of steps, and ends with 1. A seed runs with one engine, with several accounts, with net positions, and with several
 * engines; `--seed S --minutes 0` runs that one.
 */
import { parseArgs } from 'node:util';
import { minuteMs } from '@fulcrum/domain';
import { accountsScenarioOf, lanesScenarioOf, netScenarioOf } from './simulation/scenario.ts';
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

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
try {
  const first = values.seed === undefined ? Date.now() % seedsMax : numberOf(values.seed, 'seed');
  await soak(numberOf(values.minutes, 'minutes'), first);
} catch (error) {
  print((error as Error).message);
  process.exitCode = 1;
}
