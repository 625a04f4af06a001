/** Markets, candles, books and tickers: what a caller without a key reads, too. */
export const marketDataRoutes = [] as const;
