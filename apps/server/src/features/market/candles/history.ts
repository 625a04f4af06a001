/**
 * Stored bars of live sources, completed by their providers. A chart is read in one query; what it lacks is asked of the
 * provider in one request and kept. Invariants: the same question is under way once; what a provider has answered or
 * refused is not asked again before its time; an answer that cannot be stored still reaches whoever asked. An answer with
 * the newest bars repeats a settled one or more; where the provider has changed its mind about them, as after a stock split,
 * everything stored of the symbol is fetched anew. Bars from before those that are stored are answered from the provider, and
 * remembered for a while in memory alone.
 *
 * Known limitations: one question per request, so a chart with holes far apart is filled over several; corrections below
 * `correctedFrom`, or of bars further back than those that are repeated, are not noticed.
 */
import { texts } from '@fulcrum/contract';
import { barSpan, barStart, dayMs, isIntraday, minuteMs, nextBar, timeframes } from '@fulcrum/domain';
import type { Timers } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Bar, CandleQuery, Feed } from '../feed.ts';
import { PriceError } from '../price-error.ts';
import { type Asked, createAsked } from './asked.ts';
import { storedFrom } from './depth.ts';
import { createFlights } from './flights.ts';
import { barsMax, type Chart, endOf, missingOf, settleMs } from './missing.ts';
import { createPages, type PageQuestion } from './pages.ts';
import type { Heard } from './sampler.ts';
import { deleteBars, readBars, type Series, type StoredBar, writeBars } from './store.ts';

/** Requests to all providers together. */
const flightsMax = { underWay: 8, waiting: 64 } as const;
/** Of those, for bars that are not stored: nobody's paging may keep others from their charts. */
const olderFlightsMax = { underWay: 2, waiting: 8 } as const;
/** Somebody who looks at a chart waits so long for a slow provider; its answer is stored for the next look. */
const waitMs = 10_000;
/** Series of which it is remembered what was asked; the one that was looked at the longest ago leaves first. */
const seriesMax = 2_048;
/** By so much of itself a close changes more than by a late settlement price, and less than by the smallest usual split. */
const correctedFrom = 0.03;
/** Looks at the store for one answer: after waiting for others, and after what was stored has turned out to be wrong. */
const passesMax = 3;
/** What `numeric(28, 8)` holds without becoming 0. */
const leastPrice = 1e-8;
const mostFigure = 1e19;

export interface HistoryOptions {
  readonly db: Database;
  readonly feed: Pick<Feed, 'candles'>;
  readonly timers: Timers;
  readonly log: Log;
  /** Days for which bars of a minute are kept. */
  readonly candleDays: number;
  readonly heardOf: (symbol: string) => Heard | null;
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

export interface KnownBars {
  readonly bars: readonly StoredBar[];
  /** Why the provider added nothing to what is stored, now or a moment ago; null: it did, or was not needed. */
  readonly failure: { readonly cause: unknown } | null;
}

interface Fetched {
  readonly bars: readonly StoredBar[];
  /** What was stored of the symbol contradicted them, and is gone. */
  readonly isCorrection: boolean;
}

export function createHistory(options: HistoryOptions): History {
  const { db, feed, timers, log, candleDays, heardOf, write } = options;
  const flights = createFlights<Fetched>(flightsMax);
  const olderFlights = createFlights<Fetched>(olderFlightsMax);
  const pages = createPages();
  const askedOf = new Map<string, Asked>();
  /** By series, while somebody waits for it. */
  const newestFlight = new Map<string, { readonly key: string; readonly flight: Promise<Fetched> }>();

  function remembered(key: string): Asked {
    const asked = askedOf.get(key) ?? createAsked();
    askedOf.delete(key);
    askedOf.set(key, asked);
    const oldest = askedOf.size > seriesMax ? askedOf.keys().next() : undefined;
    if (oldest && !oldest.done) askedOf.delete(oldest.value);
    return asked;
  }

  function chartOf(series: Series, tradingHours: string, depth: Depth): Chart {
    const { symbol, timeframe } = series;
    const now = timers.now();
    const kept =
      timeframe === '1m' ? barStart('1m', now - candleDays * dayMs, tradingHours) + minuteMs : -Infinity;
    return {
      timeframe,
      tradingHours,
      now,
      first: depth === 'whole' ? kept : Math.max(kept, storedFrom(timeframe, tradingHours, now)),
      heard: heardOf(symbol),
      asked: remembered(keyOf(series)),
    };
  }

  /** One query; another one only when an answer was stored meanwhile, which the first may have missed. */
  async function readChart(
    series: Series,
    tradingHours: string,
    { limit, before }: CandleQuery,
    depth: Depth,
  ) {
    const { asked } = chartOf(series, tradingHours, depth);
    for (;;) {
      const answers = asked.answers();
      const read = await readBars(db, series, { limit: limit + 1, before });
      if (asked.answers() !== answers) continue;
      const chart = chartOf(series, tradingHours, depth);
      return { chart, stored: read.filter(({ name }) => name >= chart.first) };
    }
  }

  /** Asks the provider and keeps what it says; `stored` is what the question came of. @throws PriceError */
  async function ask(
    series: Series,
    chart: Chart,
    question: CandleQuery,
    stored: readonly StoredBar[],
  ): Promise<Fetched> {
    const { asked } = chart;
    const bars = await told(series, chart, question);
    // Older answers may be made of other intervals than what is stored, whose closes differ by themselves.
    const isCorrection = question.before === null && isCorrected(stored, bars);
    try {
      if (isCorrection) await forget(series);
      const from = storedFrom(chart.timeframe, chart.tradingHours, chart.now);
      const kept = bars.filter(({ name }) => name >= from);
      await write(() => writeBars(db, series, kept));
    } catch (error) {
      log.warn({ err: error, ...series }, 'bars of a provider could not be stored');
      asked.failed(error, timers.now());
      return { bars, isCorrection: false };
    }
    remember(series, chart, bars, question);
    return { bars, isCorrection };
  }

  /** A page of bars that are not stored, and as many more as one question brings. @throws PriceError */
  async function askOlder(series: Series, chart: Chart, before: number): Promise<Fetched> {
    const question = { limit: barsMax, before };
    const bars = await told(series, chart, question);
    if (bars.length > 0) pages.keep(keyOf(series), before, bars);
    else remember(series, chart, bars, question);
    return { bars, isCorrection: false };
  }

  /** What the provider says, as far as it can be used. @throws PriceError */
  async function told(series: Series, chart: Chart, question: CandleQuery): Promise<StoredBar[]> {
    const { asked } = chart;
    let answer: Bar[];
    try {
      answer = await feed.candles(series.symbol, series.timeframe, question);
    } catch (error) {
      asked.failed(error, timers.now());
      throw error;
    }
    // What has passed while the provider thought about it settles nothing.
    const { bars, isDamaged } = readAnswer(chart, answer, question);
    if (isDamaged)
      log.warn({ ...series }, 'bars of a provider were dropped: they are no bars of their timeframe');
    if (isDamaged && bars.length === 0) {
      const failure = new PriceError(texts.noPriceData(series.symbol));
      asked.failed(failure, timers.now());
      throw failure;
    }
    return bars;
  }

  /** Of all timeframes: the provider corrects them together, and not each is looked at in time to show it. */
  async function forget({ symbol, source }: Series): Promise<void> {
    log.warn({ symbol, source }, 'the provider corrected settled bars; those stored are fetched anew');
    await write(() => deleteBars(db, { symbol, source }));
    for (const timeframe of timeframes) {
      const key = keyOf({ symbol, source, timeframe });
      askedOf.get(key)?.forget();
      pages.forget(key);
    }
  }

  function remember(series: Series, chart: Chart, bars: readonly StoredBar[], { before }: CandleQuery): void {
    const { asked, timeframe, tradingHours, now } = chart;
    const newest = bars.at(-1);
    const settledTo =
      bars.find(({ sampled }) => sampled)?.name ??
      Math.max(
        newest ? nextBar(timeframe, newest.name) : -Infinity,
        Math.min(endOf(chart, before), barStart(timeframe, now - settleMs, tradingHours)),
      );
    const [oldest] = bars;
    // What was not stored will have to be asked for again.
    const from = storedFrom(timeframe, tradingHours, now);
    if (oldest) asked.answered({ from: Math.max(oldest.name, from), to: settledTo });
    else if (before === null) asked.nothingBefore(settledTo, now, 'atAll');
    else
      for (const one of beginningTogether(series))
        remembered(keyOf(one)).nothingBefore(settledTo, now, 'older');
    if (before === null) asked.answeredNewest(settledTo, now);
  }

  /** Null when the provider takes longer than anybody waits. */
  function whileWaiting(flight: Promise<Fetched>): Promise<Fetched | null> {
    return new Promise((resolve, reject) => {
      const stopWaiting = timers.after(waitMs, () => resolve(null));
      flight.then(resolve, reject).finally(stopWaiting);
    });
  }

  /** A chart whose missing bars are not stored. */
  async function withOlder(
    series: Series,
    chart: Chart,
    stored: readonly StoredBar[],
    { limit, before }: PageQuestion,
    query: CandleQuery,
  ): Promise<KnownBars> {
    const key = keyOf(series);
    const complete = (bars: readonly StoredBar[]): KnownBars => ({
      bars: newestOf(mergeBars(stored, bars), chart, query),
      failure: null,
    });
    const page = pages.find(key, { limit, before });
    if (page) return complete(page);
    try {
      const flight = olderFlights.join(`${key} ${before}`, () => askOlder(series, chart, before));
      return complete((await whileWaiting(flight))?.bars ?? []);
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
        const question = missingOf(chart, stored, query);
        if (!question) return { bars: stored, failure: chart.asked.failure(chart.now) };
        const { before } = question;
        if (before !== null && before <= storedFrom(chart.timeframe, tradingHours, chart.now))
          return await withOlder(series, chart, stored, { ...question, before }, query);
        const key = `${seriesKey} ${question.limit} ${question.before}`;
        const other = newestFlight.get(seriesKey);
        try {
          // Its answer may leave nothing to ask.
          if (pass === 0 && other && other.key !== key) {
            if (await whileWaiting(other.flight)) continue;
            return { bars: stored, failure: null };
          }
          const flight = flights.join(key, () => ask(series, chart, question, stored));
          newestFlight.set(seriesKey, { key, flight });
          const fetched = await whileWaiting(flight).finally(() => {
            if (newestFlight.get(seriesKey)?.flight === flight) newestFlight.delete(seriesKey);
          });
          if (!fetched) return { bars: stored, failure: null };
          const { bars, isCorrection } = fetched;
          if (isCorrection && pass + 1 < passesMax) continue;
          const known = isCorrection ? [] : stored;
          return { bars: newestOf(mergeBars(known, bars), chart, query), failure: null };
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
function beginningTogether(series: Series): Series[] {
  if (series.source === 'yahoo' && isIntraday(series.timeframe)) return [series];
  return timeframes.map((timeframe) => ({ ...series, timeframe }));
}

const keyOf = ({ symbol, source, timeframe }: Series): string => `${source} ${symbol} ${timeframe}`;

function newestOf(bars: readonly StoredBar[], chart: Chart, { limit, before }: CandleQuery): StoredBar[] {
  const end = endOf(chart, before);
  return bars.filter(({ name }) => name < end).slice(-limit - 1);
}

interface Answer {
  /** Oldest first, each name once, within what was asked and what is kept. */
  readonly bars: StoredBar[];
  /** Something was no bar of the timeframe. */
  readonly isDamaged: boolean;
}

/** What a provider's answer is worth at the time of the question. */
function readAnswer(chart: Chart, answer: readonly Bar[], { before }: CandleQuery): Answer {
  const { timeframe, tradingHours, now, first } = chart;
  const end = endOf(chart, before);
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
    figures.every((figure) => Number.isFinite(figure) && figure < mostFigure) &&
    low >= leastPrice &&
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

/** What the provider says over what is stored; of a bar that still runs, the extremes of both. */
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
