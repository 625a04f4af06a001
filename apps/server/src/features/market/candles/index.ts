/**
 * The only access to bars. Simulated and recorded ones are computed by their feed. Bars of live sources are stored: minutes
 * sampled from the published ticks, rolled up into all longer bars, and replaced by the provider's own as soon as a chart is
 * read. Invariants: a bar agrees with the ticks, the newest one with the newest; ticks wait for no write; a failed write is
 * queued, within a bound, and repeated later; after `stop` nothing is written.
 */
import { AppError, type Candle, type Timeframe, texts } from '@fulcrum/contract';
import { barStart, dayMs, hourMs, minuteMs, type TradingPair } from '@fulcrum/domain';
import { BoundedMap } from '../../../platform/cache/bounded-map.ts';
import type { Services } from '../../../platform/services.ts';
import { type Bar, type CandleQuery, type Feed, toBar } from '../feed.ts';
import { markGaps } from './gaps.ts';
import { createHistory, type Depth } from './history.ts';
import { createSampler, isLiveSource, type Minute } from './sampler.ts';
import { deleteMinutes, type Series, type StoredBar, writeMinutes } from './store.ts';

export type { Depth } from './history.ts';

const writeEveryMs = minuteMs;
/** In one statement; more wait after an outage only. */
const minutesPerWrite = 2_000;
const deleteEveryMs = hourMs;
const deletedPerBatch = 5_000;
/** Per hour; 177 symbols make about 11,000 minutes in that time. */
const deletedBatchesMax = 100;
/** Recently read charts; they are completed after a silence, before the next read. */
const recentMax = 32;
/** Of those, per minute. */
const completedPerMinute = 2;

interface CandlesOptions extends Pick<Services, 'db' | 'timers' | 'log' | 'bus'> {
  readonly feed: Pick<Feed, 'candles' | 'sourceOf'>;
  readonly pairOf: (symbol: string) => TradingPair | undefined;
  /** Days for which one-minute bars are stored. */
  readonly candleDays: number;
}

export interface Candles {
  /**
   * The newest bars that opened before `query.before`, oldest first, the last one unfinished if it reaches now. `depth`
   * bounds those of live sources; left out, `whole`.
   * @throws AppError unknown_symbol, busy; PriceError when a provider does not answer and no bar of the chart is known
   */
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery, depth?: Depth): Promise<Candle[]>;
  /** Begins to sample. To be called before the feed starts. */
  start(): void;
  /** Resolves when everything sampled is written, or could not be. */
  stop(): Promise<void>;
}

interface Chart {
  readonly series: Series;
  readonly query: CandleQuery;
}

export function createCandles({ db, timers, log, bus, feed, pairOf, candleDays }: CandlesOptions): Candles {
  const sampler = createSampler({
    now: timers.now,
    isListed: (symbol) => pairOf(symbol) !== undefined,
    onResumed: (symbol) => {
      for (const [key, chart] of recent) if (chart.series.symbol === symbol) toComplete.set(key, chart);
    },
  });
  const recent = new BoundedMap<string, Chart>(recentMax, (key) => toComplete.delete(key));
  const toComplete = new Map<string, Chart>();
  const cancels: (() => void)[] = [];
  let isStopped = false;
  let isWritingBroken = false;
  let isDeleting = false;
  let writes: Promise<unknown> = Promise.resolve();

  /** Two writes at a time could meet the same bars in different orders and lock each other out. */
  function write<Result>(work: () => Promise<Result>): Promise<Result> {
    const written = writes.then(() => {
      if (isStopped) throw new Error('no bar is written after the stop');
      return work();
    });
    writes = written.catch(() => undefined);
    return written;
  }

  const history = createHistory({
    db,
    feed,
    timers,
    log,
    candleDays,
    contactOf: sampler.contact,
    typeOf: (symbol) => pairOf(symbol)?.type,
    write,
  });

  const tradingHoursOf = (symbol: string) => pairOf(symbol)?.tradingHours;

  let isWriting = false;
  async function writeSampled(which: 'over' | 'all'): Promise<void> {
    if (isWriting && which === 'over') return;
    isWriting = true;
    try {
      for (;;) {
        const written = await write(async () => {
          const minutes = sampler.due(which, minutesPerWrite);
          await writeMinutes(db, minutes, tradingHoursOf);
          sampler.markWritten(minutes);
          return minutes.length;
        });
        if (written < minutesPerWrite) break;
      }
      if (isWritingBroken) log.info({ dropped: sampler.takeDropped() }, 'sampled bars are stored again');
      isWritingBroken = false;
    } catch (error) {
      // Logged once: the write is retried every minute, and an outage may last.
      if (!isWritingBroken)
        log.error({ err: error }, 'storing sampled bars failed; trying again every minute');
      isWritingBroken = true;
    } finally {
      isWriting = false;
    }
  }

  async function deleteOld(): Promise<void> {
    if (isDeleting) return;
    isDeleting = true;
    const before = timers.now() - candleDays * dayMs;
    try {
      for (let batch = 0; batch < deletedBatchesMax && !isStopped; batch += 1) {
        const deleted = await write(() => deleteMinutes(db, before, deletedPerBatch));
        if (deleted < deletedPerBatch) break;
      }
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'deleting old minutes failed; trying again in an hour');
    } finally {
      isDeleting = false;
    }
  }

  function completeSome(): void {
    for (const [key, { series, query }] of [...toComplete].slice(0, completedPerMinute)) {
      toComplete.delete(key);
      const tradingHours = tradingHoursOf(series.symbol);
      if (tradingHours === undefined) continue;
      history.bars(series, tradingHours, query, 'stored').catch((error: unknown) => {
        log.debug({ err: error, ...series }, 'a chart could not be completed after a silence');
      });
    }
  }

  function rememberChart(series: Series, { limit }: CandleQuery): void {
    const key = `${series.symbol} ${series.timeframe}`;
    recent.setNewest(key, { series, query: { limit, before: null } });
  }

  async function liveBars(
    series: Series,
    tradingHours: string,
    query: CandleQuery,
    depth: Depth,
  ): Promise<Bar[]> {
    rememberChart(series, query);
    // Before and after: bars written during the read may be in neither, and merging twice does no harm.
    const before = [...sampler.unwritten(series.symbol)];
    const { bars: stored, failure } = await history.bars(series, tradingHours, query, depth);
    const minutes = [...before, ...sampler.unwritten(series.symbol)];
    const bars = withMinutes(stored, minutes, series.timeframe, tradingHours, query);
    if (bars.length === 0 && failure) throw failure.cause;
    return bars.map((bar) => toBar(bar.name, bar));
  }

  return {
    async candles(symbol, timeframe, query, depth = 'whole') {
      const pair = pairOf(symbol);
      if (!pair) throw new AppError('unknown_symbol', texts.unknownSymbol(symbol));
      const source = feed.sourceOf(symbol);
      // One more than is shown: the first one is judged against it.
      const bars = isLiveSource(source)
        ? await liveBars({ symbol, source, timeframe }, pair.tradingHours, query, depth)
        : await feed.candles(symbol, timeframe, { ...query, limit: query.limit + 1 });
      return markGaps(bars, timeframe, pair.tradingHours).slice(-query.limit);
    },
    start() {
      cancels.push(
        bus.subscribe('market.tick', sampler.take),
        timers.every(writeEveryMs, () => {
          void writeSampled('over');
          completeSome();
        }),
        timers.every(deleteEveryMs, () => void deleteOld()),
      );
    },
    async stop() {
      for (const cancel of cancels.splice(0)) cancel();
      await writeSampled('all');
      isStopped = true;
      await writes;
    },
  };
}

/** The bars with what is not stored yet of the minutes in them, so that the newest one shows the newest tick. */
function withMinutes(
  bars: readonly StoredBar[],
  minutes: readonly Minute[],
  timeframe: Timeframe,
  tradingHours: string,
  { limit, before }: CandleQuery,
): StoredBar[] {
  const byName = new Map(bars.map((bar) => [bar.name, bar]));
  for (const { openTime, open, high, low, close } of minutes) {
    const name = barStart(timeframe, openTime, tradingHours);
    if (before !== null && name >= before) continue;
    const bar = byName.get(name);
    if (bar && !bar.sampled) continue;
    byName.set(
      name,
      bar
        ? { ...bar, high: Math.max(bar.high, high), low: Math.min(bar.low, low), close }
        : { name, open, high, low, close, volume: 0, quoteVolume: 0, sampled: true },
    );
  }
  return [...byName.values()].sort((left, right) => left.name - right.name).slice(-limit - 1);
}
