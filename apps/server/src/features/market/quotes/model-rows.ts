/**
 * The model rows of the markets (A114): what a modelled book is made of, once a minute for each symbol. The half-spread is that of
 * the market's class, wider in restless and in thin times; the volatility is that of the last 15 closed minutes, scaled to a day.
 *
 * Known limitation: after a start a market has the typical volatility of its class until five minutes are closed.
 */
import {
  asSize,
  type MarketType,
  type ModelRow,
  minuteMs,
  nextClosing,
  type Price,
  parseDecimal,
  type Size,
  type TradingPair,
  UNIT,
} from '@fulcrum/domain';
import type { MarketPrice } from '../price.ts';

const minutesMax = 15;
const minutesMin = 5;
const minutesPerDay = 1_440;
/** The depth before the close of a session, in per cent of its usual one, and for how long. */
const thinDepth = 50;
const thinMs = 15 * minuteMs;

interface Typical {
  /** Half of the spread and volatility of a day, in 1e-8 of the price. */
  readonly halfSpread: bigint;
  readonly volatility: bigint;
  /** What is traded a day where nobody states it, USDT. */
  readonly turnover: bigint;
}
const basisPoint = UNIT / 10_000n;
const percent = UNIT / 100n;
const typical: Readonly<Record<MarketType, Typical>> = {
  crypto: { halfSpread: basisPoint / 2n, volatility: 3n * percent, turnover: 200_000_000n },
  stock: { halfSpread: basisPoint, volatility: (3n * percent) / 2n, turnover: 2_000_000_000n },
  forex: { halfSpread: (3n * basisPoint) / 10n, volatility: percent / 2n, turnover: 5_000_000_000n },
  commodity: {
    halfSpread: (3n * basisPoint) / 2n,
    volatility: (3n * percent) / 2n,
    turnover: 1_000_000_000n,
  },
  index: { halfSpread: basisPoint / 2n, volatility: percent, turnover: 5_000_000_000n },
};
/** Bounds of the volatility, in per cent of the typical one. */
const restlessness = { min: 40n, max: 500n } as const;

interface Observed {
  /** Of the minute that is not over. */
  minute: number;
  last: number;
  /** The last prices of closed minutes in a row, the oldest first. */
  closes: number[];
  row: ModelRow | null;
}

/** What is known of a market, for a process that goes on from here. */
export interface ObservedMarket extends Readonly<Observed> {
  readonly symbol: string;
}

export class ModelRows {
  readonly #markets = new Map<string, Observed>();

  observed(): ObservedMarket[] {
    return [...this.#markets].map(([symbol, market]) => ({ symbol, ...market }));
  }

  /** Goes on from what another process has observed. */
  adopt(markets: readonly ObservedMarket[]): void {
    this.#markets.clear();
    for (const { symbol, ...market } of markets) this.#markets.set(symbol, { ...market });
  }

  /** Takes a tick into account. `at`: the market's own time, ms since the epoch. */
  observe(symbol: string, price: Price, at: number): void {
    const minute = Math.floor(at / minuteMs);
    const market = this.#markets.get(symbol);
    if (!market) {
      this.#markets.set(symbol, { minute, last: Number(price), closes: [], row: null });
      return;
    }
    if (minute !== market.minute) {
      // A gap ends the series: its jump is no minute's.
      market.closes =
        minute === market.minute + 1 ? [...market.closes, market.last].slice(-minutesMax - 1) : [];
      market.minute = minute;
      market.row = null;
    }
    market.last = Number(price);
  }

  rowOf(pair: TradingPair, price: MarketPrice): ModelRow {
    const market = this.#markets.get(pair.symbol);
    if (market?.row) return market.row;
    const row = makeRow(pair, price, market?.closes ?? []);
    if (market) market.row = row;
    return row;
  }
}

function makeRow(pair: TradingPair, price: MarketPrice, closes: readonly number[]): ModelRow {
  const usual = typical[pair.type];
  const percentOfUsual = ((volatilityOf(closes) ?? usual.volatility) * 100n) / usual.volatility;
  const restless = clamp(percentOfUsual, restlessness.min, restlessness.max);
  return {
    halfSpread: (usual.halfSpread * restless) / 100n,
    volatility: (usual.volatility * restless) / 100n,
    dayVolume: dayVolumeOf(price, usual),
    depth: depthOf(pair, price.marketTime),
  };
}

const clamp = (value: bigint, min: bigint, max: bigint): bigint =>
  value < min ? min : value > max ? max : value;

/** Of a day in 1e-8 of the price, from the logarithmic returns of minutes; null for too few. */
function volatilityOf(closes: readonly number[]): bigint | null {
  if (closes.length <= minutesMin) return null;
  let sum = 0;
  for (let i = 1; i < closes.length; i += 1) sum += Math.log((closes[i] ?? 1) / (closes[i - 1] ?? 1)) ** 2;
  const ofMinute = Math.sqrt(sum / (closes.length - 1));
  return BigInt(Math.round(ofMinute * Math.sqrt(minutesPerDay) * Number(UNIT)));
}

/** What the source states of the last 24 hours, else the typical turnover at this price; whole base units. */
function dayVolumeOf({ volume, price }: MarketPrice, { turnover }: Typical): Size {
  const stated = volume > 0 ? parseDecimal(Math.floor(volume).toFixed(0)) : 0n;
  return asSize(stated > 0n ? stated : (turnover * UNIT * UNIT) / price);
}

function depthOf({ tradingHours }: TradingPair, at: number): number {
  const closing = nextClosing(tradingHours, at);
  return closing !== null && closing - at < thinMs ? thinDepth : 100;
}
