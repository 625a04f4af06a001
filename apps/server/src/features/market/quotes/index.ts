/**
 * Quotes (A114): a bid, an ask and levels for every priced symbol, computed when somebody looks or trades. A modelled book is a pure
 * function of the day's key, the symbol, the instant of the price, the price, the model row and the profile, which is what its id says.
 * A live one is what the exchange streams, while the price trades and the book lies within the jump that a price may make; its id
 * names its levels, and whoever names the id has to store them.
 */
import { createCipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { PriceState } from '@fulcrum/contract';
import {
  dayMs,
  drawsPerBook,
  fillTerms,
  liveBook,
  type MarketTrade,
  type ModelRow,
  minuteVolumeOf,
  modelledBook,
  type QuotedBook,
  type QuotedProfile,
  type StreamedBook,
  type TradingPair,
  toNumber,
} from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import { distancePct, jumpPct } from '../jump-guard.ts';
import type { MarketPrice } from '../price.ts';
import { ModelRows, type ObservedMarket } from './model-rows.ts';
import { ModelledTrades } from './modelled-trades.ts';
import { formatLiveQuoteId, formatQuoteId, parseQuoteId, type QuoteInputs } from './quote-id.ts';

export interface Quotes {
  /** The exchange's book at `now`, ms since the epoch, else that of the last price; undefined without one. */
  book(symbol: string, profile: QuotedProfile, now: number): QuotedBook | undefined;
  /** Likewise, for a list of many markets: it counts for none as a look at its book. */
  peek(symbol: string, profile: QuotedProfile, now: number): QuotedBook | undefined;
  /** The modelled book that an id of `book` names; null for any other id. */
  rebuild(symbol: string, quoteId: string): QuotedBook | null;
  /** The last trades of the market, the newest first: the exchange's where it streams them, else those that its prices would be. */
  trades(symbol: string): MarketTrades;
  /** What books are modelled from: a process that adopts it and sees the same prices from then on has the same books. */
  observed(): ObservedMarket[];
  adopt(observed: readonly ObservedMarket[]): void;
  start(): void;
  stop(): void;
}

interface MarketTrades {
  readonly source: 'live' | 'modelled';
  readonly trades: readonly MarketTrade[];
}

interface QuotesDependencies {
  readonly bus: Bus;
  readonly key: Uint8Array;
  readonly pair: (symbol: string) => TradingPair | undefined;
  readonly price: (symbol: string) => MarketPrice | undefined;
  /** What an exchange streams; left out, all books are modelled. */
  readonly live?: {
    /** What it has sent in the last seconds before `now`. */
    readonly streamed: (symbol: string, now: number) => StreamedBook | undefined;
    /** Its last trades, the newest first. */
    readonly trades: (symbol: string) => readonly MarketTrade[];
    readonly isStale: (symbol: string, now: number) => boolean;
    /** Called with each symbol whose book is read. */
    readonly onRead: (symbol: string) => void;
  };
}

/** States of a price that something trades at. */
const tradingStates: ReadonlySet<PriceState> = new Set(['live', 'replay', 'simulated']);
/** Keys of days that are at hand; a rebuild may ask for any day. */
const daysMax = 4;
const drawBytes = 4 * drawsPerBook;
const noIv = Buffer.alloc(16);
const noDraws = Buffer.alloc(drawBytes);

export function createQuotes({ bus, key, pair, price, live }: QuotesDependencies): Quotes {
  const secret = createSecretKey(key);
  const rows = new ModelRows();
  const dayKeys = new Map<number, KeyObject>();
  /** The last book of each symbol and profile: a batch and a screen ask for the same one again and again. */
  const computed = new Map<
    string,
    { readonly at: number; readonly mid: bigint; readonly book: QuotedBook }
  >();
  /** Likewise the last live one. */
  const converted = new Map<
    string,
    { readonly of: StreamedBook; readonly row: ModelRow; readonly book: QuotedBook | null }
  >();
  const traded = new ModelledTrades((symbol, { price: at, at: instant }) => {
    const digest = createHmac('sha256', dayKeyOf(instant)).update(
      `trade\u0000${symbol}\u0000${instant}\u0000${at}`,
    );
    const bytes = digest.digest();
    return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  });
  let stopListening = (): void => {};

  function dayKeyOf(at: number): KeyObject {
    const day = Math.floor(at / dayMs);
    const known = dayKeys.get(day);
    if (known) return known;
    const made = createSecretKey(createHmac('sha256', secret).update(`book\u0000${day}`).digest());
    const [oldest] = dayKeys.keys();
    if (dayKeys.size >= daysMax && oldest !== undefined) dayKeys.delete(oldest);
    dayKeys.set(day, made);
    return made;
  }

  /** AES-256 in counter mode under a key of the symbol, the instant and the price. */
  function drawsOf({ symbol, at, mid }: Pick<QuoteInputs, 'symbol' | 'at' | 'mid'>): Uint32Array {
    const seed = createHmac('sha256', dayKeyOf(at)).update(`${symbol}\u0000${at}\u0000${mid}`).digest();
    const bytes = createCipheriv('aes-256-ctr', seed, noIv).update(noDraws);
    return Uint32Array.from({ length: drawsPerBook }, (_, i) => bytes.readUInt32LE(4 * i));
  }

  function compute(inputs: QuoteInputs, quoteId: string): QuotedBook | undefined {
    const { symbol, profile, at, mid, row } = inputs;
    const listed = pair(symbol);
    if (!listed) return undefined;
    const book = modelledBook(mid, listed, row, fillTerms[profile], drawsOf(inputs));
    return { ...book, source: 'modelled', quoteId, mid, at, minuteVolume: minuteVolumeOf(row) };
  }

  /** The exchange's book while its price trades: a held, stale or closed one has the book of the last price. */
  function liveOf(
    listed: TradingPair,
    last: MarketPrice,
    row: ModelRow,
    profile: QuotedProfile,
    now: number,
  ): QuotedBook | null {
    const { symbol } = listed;
    if (last.state !== 'live' || last.held || live?.isStale(symbol, now)) return null;
    const of = live?.streamed(symbol, now);
    if (!of || isFar(of, last, listed)) return null;
    const name = `${profile} ${symbol}`;
    const known = converted.get(name);
    if (known?.of === of && known.row === row) return known.book;
    const at = of.receivedAt;
    const made = liveBook(of, listed, fillTerms[profile], {
      row,
      draws: drawsOf({ symbol, at, mid: last.price }),
    });
    const source = of.isBestOnly ? 'live_best' : 'live';
    const quoteId = made && formatLiveQuoteId(secret, { symbol, profile, at, ...made });
    const book =
      made && quoteId !== null
        ? ({ ...made, source, quoteId, at, minuteVolume: minuteVolumeOf(row) } as const)
        : null;
    converted.set(name, { of, row, book });
    return book;
  }

  function peek(symbol: string, profile: QuotedProfile, now: number): QuotedBook | undefined {
    const [listed, last] = [pair(symbol), price(symbol)];
    if (!listed || !last) return undefined;
    const row = rows.rowOf(listed, last);
    const streamed = liveOf(listed, last, row, profile, now);
    if (streamed) return streamed;
    const { price: mid, pricedAt: at } = last;
    const name = `${profile} ${symbol}`;
    const known = computed.get(name);
    if (known?.at === at && known.mid === mid) return known.book;
    const inputs = { symbol, profile, at, mid, row };
    const book = compute(inputs, formatQuoteId(secret, inputs));
    if (book) computed.set(name, { at, mid, book });
    return book;
  }

  return {
    peek,
    book(symbol, profile, now) {
      if (pair(symbol) && price(symbol)) live?.onRead(symbol);
      return peek(symbol, profile, now);
    },
    rebuild(symbol, quoteId) {
      const inputs = parseQuoteId(secret, symbol, quoteId);
      return (inputs && compute(inputs, quoteId)) ?? null;
    },
    trades(symbol) {
      const streamed = live?.trades(symbol) ?? [];
      if (streamed.length > 0) return { source: 'live', trades: streamed };
      const listed = pair(symbol);
      return { source: 'modelled', trades: listed ? traded.of(listed) : [] };
    },
    observed: () => rows.observed(),
    adopt(observed) {
      rows.adopt(observed);
      computed.clear();
      converted.clear();
    },
    start() {
      stopListening = bus.subscribe('market.tick', ({ symbol }) => {
        const [listed, last] = [pair(symbol), price(symbol)];
        if (!listed || !last) return;
        rows.observe(symbol, last.price, last.marketTime);
        if (!tradingStates.has(last.state) || last.held) return;
        const volume = minuteVolumeOf(rows.rowOf(listed, last));
        traded.observe(symbol, { price: last.price, at: last.pricedAt }, volume);
      });
    },
    stop() {
      stopListening();
      computed.clear();
      converted.clear();
      traded.clear();
    },
  };
}

/** Whether a side lies where the jump guard would hold a price (A106). */
function isFar({ bids, asks }: StreamedBook, { price }: MarketPrice, { type }: TradingPair): boolean {
  const last = toNumber(price);
  return [bids[0], asks[0]].some(
    (best) => best !== undefined && distancePct(last, toNumber(best.price)) > jumpPct[type],
  );
}
