/**
 * The last trades of markets whose trades nobody streams (A114): one for each price that traded, made when somebody looks.
 * Invariant: what was shown once is shown again, as long as it is among the last fifty.
 */
import {
  type MarketTrade,
  modelledTrade,
  type PricedInstant,
  type Size,
  type TradingPair,
} from '@fulcrum/domain';

/** The most trades of a symbol, streamed ones too. */
export const tradesMax = 50;

interface TradedPrice extends PricedInstant {
  readonly before: PricedInstant | null;
  readonly minuteVolume: Size;
  /** Made at the first look. */
  trade: MarketTrade | null;
}

/** Two numbers of 32 bits. */
type TradeDraws = (symbol: string, priced: PricedInstant) => readonly [number, number];

export class ModelledTrades {
  readonly #draws: TradeDraws;
  /** The oldest first. */
  readonly #prices = new Map<string, TradedPrice[]>();

  constructor(draws: TradeDraws) {
    this.#draws = draws;
  }

  /** A price that trades; the same one again is none. */
  observe(symbol: string, { price, at }: PricedInstant, minuteVolume: Size): void {
    const prices = this.#prices.get(symbol) ?? [];
    const last = prices.at(-1);
    if (last?.at === at) return;
    const before = last ? { price: last.price, at: last.at } : null;
    prices.push({ price, at, before, minuteVolume, trade: null });
    if (prices.length > tradesMax) prices.shift();
    this.#prices.set(symbol, prices);
  }

  /** The newest first. */
  of(pair: TradingPair): readonly MarketTrade[] {
    const { symbol } = pair;
    const prices = this.#prices.get(symbol) ?? [];
    return prices.toReversed().map((priced) => {
      const { before, minuteVolume } = priced;
      priced.trade ??= modelledTrade(priced, before, minuteVolume, pair, this.#draws(symbol, priced));
      return priced.trade;
    });
  }

  clear(): void {
    this.#prices.clear();
  }
}
