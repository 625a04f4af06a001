/**
 * `npm run bench -- ticks`: the cost of a tick that crosses nothing, by the number of armed triggers: through the market's hub
 * and the engine's own entry, through the index alone, and beside a sweep over a flat array without an index.
 * Then the cost of a crossing, and the memory of a million triggers. All of them are on one symbol, which is the worst case
 * of the sweep and no easier for the index. In memory only, a million triggers at most, about a minute.
 */
import { randomUUID } from 'node:crypto';
import { triggersOf } from '@fulcrum/domain';
import { catalogue } from '../apps/server/src/features/market/catalogue/index.ts';
import { createHub } from '../apps/server/src/features/market/hub.ts';
import type { Trigger } from '../apps/server/src/features/trading/triggers/trigger-index.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { createArmedEngine } from './armed-engine.ts';
import {
  createArmedIndex,
  createArmedPosition,
  restingPrice,
  symbol,
  triggersPerPosition,
} from './armed-positions.ts';
import { messageOf, start } from './children.ts';
import { benchLog } from './cluster.ts';
import { machine, verdict } from './figures.ts';
import type { WeightReport } from './trigger-weight.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const rounds = 12;
/** Ticks of one round; of the sweep as many as compare this many triggers. */
const ticksPerRound = 50_000;
const sweptPerRound = 20_000_000;
const crossed = 10_000;
const crossedAtOnce = 1_000;
const aimRatio = 2;
const aimBytes = 250e6;

/** Prices of neighbouring ticks differ, all within 0.5 % of the resting price. */
const priceOf = (tick: number): bigint => BigInt((restingPrice * 100 + ((tick * 7919) % 30_000)) * 1_000_000);

/** One way of looking at a tick. @returns how many of the triggers fire, which is none. */
type CountFired = (price: bigint, tick: number) => number;

interface Contender {
  readonly counters: { readonly [way in Strategy]: CountFired };
}
const strategies = ['hub and engine', 'Engine.tick', 'the index alone', 'a sweep'] as const;
type Strategy = (typeof strategies)[number];

/** Prices only, in two flat arrays: the least that a sweep can read. */
function sweepOf(triggers: number): CountFired {
  const rising: number[] = [];
  const falling: number[] = [];
  const userId = randomUUID();
  for (let n = 0; n < triggers / triggersPerPosition; n += 1) {
    for (const { when, price } of triggersOf(createArmedPosition(n, userId))) {
      (when === 'rises' ? rising : falling).push(Number(price));
    }
  }
  const [rises, falls] = [Float64Array.from(rising), Float64Array.from(falling)];
  return (price) => {
    const at = Number(price);
    let fired = 0;
    for (let i = 0; i < rises.length; i += 1) if (at >= (rises[i] ?? 0)) fired += 1;
    for (let i = 0; i < falls.length; i += 1) if (at <= (falls[i] ?? 0)) fired += 1;
    return fired;
  };
}

async function contender(triggers: number): Promise<Contender> {
  const bus = createBus(benchLog);
  const clock = systemClock;
  const hub = createHub({
    pairs: catalogue,
    config: { sessions: '24x7', staleAfterS: null },
    clock,
    bus,
    log: benchLog,
  });
  const publishTick = (price: bigint): void =>
    hub.take({ symbol, source: 'simulated', price: Number(price) / 1e8, marketTime: Date.now() });
  publishTick(priceOf(0));
  const engine = await createArmedEngine(hub, bus, triggers);
  let isListening = false;
  bus.subscribe('market.tick', (tick) => {
    if (isListening) engine.tick(tick.symbol);
  });
  const index = createArmedIndex(triggers);
  const queued = (): number => engine.state().queued;
  return {
    counters: {
      'hub and engine': (price) => {
        isListening = true;
        publishTick(price);
        isListening = false;
        return queued();
      },
      'Engine.tick': () => {
        engine.tick(symbol);
        return queued();
      },
      'the index alone': (price) => (index.isCrossed(symbol, price) ? 1 : 0),
      'a sweep': sweepOf(triggers),
    },
  };
}

/** Nanoseconds per tick. @throws Error when one crossed something: then something else was measured. */
function timed(countFired: CountFired, ticks: number): number {
  const prices = Array.from({ length: Math.min(ticks, 1_000) }, (_, tick) => priceOf(tick));
  let fired = 0;
  const from = performance.now();
  for (let tick = 0; tick < ticks; tick += 1) fired += countFired(prices[tick % prices.length] ?? 0n, tick);
  const tookMs = performance.now() - from;
  if (fired > 0) throw new Error(`${fired} triggers fired`);
  return (tookMs / ticks) * 1e6;
}

const cells = (first: string, others: readonly string[]): string =>
  `${first.padStart(16)} ${others.map((cell) => cell.padStart(16)).join(' ')}`;
const count = (n: number): string => n.toLocaleString('en-US');

/** The least of all rounds: what else runs on the machine can only add to one. */
async function benchQuietTicks(): Promise<boolean> {
  const contenders = await Promise.all(sizes.map(contender));
  const least = contenders.map(() => new Map<Strategy, number>());
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, { counters }] of contenders.entries()) {
      for (const strategy of strategies) {
        const ticks = strategy === 'a sweep' ? Math.ceil(sweptPerRound / (sizes[i] ?? 1)) : ticksPerRound;
        const ns = timed(counters[strategy], ticks);
        const known = least[i];
        known?.set(strategy, Math.min(known.get(strategy) ?? Infinity, ns));
      }
    }
  }
  console.log('ns for a tick that crosses nothing, least of the rounds');
  console.log(cells('armed triggers', strategies));
  for (const [i, triggers] of sizes.entries()) {
    console.log(
      cells(
        count(triggers),
        strategies.map((strategy) => count(Math.round(least[i]?.get(strategy) ?? Number.NaN))),
      ),
    );
  }
  const ratioOf = (strategy: Strategy): number =>
    (least.at(-1)?.get(strategy) ?? Number.NaN) / (least[0]?.get(strategy) ?? Number.NaN);
  console.log(
    cells(
      '1M / 1k',
      strategies.map((strategy) => ratioOf(strategy).toFixed(2)),
    ),
  );
  const ratio = ratioOf('Engine.tick');
  console.log(`\naim: 1M / 1k at most ${aimRatio} through the engine's tick: ${verdict(ratio <= aimRatio)}`);
  return ratio <= aimRatio;
}

/** Takes the nearest ones from below, as a price that falls further and further, and arms them again. */
function benchCrossings(): void {
  console.log('\nns for each of the triggers that a tick crosses, and to arm one again');
  console.log(cells('armed triggers', ['taking', 'arming']));
  for (const triggers of sizes.slice(1)) {
    const index = createArmedIndex(triggers);
    const low = priceOf(0) / 2n;
    const target = Math.min(crossed, triggers / 10);
    let [takingMs, armingMs] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round += 1) {
      const taken: Trigger[] = [];
      const from = performance.now();
      while (taken.length < target) taken.push(...index.take(symbol, low, Math.min(crossedAtOnce, target)));
      const between = performance.now();
      for (const trigger of taken) index.arm(trigger);
      takingMs = Math.min(takingMs, (between - from) / taken.length);
      armingMs = Math.min(armingMs, (performance.now() - between) / taken.length);
    }
    console.log(
      cells(
        count(triggers),
        [takingMs, armingMs].map((ms) => count(Math.round(ms * 1e6))),
      ),
    );
  }
}

async function benchWeight(): Promise<void> {
  const child = start('./trigger-weight.ts', ['--expose-gc']);
  const { triggers, residentBytes, heapBytes, positions, positionBytes } =
    await messageOf<WeightReport>(child);
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `\n${count(triggers)} armed triggers: ${mb(heapBytes)} of heap and buffers, ${mb(residentBytes)} resident, ${(heapBytes / triggers).toFixed(0)} bytes each`,
  );
  console.log(
    `${count(positions)} open positions in the engine's memory: ${(positionBytes / positions).toFixed(0)} bytes each`,
  );
  console.log(
    `aim: 1M armed triggers in at most ${mb(aimBytes)}: ${verdict(Math.max(residentBytes, heapBytes) <= aimBytes)}`,
  );
}

export async function benchTicks(): Promise<void> {
  console.log(`${machine}; ${rounds} rounds\n`);
  await benchQuietTicks();
  benchCrossings();
  await benchWeight();
}
