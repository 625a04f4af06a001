/**
 * Holds back a price that is absurd against the last one (a split, a bad print) until the market has confirmed it
 * (A106): three consecutive ticks within 1 % of each other over at least 10 s of market time. While it holds, nothing
 * trades (A110).
 */
import type { MarketType } from '@fulcrum/domain';

const confirmations = 3;
const confirmationMs = 10_000;
const agreementPct = 1;
/** What is further than this from the last price is absurd at first: of ticks here, of recorded candles, and of wicks of bars. */
export const jumpPct = {
  crypto: 30,
  stock: 15,
  forex: 15,
  commodity: 15,
  index: 15,
} as const satisfies Record<MarketType, number>;

export interface JumpGuard {
  /** Whether `price` may follow `last`; `marketTime` in ms. */
  admits(last: number, price: number, marketTime: number): boolean;
}

export function createJumpGuard(type: MarketType): JumpGuard {
  let held: { readonly price: number; readonly since: number; count: number } | null = null;
  return {
    admits(last, price, marketTime) {
      if (distancePct(last, price) <= jumpPct[type]) {
        held = null;
        return true;
      }
      // A time that went back (the clock was set) measures nothing: the count restarts there.
      if (held === null || marketTime < held.since || distancePct(held.price, price) > agreementPct) {
        held = { price, since: marketTime, count: 1 };
        return false;
      }
      held.count += 1;
      if (held.count < confirmations || marketTime - held.since < confirmationMs) return false;
      held = null;
      return true;
    },
  };
}

export const distancePct = (from: number, to: number): number => Math.abs(to / from - 1) * 100;
