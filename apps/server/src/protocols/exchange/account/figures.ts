/** Figures of the account as `/fapi` shows them, by the domain's own formulas and the present marks. */
import {
  asMoney,
  asPrice,
  divideRounded,
  greatestValueAt,
  MAINTENANCE_RATE_UNIT,
  type Money,
  maintenanceBrackets,
  maintenanceMargin,
  multiply,
  NO_MONEY,
  type Price,
  rulesOf,
  type TradingPair,
  toDecimalString,
  toNumber,
  UNIT,
} from '@fulcrum/domain';
import type { Market } from '../../../features/market/index.ts';
import { type AccountState, leverageOf, type OpenPosition, type Waiting } from './reads.ts';

/** The last price of a symbol; undefined where it never had one. */
type MarkOf = (symbol: string) => Price | undefined;

/** The present ones. */
export const marksOf =
  (market: Pick<Market, 'price'>): MarkOf =>
  (symbol) => {
    const last = market.price(symbol);
    return last && asPrice(last.price);
  };

const text = (units: bigint): string => toDecimalString(units);
const isolated = { positionSide: 'BOTH' } as const;

/** Without a mark it is worth what was paid for it. */
const markOfPosition = (position: OpenPosition, markOf: MarkOf): Price =>
  markOf(position.symbol) ?? position.entryPrice;

const pnlOf = (position: OpenPosition, markOf: MarkOf): Money =>
  rulesOf('perpetual').unrealizedPnl(position, markOfPosition(position, markOf));

/** Where the result pays for fees and funding so far. */
function breakEvenPrice({ side, size, entryValue, fees, funding }: OpenPosition): Price {
  const cost = fees - funding;
  const value = side === 'BUY' ? entryValue + cost : entryValue - cost;
  return asPrice(divideRounded(value * UNIT, size, 'half-away-from-zero'));
}

interface SymbolState {
  /** At the door. */
  readonly id: string;
  readonly pair: TradingPair;
  readonly leverage: number;
  readonly position: OpenPosition | undefined;
  readonly waiting: Waiting | undefined;
}

/** What a row says of a symbol wherever it is shown. */
function rowOf({ id, pair, leverage, position, waiting }: SymbolState, markOf: MarkOf) {
  const sign = position?.side === 'SELL' ? -1n : 1n;
  const reserved = waiting?.reserved ?? NO_MONEY;
  const margin = position?.margin ?? NO_MONEY;
  const value = position ? multiply(markOfPosition(position, markOf), position.size) : NO_MONEY;
  const pnl = position ? pnlOf(position, markOf) : NO_MONEY;
  const shared = {
    symbol: id,
    ...isolated,
    positionAmt: text(sign * (position?.size ?? 0n)),
    entryPrice: text(position?.entryPrice ?? 0n),
    breakEvenPrice: text(position ? breakEvenPrice(position) : 0n),
    leverage: String(leverage),
    isolatedWallet: text(margin),
    isolatedMargin: text(position ? margin + pnl : 0n),
    notional: text(sign * value),
    initialMargin: text(margin + reserved),
    maintMargin: text(position ? maintenanceMargin(pair.type, position.entryValue) : 0n),
    positionInitialMargin: text(margin),
    openOrderInitialMargin: text(reserved),
    bidNotional: text(waiting?.bid ?? 0n),
    askNotional: text(waiting?.ask ?? 0n),
    updateTime: position?.updatedAt.getTime() ?? 0,
  };
  return { shared, pnl, max: text(greatestValueAt(pair.type, leverage) ?? 0n) };
}

export function toPositionRisk(state: SymbolState, markOf: MarkOf) {
  const { shared, pnl, max } = rowOf(state, markOf);
  const { position, pair } = state;
  return {
    ...shared,
    markPrice: text(markOf(pair.symbol) ?? 0n),
    unRealizedProfit: text(pnl),
    liquidationPrice: text(position?.liquidationPrice ?? 0n),
    marginAsset: 'USDT',
    marginType: 'isolated',
    isAutoAddMargin: 'false',
    maxNotionalValue: max,
    adl: 0,
  } as const;
}

export function toAccountPosition(state: SymbolState, markOf: MarkOf) {
  const { shared, pnl, max } = rowOf(state, markOf);
  return { ...shared, unrealizedProfit: text(pnl), isolated: true, maxNotional: max } as const;
}

/** The rows of an account: those in use, else every one of `pairs`. */
export function symbolStates(
  { positions, waiting, leverages }: AccountState,
  pairs: readonly TradingPair[],
  idOf: (symbol: string) => string,
  which: 'in use' | 'all',
): SymbolState[] {
  const bySymbol = new Map(positions.map((position) => [position.symbol, position]));
  const all = pairs.map((pair): SymbolState => {
    const position = bySymbol.get(pair.symbol);
    return {
      ...{ id: idOf(pair.symbol), pair, position, waiting: waiting.get(pair.symbol) },
      leverage: position?.leverage ?? leverageOf(leverages, pair.symbol),
    };
  });
  return which === 'all' ? all : all.filter((state) => state.position ?? state.waiting);
}

/** Sums of the account. */
export function totalsOf(
  { balance, available, positions, waiting, updatedAt }: AccountState,
  pairOf: (symbol: string) => TradingPair | undefined,
  markOf: MarkOf,
) {
  const sum = <Row>(rows: Iterable<Row>, figure: (row: Row) => bigint): bigint =>
    [...rows].reduce((total, row) => total + figure(row), 0n);
  const margin = sum(positions, (position) => position.margin);
  const reserved = sum(waiting.values(), (one) => one.reserved);
  const pnl = sum(positions, (position) => pnlOf(position, markOf));
  const maintenance = sum(positions, ({ symbol, entryValue }) => {
    const pair = pairOf(symbol);
    return pair ? maintenanceMargin(pair.type, entryValue) : 0n;
  });
  return {
    walletBalance: text(balance),
    unrealizedProfit: text(pnl),
    marginBalance: text(balance + pnl),
    initialMargin: text(margin + reserved),
    maintMargin: text(maintenance),
    positionInitialMargin: text(margin),
    openOrderInitialMargin: text(reserved),
    // Positions are isolated: the rest of the balance is what all of them share.
    crossWalletBalance: text(balance - margin),
    crossUnPnl: '0',
    availableBalance: text(available),
    maxWithdrawAmount: text(available),
    updateTime: updatedAt.getTime(),
  };
}

/** Exactly the brackets that liquidations follow from. */
export const bracketsOf = ({ type }: TradingPair) =>
  maintenanceBrackets[type].map(({ floor, cap, maxLeverage, mmr, cum }, index) => ({
    bracket: index + 1,
    initialLeverage: maxLeverage,
    notionalCap: toNumber(cap),
    notionalFloor: toNumber(floor),
    maintMarginRatio: toNumber(asMoney((mmr * UNIT) / MAINTENANCE_RATE_UNIT)),
    cum: toNumber(cum),
  }));
