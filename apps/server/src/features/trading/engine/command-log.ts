/**
 * The command log of a run of the engine, in order. It holds the reads from the store, the ticks that crossed
 * something, and every decided command with everything that its decision read. `replay` runs it through `decide`
 * alone. Invariant: a command is in the log once its batch is committed, in the order of the ledger.
 */
import type {
  Command,
  MarketContext,
  MarketView,
  Order,
  Percent,
  Position,
  Price,
  Quote,
  QuotedBook,
  Refusal,
} from '@fulcrum/domain';
import type { StoredAccount } from './store.ts';

/** An account, or a row that is no longer open, was read from the store. */
export interface RecordedRead {
  readonly kind: 'read';
  readonly accounts: readonly StoredAccount[];
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}
/** A tick crossed something and its crossings joined the queue. */
export interface RecordedTick {
  readonly kind: 'tick';
  readonly symbol: string;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
export interface RecordedCommand {
  readonly kind: 'command';
  readonly accountId: string;
  readonly command: Command;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly priceTolerance: Percent;
  /** The quotes that the decision read; undefined for a symbol without one. */
  readonly quotes: ReadonlyMap<string, Quote | undefined>;
  /** The books that it read, likewise. */
  readonly bookOf: ReadonlyMap<string, QuotedBook | undefined>;
  /** The ids that the decision drew, in order. */
  readonly ids: readonly string[];
  readonly outcome: 'accepted' | Refusal['code'];
}
export type CommandLogEntry = RecordedRead | RecordedTick | RecordedCommand;
export type CommandLog = (entry: CommandLogEntry) => void;

/** Wraps `context` and records what is read from it. */
export function recording(context: MarketContext): {
  readonly context: MarketContext;
  readonly quotes: Map<string, Quote | undefined>;
  readonly bookOf: Map<string, QuotedBook | undefined>;
  readonly ids: string[];
} {
  const quotes = new Map<string, Quote | undefined>();
  const bookOf = new Map<string, QuotedBook | undefined>();
  const ids: string[] = [];
  const market: MarketView = {
    pair: (symbol) => context.market.pair(symbol),
    isListed: (symbol) => context.market.isListed?.(symbol) ?? true,
    quote: (symbol) => {
      const quote = context.market.quote(symbol);
      quotes.set(symbol, quote);
      return quote;
    },
    book: (symbol, profile) => {
      const book = context.market.book?.(symbol, profile);
      bookOf.set(symbol, book);
      return book;
    },
  };
  const newId = () => {
    const id = context.newId();
    ids.push(id);
    return id;
  };
  return { context: { ...context, market, newId }, quotes, bookOf, ids };
}
