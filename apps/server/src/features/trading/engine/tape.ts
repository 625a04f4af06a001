/**
 * What a run of the engine looked at, in order: what it read from the store, which ticks crossed something, and every
 * command that was decided with everything that its decision could see. `replay` runs it through `decide` alone. Invariant:
 * a command is on the tape once its batch is committed, in the order of the ledger.
 */
import type {
  Command,
  Context,
  FeeRate,
  MarketView,
  Order,
  Percent,
  Position,
  Price,
  Quote,
  Refusal,
  RuleSetName,
} from '@fulcrum/domain';
import type { StoredAccount } from './store.ts';

/** An account, or a row that is no longer open, came from the store into memory. */
export interface TapedRead {
  readonly kind: 'read';
  readonly accounts: readonly StoredAccount[];
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}
/** A tick crossed something and joined the queue. */
export interface TapedTick {
  readonly kind: 'tick';
  readonly symbol: string;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
export interface TapedCommand {
  readonly kind: 'command';
  readonly userId: string;
  readonly command: Command;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
  readonly priceTolerance: Percent;
  /** The quotes that it looked at; undefined for a symbol that had none. */
  readonly quotes: ReadonlyMap<string, Quote | undefined>;
  /** The ids that it drew, in order. */
  readonly ids: readonly string[];
  readonly outcome: 'accepted' | Refusal['code'];
}
export type TapeEntry = TapedRead | TapedTick | TapedCommand;
export type Tape = (entry: TapeEntry) => void;

/** `context` as it is, noting what is taken from it. */
export function noting(context: Context): {
  readonly context: Context;
  readonly quotes: Map<string, Quote | undefined>;
  readonly ids: string[];
} {
  const quotes = new Map<string, Quote | undefined>();
  const ids: string[] = [];
  const market: MarketView = {
    pair: (symbol) => context.market.pair(symbol),
    isListed: (symbol) => context.market.isListed?.(symbol) ?? true,
    quote: (symbol) => {
      const quote = context.market.quote(symbol);
      quotes.set(symbol, quote);
      return quote;
    },
  };
  const newId = () => {
    const id = context.newId();
    ids.push(id);
    return id;
  };
  return { context: { ...context, market, newId }, quotes, ids };
}
