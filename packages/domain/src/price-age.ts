/** How old the last price of an open market may be (A37). Server and browser use the same thresholds. */
import type { MarketType } from './pairs.ts';
import { minuteMs } from './time.ts';

const cryptoStaleAfterMs = 15_000;
const staleAfterMs = minuteMs;

/** The age in ms from which on a price opens nothing; `staleAfterS` is the operator's setting, null applies the market's. */
export const getStaleAfterMs = (type: MarketType, staleAfterS: number | null): number => {
  if (staleAfterS !== null) return staleAfterS * 1000;
  return type === 'crypto' ? cryptoStaleAfterMs : staleAfterMs;
};

/** A provider whose own time is further behind than this is for display only. */
export const delayedAfterMinutes = 20;
