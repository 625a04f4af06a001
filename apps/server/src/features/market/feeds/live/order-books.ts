/**
 * What the exchange offers of each symbol (A114): its best prices for all of them, levels and trades for those of use, over a websocket
 * of its own, so that no flood of best prices delays a price.
 * Invariants: a book that came more than 2 s ago is none; no more than 30 symbols have levels and trades; of each symbol the last 50
 * trades are kept, until it is of no use any more.
 * Known limitation: an update counts from its arrival, because the exchange states no time of best prices and levels.
 */
import type { MarketTrade, StreamedBook } from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { BookEvent, MarketEvent, TradeEvent } from '../../providers/binance/frames.ts';
import { tradesMax } from '../../quotes/modelled-trades.ts';

const bookAgeMsMax = 2_000;
export const bookedSymbolsMax = 30;

const bestOf = (symbol: string): string => `${symbol.toLowerCase()}@bookTicker`;
const detailOf = (symbol: string): string[] =>
  ['depth20@100ms', 'aggTrade'].map((stream) => `${symbol.toLowerCase()}@${stream}`);

export interface OrderBooks {
  /** Sets the symbols, and returns the streams that they need. `booked`: in order of need. */
  select(listed: Iterable<string>, booked: ReadonlySet<string>): ReadonlySet<string>;
  take(event: MarketEvent): void;
  book(symbol: string, now: number): StreamedBook | undefined;
  trades(symbol: string): readonly MarketTrade[];
}

export function createOrderBooks(clock: Clock): OrderBooks {
  const best = new Map<string, StreamedBook>();
  const depth = new Map<string, StreamedBook>();
  /** The newest first. */
  const trades = new Map<string, readonly MarketTrade[]>();
  let listed: ReadonlySet<string> = new Set();
  let detailed: ReadonlySet<string> = new Set();

  function takeBook({ kind, symbol, bids, asks }: BookEvent): void {
    const isBestOnly = kind === 'best';
    if (!(isBestOnly ? listed : detailed).has(symbol)) return;
    (isBestOnly ? best : depth).set(symbol, { bids, asks, isBestOnly, receivedAt: clock.now() });
  }

  function takeTrade({ kind: _kind, symbol, ...trade }: TradeEvent): void {
    if (detailed.has(symbol)) trades.set(symbol, [trade, ...(trades.get(symbol) ?? [])].slice(0, tradesMax));
  }

  const forgetOthers = (known: Map<string, unknown>, symbols: ReadonlySet<string>): void => {
    for (const symbol of known.keys()) if (!symbols.has(symbol)) known.delete(symbol);
  };

  return {
    take(event) {
      if (event.kind === 'trade') takeTrade(event);
      else if (event.kind !== 'ticker') takeBook(event);
    },
    select(symbols, booked) {
      listed = new Set(symbols);
      detailed = new Set([...booked].filter((symbol) => listed.has(symbol)).slice(0, bookedSymbolsMax));
      forgetOthers(best, listed);
      for (const known of [depth, trades]) forgetOthers(known, detailed);
      return new Set([...[...listed].map(bestOf), ...[...detailed].flatMap(detailOf)]);
    },
    book(symbol, now) {
      const isFresh = (book: StreamedBook | undefined): boolean =>
        book !== undefined && Math.abs(now - book.receivedAt) <= bookAgeMsMax;
      return [depth.get(symbol), best.get(symbol)].find(isFresh);
    },
    trades: (symbol) => trades.get(symbol) ?? [],
  };
}
