/**
 * Builds a catalogue entry from a row. Rows state the facts that differ between pairs; the limits, hours and assets that a
 * whole market shares are added here and in the market's own file.
 */
import type { TradingPair } from '@fulcrum/domain';

/** The long-run shape of a simulated market: orders of magnitude of about October 2025, not quotations. */
export interface TypicalMarket {
  /** Quote units per base unit. */
  readonly price: number;
  /** Standard deviation of a day's return in percent. */
  readonly dailyVolatilityPct: number;
  /** Traded in a day, in millions of quote units. */
  readonly turnoverMillions: number;
}

export interface ListedPair extends TradingPair {
  /** Null only for a pair of the exchange that is not among the shipped ones: it cannot be simulated. */
  readonly typical: TypicalMarket | null;
  /** What the quote provider calls it (FEED-22 to FEED-26); null where it has no price of it, as for crypto and nickel. */
  readonly yahoo: string | null;
}

/** A pair before it has its place in the list. */
export type Listing = Omit<ListedPair, 'id' | 'sortOrder'>;

/** The session of New York's stock exchanges. */
export const newYorkStockHours = 'America/New_York|Mon-Fri 09:30-16:00';

/** Numbers pairs: `sortOrder` is the position in the list. */
export const withSortOrder = (listings: readonly Listing[]): ListedPair[] =>
  listings.map((listing, sortOrder) => ({ ...listing, id: listing.symbol, sortOrder }));
