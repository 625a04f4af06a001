/**
 * Computes the whole past of every market in the background, so that long charts find their days stored. Requested markets
 * come first, the newest days of each first, a few milliseconds at a time, less often while no client is connected.
 * Invariant: it ends when all days are stored that were over when the run reached their market.
 */
import { AppError } from '@fulcrum/contract';
import { barStart, dayMs } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { TimeSlicer } from '../../time-slicer.ts';
import { type ChartMarket, computeDay, firstBar } from './bars.ts';
import type { CachedDay, DayCache } from './day-cache.ts';

const beginAfterMs = 60_000;
const sliceMs = 2.5;
/** With what it leaves to the garbage collector, a slice costs three times its own time. */
const sliceEveryMs = { attended: 100, other: 3_000 } as const;
const daysPerWrite = 500;

interface DayBackfillOptions {
  readonly markets: readonly ChartMarket[];
  /** Symbols that clients requested, in any order. */
  readonly requested: ReadonlySet<string>;
  readonly dayCache: DayCache;
  readonly timeSlicer: TimeSlicer;
  readonly timers: Timers;
  /** Whether a client is connected, which may want a long chart. */
  readonly hasViewers: () => boolean;
}

interface DayBackfill {
  start(): void;
  /** Resolves when none of it is running. */
  stop(): Promise<void>;
}

/** The market whose days are being computed. */
interface BackfillJob {
  readonly market: ChartMarket;
  /** Names of days, the newest last. */
  readonly missing: number[];
  computed: CachedDay[];
}

export function createDayBackfill(options: DayBackfillOptions): DayBackfill {
  const { markets, requested, dayCache, timeSlicer, timers, hasViewers } = options;
  const waiting = new Map(markets.map((market) => [market.symbol, market]));
  let job: BackfillJob | null = null;
  let runningSlice: Promise<void> | null = null;
  let cancel = (): void => {};

  function beginAfter(ms: number): void {
    cancel = timers.after(ms, scheduleSlice);
  }

  function scheduleSlice(): void {
    cancel = timers.after(hasViewers() ? sliceEveryMs.attended : sliceEveryMs.other, () => {
      runningSlice ??= runSlice().finally(() => {
        runningSlice = null;
      });
      scheduleSlice();
    });
  }

  /** A failed write is retried later; no caller waits for it. */
  function pause(market: ChartMarket): void {
    waiting.set(market.symbol, market);
    job = null;
    cancel();
    beginAfter(beginAfterMs);
  }

  async function next(): Promise<BackfillJob | null> {
    const symbol = [...requested].find((one) => waiting.has(one)) ?? [...waiting.keys()][0];
    const market = symbol === undefined ? undefined : waiting.get(symbol);
    if (!market) return null;
    waiting.delete(market.symbol);
    const { tradingHours, pathOfDay } = market;
    const first = firstBar('1d', tradingHours);
    const last = barStart('1d', timers.now(), tradingHours) - dayMs;
    const known = new Set<number>();
    for (const { day, path } of await dayCache.read(market.symbol, first, last)) {
      if (path === pathOfDay(day)) known.add(day);
    }
    const missing: number[] = [];
    for (let day = first; day <= last; day += dayMs) if (!known.has(day)) missing.push(day);
    return { market, missing, computed: [] };
  }

  function computeSome({ market, missing, computed }: BackfillJob): void {
    const until = performance.now() + sliceMs;
    while (computed.length < daysPerWrite && performance.now() < until) {
      const day = missing.pop();
      if (day === undefined) return;
      const { cacheable } = computeDay(market, day, timers.now());
      if (cacheable) computed.push(cacheable);
    }
  }

  async function runSlice(): Promise<void> {
    job ??= await next();
    const current = job;
    if (!current) {
      cancel();
      return;
    }
    const hasRun = await runInSlice(timeSlicer, () => computeSome(current));
    const isOver = current.missing.length === 0;
    if (!hasRun || (!isOver && current.computed.length < daysPerWrite)) return;
    const { computed, market } = current;
    current.computed = [];
    if (computed.length > 0 && !(await dayCache.store(market.symbol, computed))) pause(market);
    else if (isOver) job = null;
  }

  return {
    start: () => beginAfter(beginAfterMs),
    async stop() {
      cancel();
      await runningSlice;
      // A slice that could not store its days has begun to wait.
      cancel();
    },
  };
}

/** Resolves with whether a time slice was available: none is while too many computations wait. */
async function runInSlice(timeSlicer: TimeSlicer, work: () => void): Promise<boolean> {
  try {
    await timeSlicer.run(async (slice) => {
      await slice.yield();
      work();
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'busy') return false;
    throw error;
  }
}
