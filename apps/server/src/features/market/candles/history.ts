/**
 * Stored bars of live sources, completed by their providers. A chart is one query; one request to the provider fetches its
 * missing bars, which are then stored. Invariants: identical requests share one; a request that a provider answered or
 * refused is not repeated before its time; an answer that cannot be stored still reaches its caller. An answer with the newest
 * bars includes a settled one or more. Where the provider has changed those, as after a stock split, everything stored of the
 * symbol is fetched again. Bars older than the stored ones come from the provider and are cached in memory for a while.
 *
 * Known limitations: one gap per request, so a chart with distant gaps is filled over several requests; corrections below
 * `correctedFrom`, or of bars older than the repeated ones, are not detected.
 */
import { texts } from '@fulcrum/contract';
import {
  barSpan,
  barStart,
  dayMs,
  isIntraday,
  type MarketType,
  minuteMs,
  nextBar,
  timeframes,
} from '@fulcrum/domain';
import { BoundedMap } from '../../../platform/cache/bounded-map.ts';
import type { Services } from '../../../platform/services.ts';
import type { Bar, CandleQuery, Feed } from '../feed.ts';
import { PriceError } from '../price-error.ts';
import { storedFrom } from './depth.ts';
import { createFetchLog, type FetchLog } from './fetch-log.ts';
import { barsMax, type Chart, findMissing, getChartEnd, settleMs } from './missing.ts';
import { createOlderPages, type PageQuery } from './older-pages.ts';
import type { SourceContact } from './sampler.ts';
import { createSingleFlight } from './single-flight.ts';
import { deleteBars, readBars, type Series, type StoredBar, writeBars } from './store.ts';
import { removeAbsurdWicks } from './wicks.ts';

/** Requests to all providers together. */
const flightsMax = { underWay: 8, waiting: 64 } as const;
/** Of those, for bars that are not stored: paging clients must not block the charts of others. */
const olderFlightsMax = { underWay: 2, waiting: 8 } as const;
/** A chart waits this long for a slow provider; the answer is stored for the next read. */
const waitMs = 10_000;
/** Series with a fetch log; the least recently read one is dropped first. */
const seriesMax = 2_048;
/** By so much of itself a close changes more than by a late settlement price, and less than by the smallest usual split. */
const correctedFrom = 0.03;
/** Reads of the store for one answer: after waiting for others, and after stored bars have turned out to be wrong. */
const passesMax = 3;
/** What `numeric(28, 8)` holds without becoming 0. */
const priceMin = 1e-8;
const figureMax = 1e19;

interface HistoryOptions extends Pick<Services, 'db' | 'timers' | 'log'> {
  readonly feed: Pick<Feed, 'candles'>;
  /** Days for which one-minute bars are stored. */
  readonly candleDays: number;
  readonly contactOf: (symbol: string) => SourceContact | null;
  readonly typeOf: (symbol: string) => MarketType | undefined;
  /** Runs writes one after the other. */
  readonly write: (work: () => Promise<void>) => Promise<void>;
}

export interface History {
  /**
   * At most `limit` bars, and the one before them where it is known, oldest first, as the store and the provider have
   * them. @throws AppError busy when the store cannot be read
   */
  bars(series: Series, tradingHours: string, query: CandleQuery, depth: Depth): Promise<KnownBars>;
}

/** How far back: as far as a provider's bars are stored, or as the provider has them. */
export type Depth = 'stored' | 'whole';

interface KnownBars {
  readonly bars: readonly StoredBar[];
  /** Why the provider added nothing to the stored bars, now or a moment ago; null: it did, or was not needed. */
  readonly failure: { readonly cause: unknown } | null;
}

interface Fetched {
  readonly bars: readonly StoredBar[];
  /** The stored bars of the symbol contradicted them, and are deleted. */
  readonly isCorrection: boolean;
}

export function createHistory(options: HistoryOptions): History {
  const { db, feed, timers, log, candleDays, contactOf, typeOf, write } = options;
  const flights = createSingleFlight<Fetched>(flightsMax);
  const olderFlights = createSingleFlight<Fetched>(olderFlightsMax);
  const pages = createOlderPages();
  const fetchLogs = new BoundedMap<string, FetchLog>(seriesMax);
  /** By symbol, the day on which the log has a cut wick of it: every answer with that bar has it again. */
  const wickLoggedOn = new Map<string, number>();
  /** By series, while a caller waits for it. */
  const newestFlight = new Map<string, { readonly key: string; readonly flight: Promise<Fetched> }>();

  function getFetchLog(key: string): FetchLog {
    const fetchLog = fetchLogs.get(key) ?? createFetchLog();
    fetchLogs.setNewest(key, fetchLog);
    return fetchLog;
  }

  function chartOf(series: Series, tradingHours: string, depth: Depth): Chart {
    const { symbol, timeframe } = series;
    const now = timers.now();
    const storedFirst =
      timeframe === '1m' ? barStart('1m', now - candleDays * dayMs, tradingHours) + minuteMs : -Infinity;
    return {
      timeframe,
      tradingHours,
      now,
      first:
        depth === 'whole' ? storedFirst : Math.max(storedFirst, storedFrom(timeframe, tradingHours, now)),
      contact: contactOf(symbol),
      fetchLog: getFetchLog(keyOf(series)),
    };
  }

  /** One query; another one only when an answer was stored meanwhile, which the first may have missed. */
  async function readChart(
    series: Series,
    tradingHours: string,
    { limit, before }: CandleQuery,
    depth: Depth,
  ) {
    const { fetchLog } = chartOf(series, tradingHours, depth);
    for (;;) {
      const answerCount = fetchLog.answerCount();
      const read = await readBars(db, series, { limit: limit + 1, before });
      if (fetchLog.answerCount() !== answerCount) continue;
      const chart = chartOf(series, tradingHours, depth);
      return { chart, stored: read.filter(({ name }) => name >= chart.first) };
    }
  }

  /** Sends the request and stores the answer; `stored` are the bars that led to it. @throws PriceError */
  async function fetchAndStore(
    series: Series,
    chart: Chart,
    providerQuery: CandleQuery,
    stored: readonly StoredBar[],
  ): Promise<Fetched> {
    const { fetchLog } = chart;
    const bars = await fetchBars(series, chart, providerQuery);
    // Older answers may use other intervals than the stored bars, whose closes differ for that reason.
    const isCorrection = providerQuery.before === null && isCorrected(stored, bars);
    try {
      if (isCorrection) await forget(series);
      const from = storedFrom(chart.timeframe, chart.tradingHours, chart.now);
      const storable = bars.filter(({ name }) => name >= from);
      await write(() => writeBars(db, series, storable));
    } catch (error) {
      log.warn({ err: error, ...series }, 'bars of a provider could not be stored');
      fetchLog.addFailure(error, timers.now());
      return { bars, isCorrection: false };
    }
    recordAnswer(series, chart, bars, providerQuery);
    return { bars, isCorrection };
  }

  /** A page of bars that are not stored, and as many more as one question brings. @throws PriceError */
  async function fetchOlder(series: Series, chart: Chart, before: number): Promise<Fetched> {
    const providerQuery = { limit: barsMax, before };
    const bars = await fetchBars(series, chart, providerQuery);
    if (bars.length > 0) pages.store(keyOf(series), before, bars);
    else recordAnswer(series, chart, bars, providerQuery);
    return { bars, isCorrection: false };
  }

  /** The provider's bars, as far as they are usable. @throws PriceError */
  async function fetchBars(
    series: Series,
    chart: Chart,
    providerQuery: CandleQuery,
  ): Promise<readonly StoredBar[]> {
    const { fetchLog } = chart;
    let answer: Bar[];
    try {
      answer = await feed.candles(series.symbol, series.timeframe, providerQuery);
    } catch (error) {
      fetchLog.addFailure(error, timers.now());
      throw error;
    }
    // A bar that ended while the request ran is not settled by its answer.
    const { bars, isDamaged } = parseAnswer(chart, answer, providerQuery);
    if (isDamaged)
      log.warn({ ...series }, 'bars of a provider were dropped: they are no bars of their timeframe');
    if (isDamaged && bars.length === 0) {
      const failure = new PriceError(texts.noPriceData(series.symbol));
      fetchLog.addFailure(failure, timers.now());
      throw failure;
    }
    const type = typeOf(series.symbol);
    return type ? removeWicks(series, bars, type) : bars;
  }

  function removeWicks(series: Series, bars: StoredBar[], type: MarketType): readonly StoredBar[] {
    const whole = removeAbsurdWicks(bars, type, series.timeframe);
    const cut = bars.find((bar, index) => bar !== whole[index]);
    const today = Math.floor(timers.now() / dayMs);
    if (cut && wickLoggedOn.get(series.symbol) !== today) {
      wickLoggedOn.set(series.symbol, today);
      log.warn({ ...series, bar: new Date(cut.name) }, 'an absurd wick of a provider was cut off');
    }
    return whole;
  }

  /** Of all timeframes: the provider corrects them together, and not each is looked at in time to show it. */
  async function forget({ symbol, source }: Series): Promise<void> {
    log.warn({ symbol, source }, 'the provider corrected settled bars; the stored ones are fetched again');
    await write(() => deleteBars(db, { symbol, source }));
    for (const timeframe of timeframes) {
      const key = keyOf({ symbol, source, timeframe });
      fetchLogs.get(key)?.forget();
      pages.forget(key);
    }
  }

  function recordAnswer(
    series: Series,
    chart: Chart,
    bars: readonly StoredBar[],
    { before }: CandleQuery,
  ): void {
    const { fetchLog, timeframe, tradingHours, now } = chart;
    const newest = bars.at(-1);
    const settledTo =
      bars.find(({ sampled }) => sampled)?.name ??
      Math.max(
        newest ? nextBar(timeframe, newest.name) : -Infinity,
        Math.min(getChartEnd(chart, before), barStart(timeframe, now - settleMs, tradingHours)),
      );
    const [oldest] = bars;
    // Bars that were not stored will have to be requested again.
    const from = storedFrom(timeframe, tradingHours, now);
    if (oldest) fetchLog.addAnswer({ from: Math.max(oldest.name, from), to: settledTo });
    else if (before === null) fetchLog.markBeginning(settledTo, now, 'atAll');
    else
      for (const one of getSeriesSharingBeginning(series))
        getFetchLog(keyOf(one)).markBeginning(settledTo, now, 'older');
    if (before === null) fetchLog.addNewest(settledTo, now);
  }

  /** Null when the provider takes longer than a chart waits. */
  function waitForFlight(flight: Promise<Fetched>): Promise<Fetched | null> {
    return new Promise((resolve, reject) => {
      const stopWaiting = timers.after(waitMs, () => resolve(null));
      flight.then(resolve, reject).finally(stopWaiting);
    });
  }

  /** A chart whose missing bars are not stored. */
  async function addOlder(
    series: Series,
    chart: Chart,
    stored: readonly StoredBar[],
    { limit, before }: PageQuery,
    query: CandleQuery,
  ): Promise<KnownBars> {
    const key = keyOf(series);
    const complete = (bars: readonly StoredBar[]): KnownBars => ({
      bars: takeNewest(mergeBars(stored, bars), chart, query),
      failure: null,
    });
    const page = pages.find(key, { limit, before });
    if (page) return complete(page);
    try {
      const flight = olderFlights.join(`${key} ${before}`, () => fetchOlder(series, chart, before));
      return complete((await waitForFlight(flight))?.bars ?? []);
    } catch (cause) {
      log.debug({ err: cause, ...series }, 'older bars are answered with what is stored');
      return { bars: stored, failure: { cause } };
    }
  }

  return {
    async bars(series, tradingHours, query, depth) {
      const seriesKey = keyOf(series);
      for (let pass = 0; ; pass += 1) {
        const { chart, stored } = await readChart(series, tradingHours, query, depth);
        const providerQuery = findMissing(chart, stored, query);
        if (!providerQuery) return { bars: stored, failure: chart.fetchLog.failure(chart.now) };
        const { before } = providerQuery;
        if (before !== null && before <= storedFrom(chart.timeframe, tradingHours, chart.now))
          return await addOlder(series, chart, stored, { ...providerQuery, before }, query);
        const key = `${seriesKey} ${providerQuery.limit} ${providerQuery.before}`;
        const other = newestFlight.get(seriesKey);
        try {
          // Its answer may leave nothing to request.
          if (pass === 0 && other && other.key !== key) {
            if (await waitForFlight(other.flight)) continue;
            return { bars: stored, failure: null };
          }
          const flight = flights.join(key, () => fetchAndStore(series, chart, providerQuery, stored));
          newestFlight.set(seriesKey, { key, flight });
          const fetched = await waitForFlight(flight).finally(() => {
            if (newestFlight.get(seriesKey)?.flight === flight) newestFlight.delete(seriesKey);
          });
          if (!fetched) return { bars: stored, failure: null };
          const { bars, isCorrection } = fetched;
          if (isCorrection && pass + 1 < passesMax) continue;
          const known = isCorrection ? [] : stored;
          return { bars: takeNewest(mergeBars(known, bars), chart, query), failure: null };
        } catch (cause) {
          log.debug({ err: cause, ...series }, 'a chart is answered with what is stored');
          return { bars: stored, failure: { cause } };
        }
      }
    },
  };
}

/**
 * Series that have no older bars either where one has none. The exchange has every timeframe of all that it lists; of the
 * quote provider those within a day reach back for a while only.
 */
function getSeriesSharingBeginning(series: Series): Series[] {
  if (series.source === 'yahoo' && isIntraday(series.timeframe)) return [series];
  return timeframes.map((timeframe) => ({ ...series, timeframe }));
}

const keyOf = ({ symbol, source, timeframe }: Series): string => `${source} ${symbol} ${timeframe}`;

function takeNewest(bars: readonly StoredBar[], chart: Chart, { limit, before }: CandleQuery): StoredBar[] {
  const end = getChartEnd(chart, before);
  return bars.filter(({ name }) => name < end).slice(-limit - 1);
}

interface ParsedAnswer {
  /** Oldest first, each name once, within the requested range and the retention. */
  readonly bars: StoredBar[];
  /** Something was no bar of the timeframe. */
  readonly isDamaged: boolean;
}

/** What a provider's answer is worth at the time of the question. */
function parseAnswer(chart: Chart, answer: readonly Bar[], { before }: CandleQuery): ParsedAnswer {
  const { timeframe, tradingHours, now, first } = chart;
  const end = getChartEnd(chart, before);
  const byName = new Map<number, Bar>();
  let isDamaged = false;
  for (const bar of answer.slice(-2 * barsMax)) {
    const name = Date.parse(bar.open_time);
    if (
      !isBar(bar) ||
      barStart(timeframe, barSpan(timeframe, name, tradingHours).from, tradingHours) !== name
    )
      isDamaged = true;
    else if (name >= first && name < end) byName.set(name, bar);
  }
  const names = [...byName.keys()].sort((left, right) => left - right);
  const newest = names.at(-1);
  const bars = names.flatMap((name) => {
    const bar = byName.get(name);
    if (!bar) return [];
    const { to } = barSpan(timeframe, name, tradingHours);
    // A later bar shows that this one is finished; the last one may still lag behind the clock.
    const settledAt = name === newest ? to + settleMs : to;
    const { open, high, low, close, volume, quote_volume } = bar;
    return [{ name, open, high, low, close, volume, quoteVolume: quote_volume, sampled: settledAt > now }];
  });
  return { bars, isDamaged };
}

function isBar({ open_time, open, high, low, close, volume, quote_volume }: Bar): boolean {
  const figures = [open, high, low, close, volume, quote_volume];
  return (
    Number.isFinite(Date.parse(open_time)) &&
    figures.every((figure) => Number.isFinite(figure) && figure < figureMax) &&
    low >= priceMin &&
    low <= Math.min(open, close) &&
    high >= Math.max(open, close) &&
    Math.min(volume, quote_volume) >= 0
  );
}

/** Whether a bar that is settled in both has another close. */
function isCorrected(stored: readonly StoredBar[], fetched: readonly StoredBar[]): boolean {
  const closes = new Map(stored.flatMap(({ name, sampled, close }) => (sampled ? [] : [[name, close]])));
  return fetched.some(({ name, sampled, close }) => {
    const known = sampled ? undefined : closes.get(name);
    return known !== undefined && Math.abs(close / known - 1) > correctedFrom;
  });
}

/** The provider's bars over the stored ones; of a running bar, the extremes of both. */
function mergeBars(stored: readonly StoredBar[], fetched: readonly StoredBar[]): StoredBar[] {
  const byName = new Map(stored.map((bar) => [bar.name, bar]));
  for (const bar of fetched) {
    const known = byName.get(bar.name);
    if (known && !known.sampled) continue;
    byName.set(
      bar.name,
      known && bar.sampled
        ? { ...bar, high: Math.max(bar.high, known.high), low: Math.min(bar.low, known.low) }
        : bar,
    );
  }
  return [...byName.values()].sort((left, right) => left.name - right.name);
}
