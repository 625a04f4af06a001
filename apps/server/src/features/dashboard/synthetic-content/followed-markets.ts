/** The markets that headlines and sentiment are about, with the known figures of each. */
import { isMarketOpen, type TradingPair } from '@fulcrum/domain';
import type { Jump } from './jumps.ts';
import type { PriceHistory } from './price-history.ts';

/** Always followed; others join while they move the most. */
export const followedSymbols: readonly string[] = [
  ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT', 'LINKUSDT', 'AVAXUSDT'],
  ...['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA', 'JPM', 'XOM'],
  ...['SPX', 'NDX', 'FTSE', 'NIKKEI'],
  ...['XAUUSD', 'XAGUSD', 'WTIUSD', 'BCOUSD', 'NGUSD', 'HGUSD'],
  ...['EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD'],
];

/** What the provider of a polled market stated about its day at a read. */
export interface DaySnapshot {
  /** Ms since the epoch. */
  readonly at: number;
  readonly price: number;
  readonly dayPercent: number;
}

export interface FollowedMarket {
  readonly pair: TradingPair;
  /** Empty where reading bars would use a provider's small budget. */
  readonly history: PriceHistory;
  readonly jumps: readonly Jump[];
  /** From how many per cent of an hour on a move counts as one. */
  readonly jumpThreshold: number;
  /** Oldest first; of polled markets only. */
  readonly daySnapshots: readonly DaySnapshot[];
}

/** Input of the generator: the same input and the same instant give the same items. */
export interface MarketSnapshot {
  /** Ms since the epoch. */
  readonly now: number;
  readonly markets: readonly FollowedMarket[];
  /** Change over 24 hours of every priced market in per cent, by symbol. */
  readonly dayPercents: ReadonlyMap<string, number>;
}

/** Whether it trades by its own hours, whatever hours the simulation uses: no headline is about shares on a Sunday. */
export const tradesAt = ({ tradingHours }: TradingPair, instant: number): boolean =>
  isMarketOpen(tradingHours, instant);
