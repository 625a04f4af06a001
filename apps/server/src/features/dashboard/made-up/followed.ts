/** The markets that headlines and sentiment are about, and what is known of each. */
import { isMarketOpen, type TradingPair } from '@fulcrum/domain';
import type { Jump } from './jumps.ts';
import type { Tape } from './tape.ts';

/** Always followed; others join while they move the most. */
export const followedSymbols: readonly string[] = [
  ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT', 'LINKUSDT', 'AVAXUSDT'],
  ...['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA', 'JPM', 'XOM'],
  ...['SPX', 'NDX', 'FTSE', 'NIKKEI'],
  ...['XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD', 'NGUSD', 'HGUSD'],
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD'],
];

/** What a polled market said of its day when it was looked at. */
export interface Sighting {
  /** Ms since the epoch. */
  readonly at: number;
  readonly price: number;
  readonly dayPercent: number;
}

export interface Followed {
  readonly pair: TradingPair;
  /** Empty where bars would have to be asked of a provider with a budget. */
  readonly tape: Tape;
  readonly jumps: readonly Jump[];
  /** From how many per cent of an hour on a move counts as one. */
  readonly jumpFrom: number;
  /** Oldest first; of polled markets only. */
  readonly sightings: readonly Sighting[];
}

/** What the generator is given: the same reading and the same instant make the same items. */
export interface Reading {
  /** Ms since the epoch. */
  readonly now: number;
  readonly markets: readonly Followed[];
  /** Change over 24 hours of every priced market in per cent, by symbol. */
  readonly dayPercents: ReadonlyMap<string, number>;
}

/** Whether it trades by its own hours, whatever hours the simulation keeps: nobody writes about shares on a Sunday. */
export const tradesAt = ({ tradingHours }: TradingPair, instant: number): boolean =>
  isMarketOpen(tradingHours, instant);
