/**
 * The file that proves the prices of a contest on a simulated market (decision 32): the commitment of the begin and the result as they were
 * hashed, the keys of the days, and what the entrants traded at. `checkMarketFile` needs neither a server nor a database.
 *
 * Known limitation: it proves the one price of the market, not the spread and the levels of a book around it.
 */
import { sources } from '@fulcrum/contract';
import { type Price, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { z } from 'zod';
import {
  computePublishedPrices,
  dayOf,
  engine3,
  findFalseKeys,
  formatDay,
  leafMs,
  type MarketCommitment,
  marketCommitment,
  marketKeys,
  type PriceShock,
  type PublishedPrices,
} from '../market/index.ts';
import { liveMarkMs } from './closing-marks.ts';
import { hashOf, type ResultDocument, resultDocument } from './result.ts';
import { parseTradedPrice, type TradedPrice, unknownSource } from './traded-prices.ts';

const link = z.object({ seq: z.number(), hash: z.string() });
const marketFile = z.strictObject({
  kind: z.literal('fulcrum-contest-market'),
  /** 1: of a release that stated neither sources nor closes at a price that was not live. */
  v: z.literal([1, 2]),
  /** Both as they were hashed, with the link of the audit chain that has the hash. */
  commitment: z.string(),
  commitment_audit: link,
  result: z.string(),
  result_audit: link,
  keys: marketKeys,
  /** Lines of `parseTradedPrice`. */
  prices: z.string(),
});
type MarketFile = z.output<typeof marketFile>;

/** A file that is none, or whose parts do not belong together. */
export class MarketFileFault extends Error {
  override readonly name = 'MarketFileFault';
}

export interface Disagreement {
  readonly what: 'traded' | 'closing';
  readonly symbol: string;
  /** Ms since the epoch. */
  readonly at: number;
  /** Decimals: what the contest states, and what the market had at that instant. */
  readonly stated: string;
  readonly computed: string;
}

/**
 * `uncovered`: the commitment does not have the symbol, because it was not simulated at the begin. `elsewhere`: it was not simulated at that instant.
 * `rescaled`: the market went on from another price, by a factor that the commitment does not have. `old_mark`: closed at a price that was not live, as after a time without a server. `unknown_source`: the source is not known. `payment`: of a
 * close that paid for the other side of its symbol (A111), which is not the market's price. `unlisted`: it is not in the sample.
 */
export type UnprovenReason =
  | 'uncovered'
  | 'elsewhere'
  | 'rescaled'
  | 'old_mark'
  | 'unknown_source'
  | 'payment'
  | 'unlisted';

export interface MarketReport {
  readonly contest: ResultDocument['contest'];
  readonly commitment: {
    readonly sha256: string;
    readonly publishedAt: string;
    readonly audit: z.output<typeof link>;
  };
  readonly result: { readonly sha256: string; readonly audit: z.output<typeof link> };
  /** First and last, as dates. */
  readonly days: readonly [string, string];
  readonly shocks: { readonly before: number; readonly during: number };
  readonly traded: { readonly total: number; readonly listed: number; readonly checked: number };
  readonly closing: {
    readonly listed: number;
    readonly checked: number;
    /** After the end of the contest, ms. */
    readonly lateMs: number;
    /** Those that are not the price of the close: of a market that was shut, a price that was held or old. */
    readonly others: readonly { readonly symbol: string; readonly state: string; readonly at: string }[];
  };
  /** Prices that nothing proves, by the reason. */
  readonly unproven: readonly {
    readonly reason: UnprovenReason;
    readonly count: number;
    readonly symbols: readonly string[];
  }[];
  /** How many prices were traded at before the commitment was published, and how long before at most, ms. */
  readonly early: { readonly count: number; readonly ms: number };
  /** The greatest age of a price that was traded at, ms. */
  readonly oldestMs: number;
  readonly disagreements: readonly Disagreement[];
}

type Disagreeing = Pick<TradedPrice, 'symbol' | 'at' | 'price'>;

/** The begin publishes within a second or two, and trading waits for nothing: more than this before is no proof. */
const earlyMsMax = 5_000;

/** Ticks are a second apart at most, and the engine drops what has waited for 5 s. */
const searchedMs = 10_000;

/** The source of a market changes at a start of the server only: it does not come back so soon. */
const sourceLastsMs = 3_000;

function parseAs<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The schema refuses undefined.
    value = undefined;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new MarketFileFault(`this is no ${what}`);
  return parsed.data;
}

export const formatMarketFile = (file: Omit<MarketFile, 'kind' | 'v'>): string =>
  `${JSON.stringify({ kind: 'fulcrum-contest-market', v: 2, ...file } satisfies MarketFile)}\n`;

/** A shock counts from its instant, and reaches the feed after its commit: a fill so soon after it may be at a price without it. */
const shockArrivalMs = 2_000;

/** The prices, and those at an instant without the shocks that had hardly begun; null where there are none. */
function createPrices(commitment: MarketCommitment, keys: MarketFile['keys'], shocks: readonly PriceShock[]) {
  const known = new Map<number, PublishedPrices>();
  const isArriving = (shock: PriceShock, at: number) => shock.at <= at && shock.at > at - shockArrivalMs;
  return {
    all: computePublishedPrices(commitment, keys, shocks),
    withoutArriving(at: number): PublishedPrices | null {
      const first = shocks.findIndex((shock) => isArriving(shock, at));
      if (first < 0) return null;
      // They are in the order of time, so the first one names the others.
      const computed = known.get(first) ?? computePublishedPrices(commitment, keys, shocks.slice(0, first));
      known.set(first, computed);
      return computed;
    },
  };
}

/** Of the last `searchedMs`, how old the price is, ms; null where the market did not have it. The path has steps of `leafMs`. */
function findAge(prices: PublishedPrices, { symbol, at }: TradedPrice, price: Price): number | null {
  for (let age = 0; age <= searchedMs; age += leafMs) {
    if (prices.priceAt(symbol, at - age) === price) return age;
  }
  return null;
}

/** An order to buy fills at its own limit where the market is there or below, as after a pause of the server. */
function isReached(prices: PublishedPrices, { symbol, at, limit }: TradedPrice, price: Price): boolean {
  let [isBelow, isAbove] = [false, false];
  for (let age = 0; age <= searchedMs; age += leafMs) {
    const then = prices.priceAt(symbol, at - age);
    if (then === null) continue;
    if (then <= price) isBelow = true;
    if (then >= price) isAbove = true;
    if ((isBelow || limit === 'SELL') && (isAbove || limit === 'BUY')) return true;
  }
  return false;
}

const otherSources: ReadonlySet<string> = new Set(sources.filter((source) => source !== 'simulated'));

/** @throws MarketFileFault for a source that is none, and where a symbol has two at about one instant */
function requireSources(traded: readonly TradedPrice[]): void {
  const seen = new Map<string, { last: TradedPrice; readonly at: Map<string | null, number> }>();
  for (const one of traded.toSorted((a, b) => a.at - b.at)) {
    const { symbol, at, source } = one;
    if (source === unknownSource) continue;
    if (source !== null && !otherSources.has(source))
      throw new MarketFileFault(`the list of prices has a source that is none: ${source}`);
    const known = seen.get(symbol) ?? { last: one, at: new Map<string | null, number>() };
    seen.set(symbol, known);
    const before = known.at.get(source) ?? -Infinity;
    if (known.last.source !== source && (known.last.at === at || at - before <= sourceLastsMs))
      throw new MarketFileFault(
        `the list of prices has two sources of ${symbol} at about ${new Date(at).toISOString()}`,
      );
    known.last = one;
    known.at.set(source, at);
  }
}

interface Parts {
  readonly commitment: MarketCommitment;
  readonly result: ResultDocument;
  readonly market: NonNullable<ResultDocument['market']>;
  readonly traded: readonly TradedPrice[];
}

/** @throws MarketFileFault where the parts do not belong together */
function takeApart(file: MarketFile): Parts {
  const commitment = parseAs(marketCommitment, file.commitment, 'commitment that this version knows');
  const result = parseAs(resultDocument, file.result, 'result that this version knows');
  if (commitment.engine !== engine3)
    throw new MarketFileFault(
      `the prices are of engine ${commitment.engine}, and this release computes engine ${engine3}`,
    );
  const { market } = result;
  if (commitment.contest !== result.contest.id || !market)
    throw new MarketFileFault('the commitment and the result are not of one contest');
  if (hashOf(file.commitment) !== market.commitment_sha256)
    throw new MarketFileFault(
      'the commitment is not the one that the result names: its SHA-256 is another one',
    );
  const falseKeys = findFalseKeys(commitment, file.keys);
  if (falseKeys !== null) throw new MarketFileFault(`${falseKeys} are not those that were committed to`);
  if (Date.parse(result.closed_at) < Date.parse(result.contest.ends_at))
    throw new MarketFileFault('the contest was closed before its end');
  const lastDay = commitment.first_day + file.keys.days.length - 1;
  if (lastDay < dayOf(Date.parse(result.closed_at)))
    throw new MarketFileFault(`the keys end on ${formatDay(lastDay)}, before the contest was closed`);
  if (hashOf(file.prices) !== market.prices.sha256)
    throw new MarketFileFault(
      'the list of prices is not the one that the result names: its SHA-256 is another one',
    );
  const lines = file.prices === '' ? [] : file.prices.split('\n');
  const traded = lines.map((line) => {
    const price = parseTradedPrice(line);
    if (price === null) throw new MarketFileFault(`the list of prices has a line that is none: ${line}`);
    return price;
  });
  if (traded.length !== market.prices.listed)
    throw new MarketFileFault(`the list has ${traded.length} prices, and the result states another number`);
  requireSources(traded);
  return { commitment, result, market, traded };
}

/**
 * Computes every price again. Whether both hashes are those of the audit chain is for the reader to compare.
 * @throws MarketFileFault for a file that is none, whose parts do not belong together, or whose commitment or closing prices are of another time;
 * prices that disagree are in the report
 */
export function checkMarketFile(text: string): MarketReport {
  const file = parseAs(marketFile, text, 'market file of a contest');
  const { commitment, result, market, traded } = takeApart(file);
  const shocks = [...commitment.shocks, ...market.shocks].toSorted((a, b) => a.at - b.at);
  const computed = createPrices(commitment, file.keys, shocks);
  const prices = computed.all;
  const covered = new Set(commitment.symbols);
  const unproven = new Map<UnprovenReason, { count: number; readonly symbols: Set<string> }>();
  const disagreements: Disagreement[] = [];
  const changed = new Set(market.changed);
  // Its factor does not enter the computation: that would be a free choice of the price.
  const isRescaled = (symbol: string, at: number): boolean =>
    at >= Date.parse(market.rescaled?.[symbol] ?? '');
  const published = Date.parse(commitment.published_at);
  const closed = Date.parse(result.closed_at);
  const others: MarketReport['closing']['others'][number][] = [];
  let earlyCount = 0;
  let earlyMs = 0;
  let oldestMs = 0;
  let checkedTraded = 0;
  let checkedClosing = 0;

  function leaveOut(reason: UnprovenReason, symbol: string): void {
    const left = unproven.get(reason) ?? { count: 0, symbols: new Set<string>() };
    unproven.set(reason, left);
    left.count += 1;
    left.symbols.add(symbol);
  }

  function disagree(what: Disagreement['what'], { symbol, at, price }: Disagreeing): void {
    if (changed.has(symbol)) {
      leaveOut('unknown_source', symbol);
      return;
    }
    const then = prices.priceAt(symbol, at);
    const shown = then === null ? 'no price' : toDecimalString(then);
    disagreements.push({ what, symbol, at, stated: price, computed: shown });
  }

  for (const one of traded) {
    const { symbol, source } = one;
    if (!covered.has(symbol)) {
      leaveOut('uncovered', symbol);
      continue;
    }
    if (source !== null && source !== unknownSource) {
      leaveOut('elsewhere', symbol);
      continue;
    }
    if (isRescaled(symbol, one.at)) {
      leaveOut('rescaled', symbol);
      continue;
    }
    const price = parseDecimal(one.price) as Price;
    const isAgreed = one.limit !== null && isReached(prices, one, price);
    const before = computed.withoutArriving(one.at);
    const age = isAgreed ? 0 : (findAge(prices, one, price) ?? (before && findAge(before, one, price)));
    if (age === null && (source === unknownSource || one.isMark)) {
      leaveOut(source === unknownSource ? 'unknown_source' : 'old_mark', symbol);
      continue;
    }
    checkedTraded += 1;
    if (one.at < published) {
      earlyCount += 1;
      earlyMs = Math.max(earlyMs, published - one.at);
    }
    if (age === null) disagree('traded', one);
    else oldestMs = Math.max(oldestMs, age);
  }
  for (const [symbol, mark] of Object.entries(result.marks)) {
    if (mark.state !== 'live') others.push({ symbol, state: mark.state, at: mark.at ?? result.closed_at });
    const { source = 'simulated' } = mark;
    if (source !== 'simulated' && !otherSources.has(source))
      throw new MarketFileFault(`the closing price of ${symbol} has a source that is none: ${source}`);
    if (!covered.has(symbol) || source !== 'simulated') {
      leaveOut(covered.has(symbol) ? 'elsewhere' : 'uncovered', symbol);
      continue;
    }
    const at = Date.parse(mark.at ?? result.closed_at);
    if (isRescaled(symbol, at)) {
      leaveOut('rescaled', symbol);
      continue;
    }
    checkedClosing += 1;
    if (at > closed || (mark.state === 'live' && closed - at > liveMarkMs))
      throw new MarketFileFault(
        `the closing price of ${symbol} is of ${new Date(at).toISOString()}, and the contest was closed at ${result.closed_at}`,
      );
    if (prices.priceAt(symbol, at) !== parseDecimal(mark.price))
      disagree('closing', { symbol, at, price: mark.price });
  }
  if (earlyMs > earlyMsMax)
    throw new MarketFileFault(
      `${earlyCount} prices were traded at before the commitment was published, up to ${Math.ceil(earlyMs / 1000)} s before`,
    );
  const { total, listed } = market.prices;
  const { payments = 0 } = market;
  if (payments > 0) unproven.set('payment', { count: payments, symbols: new Set() });
  if (total > listed) unproven.set('unlisted', { count: total - listed, symbols: new Set() });
  return {
    contest: result.contest,
    commitment: {
      ...{ sha256: hashOf(file.commitment), publishedAt: commitment.published_at },
      audit: file.commitment_audit,
    },
    result: { sha256: hashOf(file.result), audit: file.result_audit },
    days: [
      formatDay(dayOf(Date.parse(result.contest.begins_at))),
      formatDay(commitment.first_day + file.keys.days.length - 1),
    ],
    shocks: { before: commitment.shocks.length, during: market.shocks.length },
    traded: { total, listed, checked: checkedTraded },
    closing: {
      ...{ listed: Object.keys(result.marks).length, checked: checkedClosing, others },
      lateMs: closed - Date.parse(result.contest.ends_at),
    },
    unproven: [...unproven].map(([reason, { count, symbols }]) => ({
      ...{ reason, count, symbols: [...symbols].sort() },
    })),
    early: { count: earlyCount, ms: earlyMs },
    ...{ oldestMs, disagreements },
  };
}
