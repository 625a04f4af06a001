/**
 * Computes the whole past of every market in the background, so that long charts find their days kept: a market that
 * somebody asked for first, the newest days of each first, a few milliseconds at a time. Invariant: no more than 3 % of a
 * core; it ends when all days are kept that were over when their market's turn came.
 */
import { AppError } from '@fulcrum/contract';
import { barStart, dayMs } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Turns } from '../../turns.ts';
import { type Charted, computeDay, firstBar } from './bars.ts';
import type { KeptDay, KeptDays } from './kept-days.ts';

const beginAfterMs = 60_000;
/** What reading and writing cost beside it makes up the 3 %. */
const sliceMs = 2.5;
const sliceEveryMs = 100;
const daysPerWrite = 500;

export interface DayFillOptions {
  readonly markets: readonly Charted[];
  /** Symbols that somebody asked for, in any order. */
  readonly asked: ReadonlySet<string>;
  readonly keptDays: KeptDays;
  readonly turns: Turns;
  readonly timers: Timers;
}

export interface DayFill {
  start(): void;
  /** Resolves when nothing of it is under way. */
  stop(): Promise<void>;
}

/** The market whose days are being computed. */
interface Filling {
  readonly market: Charted;
  /** Names of days, the newest last. */
  readonly missing: number[];
  computed: KeptDay[];
}

export function createDayFill({ markets, asked, keptDays, turns, timers }: DayFillOptions): DayFill {
  const waiting = new Map(markets.map((market) => [market.symbol, market]));
  let filling: Filling | null = null;
  let slice: Promise<void> | null = null;
  let cancel = (): void => {};

  function beginAfter(ms: number): void {
    cancel = timers.after(ms, () => {
      cancel = timers.every(sliceEveryMs, () => {
        slice ??= fillSome().finally(() => {
          slice = null;
        });
      });
    });
  }

  /** What cannot be kept now is tried again later; nobody waits for it. */
  function pause(market: Charted): void {
    waiting.set(market.symbol, market);
    filling = null;
    cancel();
    beginAfter(beginAfterMs);
  }

  async function next(): Promise<Filling | null> {
    const symbol = [...asked].find((one) => waiting.has(one)) ?? [...waiting.keys()][0];
    const market = symbol === undefined ? undefined : waiting.get(symbol);
    if (!market) return null;
    waiting.delete(market.symbol);
    const { tradingHours, pathOfDay } = market;
    const first = firstBar('1d', tradingHours);
    const last = barStart('1d', timers.now(), tradingHours) - dayMs;
    const known = new Set<number>();
    for (const { day, path } of await keptDays.read(market.symbol, first, last)) {
      if (path === pathOfDay(day)) known.add(day);
    }
    const missing: number[] = [];
    for (let day = first; day <= last; day += dayMs) if (!known.has(day)) missing.push(day);
    return { market, missing, computed: [] };
  }

  function computeSome({ market, missing, computed }: Filling): void {
    const until = performance.now() + sliceMs;
    while (computed.length < daysPerWrite && performance.now() < until) {
      const day = missing.pop();
      if (day === undefined) return;
      const { kept } = computeDay(market, day, timers.now());
      if (kept) computed.push(kept);
    }
  }

  async function fillSome(): Promise<void> {
    filling ??= await next();
    const current = filling;
    if (!current) {
      cancel();
      return;
    }
    const isTurn = await inTurn(turns, () => computeSome(current));
    const isOver = current.missing.length === 0;
    if (!isTurn || (!isOver && current.computed.length < daysPerWrite)) return;
    const { computed, market } = current;
    current.computed = [];
    if (computed.length > 0 && !(await keptDays.keep(market.symbol, computed))) pause(market);
    else if (isOver) filling = null;
  }

  return {
    start: () => beginAfter(beginAfterMs),
    async stop() {
      cancel();
      await slice;
      // A slice that could not keep its days has begun to wait.
      cancel();
    },
  };
}

/** Resolves with whether there was a turn for it: when too many computations wait, there is none. */
async function inTurn(turns: Turns, work: () => void): Promise<boolean> {
  try {
    await turns.run(async (turn) => {
      await turn.keep();
      work();
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'busy') return false;
    throw error;
  }
}
