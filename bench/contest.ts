/**
 * `npm run bench -- contest`: what accounts in challenges add to a tick, through the engine's own entry: none, 10,000 that hold its symbol, and as many that
 * hold another one. Half of the entrants have a static floor, half one that follows each tick. In memory, some seconds; then the reads of the ranking of
 * a contest on an embedded PostgreSQL, a minute.
 */
import { randomUUID } from 'node:crypto';
import {
  asMoney,
  asPercent,
  asPrice,
  asSize,
  beginChallenge,
  type ChallengeStep,
  type MarketView,
  NO_FEE,
  type Price,
  parseDecimal,
} from '@fulcrum/domain';
import type { StoredAccount, WaitingPage } from '../apps/server/src/features/trading/engine/store.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { startEngine } from './armed-engine.ts';
import { ArmedPositionStore, createArmedPosition, restingPrice, symbol } from './armed-positions.ts';
import { benchLog } from './cluster.ts';
import { timedRankReads } from './contest-ranks.ts';
import { machine, verdict } from './figures.ts';

const entrants = 10_000;
const ticks = 20_000;
const warmUp = 2_000;
/** The entrants' p99 above that of none, and of another symbol by none. */
const aimMs = 1;
const aimRatio = 1.5;
/** Of a rank read, p95. */
const aimReadMs = 50;

const percent = (text: string) => asPercent(parseDecimal(text));
const initial = asMoney(parseDecimal('10000'));

function entrant(n: number, held: string): StoredAccount {
  const accountId = randomUUID();
  const mode = n % 4 < 2 ? 'static' : 'trailing_intraday';
  const step: ChallengeStep = {
    ...{ targetPct: percent('1000'), dailyLoss: null, consistencyPct: null, daysMin: 0, daysMax: null },
    maxLoss: { pct: percent('50'), mode, lockPct: null },
  };
  // No tick brings it near a limit.
  const position = { ...createArmedPosition(n, accountId), symbol: held, size: asSize(parseDecimal('0.01')) };
  const amounts = { available: asMoney(initial - position.margin), margin: position.margin };
  const challenge = {
    ...{ programId: accountId, step, tradedOn: [], changedAt: 0 },
    state: beginChallenge(step, { initial, at: Date.now(), ends: null }),
  };
  return {
    ...{ ownerId: accountId, isArchived: false, restricted: false },
    ...{ orders: [], positions: [position], trades: [] },
    terms: {
      ...{ rules: 'standard', feeRate: NO_FEE, leverageMax: 100, fillProfile: 'exact' },
      limits: {
        ...{ setBy: 'challenge', symbols: null, positionsMax: null, opensFrom: null, opensUntil: null },
        challenge,
      },
    },
    wallet: { id: randomUUID(), accountId, ...amounts, orderMargin: asMoney(0n), version: 1 },
    leverages: new Map(),
  };
}

class EntrantStore extends ArmedPositionStore {
  readonly #held: string | null;
  constructor(held: string | null) {
    super(0, []);
    this.#held = held;
  }
  override async readWaiting(): Promise<WaitingPage> {
    const held = this.#held;
    const challenges = held === null ? [] : Array.from({ length: entrants }, (_, n) => entrant(n, held));
    return { positions: [], orders: [], apart: new Set(), challenges, next: null };
  }
  /** Peaks are written beside the ticks, and not measured. */
  override async writeChallenges(): Promise<void> {}
}

/** Every second tick is the highest so far: a peak for half of those who gain by it. */
const priceOf = (tick: number): Price =>
  asPrice(parseDecimal((restingPrice + tick / 100 + (tick % 2) * 5).toFixed(2)));

/** Milliseconds of each tick, the least first. */
async function timed(held: string | null): Promise<Float64Array> {
  let price = priceOf(0);
  const market: MarketView = {
    pair: () => undefined,
    quote: () => ({ price, stale: false, held: false, marketOpen: true }),
  };
  const engine = await startEngine(new EntrantStore(held), createBus(benchLog), () => market);
  const took = new Float64Array(ticks);
  for (let tick = -warmUp; tick < ticks; tick += 1) {
    price = priceOf(tick + warmUp);
    const from = performance.now();
    engine.tick(symbol);
    if (tick >= 0) took[tick] = performance.now() - from;
  }
  if (engine.state().queued > 0) throw new Error('a tick decided something: something else was measured');
  await engine.stop();
  return took.sort();
}

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

export async function benchContest(): Promise<void> {
  console.log(`${machine}; ${ticks} ticks each\n`);
  const runs = [
    ['no entrants', await timed(null)],
    [`${entrants} hold another symbol`, await timed('ETHUSDT')],
    [`${entrants} hold the symbol`, await timed(symbol)],
  ] as const;
  console.log('ms for a tick that decides nothing');
  for (const [name, took] of runs)
    console.log(
      `${name.padEnd(28)} p50 ${at(took, 0.5).toFixed(4)}   p99 ${at(took, 0.99).toFixed(4)}   most ${at(took, 1 - 1 / ticks).toFixed(4)}`,
    );
  const [none, other, holding] = runs.map(([, took]) => took) as [Float64Array, Float64Array, Float64Array];
  const more = at(holding, 0.99) - at(none, 0.99);
  const ratio = at(other, 0.5) / at(none, 0.5);

  console.log(`\naim: p99 at most ${aimMs} ms above none: ${more.toFixed(3)} ms, ${verdict(more <= aimMs)}`);
  console.log(
    `aim: nothing for a symbol without entrants, p50 at most ${aimRatio} of none: ${ratio.toFixed(2)}, ${verdict(ratio <= aimRatio)}`,
  );
  const reads = await timedRankReads(entrants);
  const p95 = at(reads, 0.95);
  console.log(
    `\nms for a read of the live ranking of ${entrants}, ${reads.length} reads: p50 ${at(reads, 0.5).toFixed(1)}   p95 ${p95.toFixed(1)}   p99 ${at(reads, 0.99).toFixed(1)}`,
  );
  console.log(`aim: p95 at most ${aimReadMs} ms: ${p95.toFixed(1)} ms, ${verdict(p95 <= aimReadMs)}`);
}
