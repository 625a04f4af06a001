/**
 * Quotes (A114): a bid, an ask and levels for every priced symbol, computed when somebody looks or trades. A modelled book is a pure
 * function of the day's key, the symbol, the instant of the price, the price, the model row and the profile, which is what its id says.
 */
import { createCipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import {
  dayMs,
  drawsPerBook,
  fillTerms,
  minuteVolumeOf,
  modelledBook,
  type QuotedBook,
  type QuotedProfile,
  type TradingPair,
} from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import type { MarketPrice } from '../price.ts';
import { ModelRows } from './model-rows.ts';
import { formatQuoteId, parseQuoteId, type QuoteInputs } from './quote-id.ts';

export interface Quotes {
  /** The book of the last price; undefined without one. */
  book(symbol: string, profile: QuotedProfile): QuotedBook | undefined;
  /** The book that an id of `book` names; null for any other id. */
  rebuild(symbol: string, quoteId: string): QuotedBook | null;
  start(): void;
  stop(): void;
}

export interface QuotesDependencies {
  readonly bus: Bus;
  readonly key: Uint8Array;
  readonly pair: (symbol: string) => TradingPair | undefined;
  readonly price: (symbol: string) => MarketPrice | undefined;
}

/** Keys of days that are at hand; a rebuild may ask for any day. */
const daysMax = 4;
const drawBytes = 4 * drawsPerBook;
const noIv = Buffer.alloc(16);
const noDraws = Buffer.alloc(drawBytes);

export function createQuotes({ bus, key, pair, price }: QuotesDependencies): Quotes {
  const secret = createSecretKey(key);
  const rows = new ModelRows();
  const dayKeys = new Map<number, KeyObject>();
  /** The last book of each symbol and profile: a batch and a screen ask for the same one again and again. */
  const computed = new Map<
    string,
    { readonly at: number; readonly mid: bigint; readonly book: QuotedBook }
  >();
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
  function drawsOf({ symbol, at, mid }: QuoteInputs): Uint32Array {
    const seed = createHmac('sha256', dayKeyOf(at)).update(`${symbol}\u0000${at}\u0000${mid}`).digest();
    const bytes = createCipheriv('aes-256-ctr', seed, noIv).update(noDraws);
    return Uint32Array.from({ length: drawsPerBook }, (_, i) => bytes.readUInt32LE(4 * i));
  }

  function compute(inputs: QuoteInputs, quoteId: string): QuotedBook | undefined {
    const { symbol, profile, at, mid, row } = inputs;
    const listed = pair(symbol);
    if (!listed) return undefined;
    const book = modelledBook(mid, listed, row, fillTerms[profile], drawsOf(inputs));
    return { ...book, quoteId, mid, at, minuteVolume: minuteVolumeOf(row) };
  }

  return {
    book(symbol, profile) {
      const [listed, last] = [pair(symbol), price(symbol)];
      if (!listed || !last) return undefined;
      const { price: mid, pricedAt: at } = last;
      const name = `${profile} ${symbol}`;
      const known = computed.get(name);
      if (known?.at === at && known.mid === mid) return known.book;
      const inputs = { symbol, profile, at, mid, row: rows.rowOf(listed, last) };
      const book = compute(inputs, formatQuoteId(secret, inputs));
      if (book) computed.set(name, { at, mid, book });
      return book;
    },
    rebuild(symbol, quoteId) {
      const inputs = parseQuoteId(secret, symbol, quoteId);
      return (inputs && compute(inputs, quoteId)) ?? null;
    },
    start() {
      stopListening = bus.subscribe('market.tick', ({ symbol }) => {
        const last = price(symbol);
        if (last) rows.observe(symbol, last.price, last.marketTime);
      });
    },
    stop() {
      stopListening();
      computed.clear();
    },
  };
}
