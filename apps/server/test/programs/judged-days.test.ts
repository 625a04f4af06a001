/**
 * Challenges on recorded and on simulated prices (A112): each verdict is that of the first instant that decides. FULCRUM_RECORDED names a folder of real
 * days in the form of the replay feed; without it a made one is played.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asPrice, dayMs, hourMs, minuteMs, parseDecimal, roundToTick } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { readRecordings } from '../../src/features/market/feeds/replay/recording.ts';
import { createReplayRun } from '../../src/features/market/feeds/replay/run.ts';
import { createSimulatedFeed, modelOfSeed } from '../../src/features/market/feeds/simulated/index.ts';
import { createTestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { recordSwings } from '../long/made-recording.ts';
import {
  type AttemptedStep,
  type DayTick,
  findDifference,
  type JudgedAccount,
  playDay,
  readJudged,
} from './judged-day.ts';

const recorded = process.env.FULCRUM_RECORDED;
const pairs = new Map(catalogue.map((pair) => [pair.symbol, pair]));

const step = (more: Partial<AttemptedStep> = {}): AttemptedStep => ({
  ...{ targetPct: 6, dailyLoss: null, maxLoss: { pct: 4, mode: 'static', lockPct: null } },
  ...{ consistencyPct: null, daysMin: 0, ...more },
});
const daily = (more: Partial<NonNullable<AttemptedStep['dailyLoss']>> = {}) => ({
  ...{ pct: 2, of: 'initial', from: 'balance', countsOpen: true, checked: 'tick', ...more },
});
const steps: readonly AttemptedStep[] = [
  step(),
  step({ targetPct: 1, maxLoss: { pct: 10, mode: 'static', lockPct: null } }),
  step({ targetPct: 2, daysMin: 2 }),
  step({ targetPct: 2, consistencyPct: 60 }),
  step({ dailyLoss: daily() }),
  step({ dailyLoss: daily({ of: 'day', from: 'equity', pct: 1.5 }) }),
  step({ dailyLoss: daily({ countsOpen: false, pct: 1 }) }),
  step({ dailyLoss: daily({ checked: 'day_end', pct: 0.5 }) }),
  step({ maxLoss: { pct: 3, mode: 'trailing_day', lockPct: null } }),
  step({ maxLoss: { pct: 3, mode: 'trailing_intraday', lockPct: null } }),
  step({ maxLoss: { pct: 2, mode: 'trailing_intraday', lockPct: 0 } }),
  step({ maxLoss: { pct: 1.5, mode: 'trailing_intraday', lockPct: 0.2 }, dailyLoss: daily() }),
];

/** So that a short day has a midnight in it. */
const beforeMidnight = Date.UTC(2026, 10, 21, 23);

/** The prices that change, every `stepMs`. */
function* changesOf(
  symbols: readonly string[],
  priceOf: (symbol: string, at: number) => number | null,
  { from, until, stepMs }: { from: number; until: number; stepMs: number },
): Generator<DayTick> {
  const last = new Map<string, bigint>();
  for (let at = from; at < until; at += stepMs) {
    for (const symbol of symbols) {
      const [shown, pair] = [priceOf(symbol, at), pairs.get(symbol)];
      if (shown === null || !pair) continue;
      const price = roundToTick(
        asPrice(parseDecimal(shown.toFixed(8))),
        pair.tickSize,
        'half-away-from-zero',
      );
      if (last.get(symbol) === price) continue;
      last.set(symbol, price);
      yield { at, symbol, price };
    }
  }
}

async function* recordedTicks(folder: string): AsyncGenerator<DayTick> {
  const recordings = await readRecordings(folder, catalogue, testLog);
  const run = createReplayRun(recordings, { loop: false, onJump: 'gap' });
  const prices = new Map<string, number>();
  const begin = run.position();
  for (let played = 0; begin + played < run.end; played += 4_000) {
    const from = prices.size === 0 ? 0 : 4_000;
    for (const { symbol, price } of run.advance(from)) prices.set(symbol, Number(price));
    const at = beforeMidnight + played;
    yield* changesOf([...prices.keys()], (symbol) => prices.get(symbol) ?? null, {
      ...{ from: at, until: at + 1, stepMs: 1 },
    });
  }
}

/** Only where it moved. */
function withoutRepeats(ticks: readonly DayTick[]): DayTick[] {
  const last = new Map<string, bigint>();
  return ticks.filter(({ symbol, price }) => {
    const isNew = last.get(symbol) !== price;
    last.set(symbol, price);
    return isNew;
  });
}

async function judgedOn(ticks: readonly DayTick[], seed: number): Promise<void> {
  const db = await createTestDatabase();
  onTestFinished(() => db.close());
  const day = await playDay(db, { steps, ticks, seed });
  const accounts: JudgedAccount[] = [];
  for (const accountId of day.accountIds) accounts.push(await readJudged(db, accountId));
  for (const account of accounts) expect(findDifference(account, day.ticks)).toBeNull();
  const decided = accounts.filter(({ verdict }) => verdict !== null);
  expect(decided.length).toBeGreaterThan(5);
  expect(new Set(decided.map(({ verdict }) => verdict?.outcome)).size).toBe(2);
  // A verdict of the tick before, or of the one after it, is found.
  for (const account of decided) {
    const { verdict } = account;
    if (!verdict) continue;
    const after = day.ticks.findIndex(({ at }) => at > verdict.at);
    for (const index of [after, after - 2]) {
      const at = day.ticks[index]?.at;
      if (at === undefined || at === verdict.at) continue;
      expect(findDifference({ ...account, verdict: { ...verdict, at } }, day.ticks)).toMatch(/^should be/);
    }
    // And so is one without the tick that decided; a midnight decides without one.
    const without = day.ticks.filter(({ at }) => at !== verdict.at);
    if (without.length < day.ticks.length && verdict.at % dayMs !== 0)
      expect(findDifference(account, without)).toMatch(/^should be/);
    expect(findDifference({ ...account, verdict: null }, day.ticks)).toMatch(/^should be/);
  }
}

test('A112: on a recorded day no earlier tick decided a challenge, and its arithmetic is that of every tick', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-judged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const swings = [
    { symbol: 'BTCUSDT', price: 20_000, share: 0.012, minutes: 37 },
    { symbol: 'ETHUSDT', price: 1_500, share: 0.008, minutes: 23 },
  ];
  recordSwings(folder, swings, 90);
  const ticks: DayTick[] = [];
  for await (const tick of recordedTicks(recorded ?? folder)) ticks.push(tick);
  await judgedOn(withoutRepeats(ticks), 26);
}, 600_000);

test('A112: nor on a simulated one', async () => {
  const shocks = [
    { minute: 17, percent: -1.4 },
    { minute: 41, percent: 1.1 },
    { minute: 66, percent: 0.9 },
  ].map(({ minute, percent }) => ({
    ...{ symbol: 'BTCUSDT', at: beforeMidnight + minute * minuteMs, percent, halfLifeMinutes: 30 },
  }));
  const feed = createSimulatedFeed({
    ...{ model: modelOfSeed('judged'), sessions: null, pairs: catalogue, shocks, scales: new Map() },
    timers: createManualTimers(beforeMidnight),
  });
  const until = beforeMidnight + hourMs + 30 * minuteMs;
  const ticks = [
    ...changesOf(['BTCUSDT', 'DOGEUSDT'], feed.shownPriceAt, { from: beforeMidnight, until, stepMs: 4_000 }),
  ];
  await judgedOn(ticks, 27);
}, 600_000);
