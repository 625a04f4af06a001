/**
 * What a signal means in its account, as steps that the trading feature can execute. Invariants: the plan is made once and stored, so
 * a repeat after a crash does the same; a step's client id follows from the signal's id and the number of the step.
 *
 * A buy or a sell of an account with net positions is one order, which makes the position larger, smaller or turns it to the other
 * side. Elsewhere positions of both sides stand side by side, so the stated market position decides what is closed first.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  asSize,
  divideRounded,
  NET_LEVERAGE,
  oppositeOf,
  type Price,
  type Side,
  type Size,
  type TradingPair,
  toDecimalString,
  UNIT,
} from '@fulcrum/domain';
import type { Holding, SignalAccount } from './account.ts';
import type { Signal } from './parse.ts';

/** Decimals are texts, as the table API has them. */
export interface OrderStep {
  readonly kind: 'place';
  readonly symbol: string;
  readonly type: 'MARKET' | 'LIMIT';
  readonly side: Side;
  readonly size: string;
  readonly price: string | null;
  readonly leverage: number;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  readonly reduceOnly: boolean;
}
interface CloseStep {
  readonly kind: 'close';
  readonly positionId: string;
  /** The size of a partial close; null closes all. */
  readonly size: string | null;
}
interface CancelStep {
  readonly kind: 'cancel';
  readonly orderId: string;
}
export type Step = OrderStep | CloseStep | CancelStep;

export interface Plan {
  readonly steps: readonly Step[];
  readonly summary: string;
}

export interface PlanInput {
  readonly signal: Signal;
  readonly account: SignalAccount;
  readonly holding: Holding;
  readonly pair: TradingPair;
  /** The present price; null where none is known. */
  readonly price: Price | null;
}

const actionNames = { buy: 'Buy', sell: 'Sell', exit: 'Close', cancel: 'Cancel orders in' } as const;

/** What a signal states, for one that has no plan. */
export const outlineSignal = ({ action, ticker, quantity }: Signal): string =>
  [actionNames[action], ...(quantity === null ? [] : [toDecimalString(quantity)]), ticker.slice(0, 40)].join(
    ' ',
  );

/** The first step has the signal's own id. */
export const clientIdOf = (signalId: string, step: number): string =>
  step === 0 ? signalId : `${signalId}.${step}`;

const refused = (message: string) => new AppError('invalid_argument', message);
const sideNames = { BUY: 'long', SELL: 'short' } as const satisfies Record<Side, string>;
const textOrNull = (units: bigint | null): string | null => (units === null ? null : toDecimalString(units));

/** @throws AppError with the refusal's text */
export function planSignal(input: PlanInput): Plan {
  const { signal } = input;
  if (signal.action === 'cancel') return planCancel(input);
  const side: Side = signal.action === 'sell' ? 'SELL' : 'BUY';
  if (signal.action === 'exit' || signal.stance === 'flat') {
    return planExit(input, signal.action === 'exit' ? signal.exits : null);
  }
  const size = getSize(input);
  if (size === null) throw refused('The signal states no quantity.');
  const isReduction = signal.stance !== null && signal.stance !== (side === 'BUY' ? 'long' : 'short');
  if (isReduction) return planReduction(input, side, size);
  return planEntry(input, side, size);
}

function planCancel({ holding, pair }: PlanInput): Plan {
  if (holding.orders.length === 0) throw refused(`There is no waiting order in ${pair.symbol}.`);
  const orders =
    holding.orders.length === 1 ? 'the waiting order' : `${holding.orders.length} waiting orders`;
  return {
    steps: holding.orders.map((orderId) => ({ kind: 'cancel', orderId })),
    summary: `Cancel ${orders} in ${pair.symbol}`,
  };
}

/** With a market position of flat all positions go; an action of exit may name a side and a quantity. */
function planExit(input: PlanInput, side: Side | null): Plan {
  const { signal, holding, pair } = input;
  const positions = holding.positions.filter((held) => side === null || held.side === side);
  const size = signal.action === 'exit' ? getSize(input) : null;
  const steps = closingSteps(positions, size);
  if (steps.length === 0) throw noPosition(pair, side);
  const which = side === null ? '' : ` ${sideNames[side]}`;
  return { steps, summary: `Close${ofSize(size)}${which} ${pair.symbol}` };
}

/** A sale while the strategy stays long makes the position smaller and never opens a short one, and the other way round. */
function planReduction(input: PlanInput, side: Side, size: Size): Plan {
  const { account, holding, pair } = input;
  const held = oppositeOf(side);
  if (account.rules === 'perpetual') {
    const order = orderStep(input, side, size, true);
    return { steps: [order], summary: `${describeOrder(order)}, reduce only` };
  }
  const steps = closingSteps(
    holding.positions.filter((position) => position.side === held),
    size,
  );
  if (steps.length === 0) throw noPosition(pair, held);
  return { steps, summary: `Close${ofSize(size)} ${sideNames[held]} ${pair.symbol}` };
}

function planEntry(input: PlanInput, side: Side, size: Size): Plan {
  const { signal, account, holding } = input;
  // Only a stated market position says that the other side is to go.
  const isReversal = account.rules !== 'perpetual' && signal.stance !== null;
  const opposite = isReversal ? holding.positions.filter((held) => held.side !== side) : [];
  const order = orderStep(
    input,
    side,
    opposite.length === 0 ? size : sizeAfter(input, opposite, size),
    false,
  );
  const closes =
    opposite.length === 0 ? '' : `Close ${sideNames[oppositeOf(side)]} ${input.pair.symbol}, then `;
  const text = describeOrder(order);
  return {
    steps: [...closingSteps(opposite, null), order],
    summary: closes === '' ? text : closes + text.charAt(0).toLowerCase() + text.slice(1),
  };
}

/**
 * What a reversal opens: the strategy's position after it, where that is stated. The contracts of a strategy's reversal contain
 * what it closes, so that is taken off where something is left.
 */
function sizeAfter({ signal, pair }: PlanInput, closed: Holding['positions'], size: Size): Size {
  if (signal.stanceSize !== null) return toStep(signal.stanceSize, pair);
  const rest = closed.reduce((left, position) => left - position.size, BigInt(size));
  return rest > 0n ? asSize(rest) : size;
}

/** Closes of these positions, in their order, until `size` is closed; null closes all of them. */
function closingSteps(positions: Holding['positions'], size: Size | null): readonly CloseStep[] {
  const steps: CloseStep[] = [];
  let left: bigint | null = size;
  for (const position of positions) {
    if (left !== null && left <= 0n) break;
    const isWhole = left === null || left >= position.size;
    steps.push({ kind: 'close', positionId: position.id, size: isWhole ? null : textOrNull(left) });
    if (left !== null) left -= position.size;
  }
  return steps;
}

function orderStep(input: PlanInput, side: Side, size: Size, reduceOnly: boolean): OrderStep {
  const { signal, pair } = input;
  const { limitPrice, takeProfitPrice, stopLossPrice } = signal;
  return {
    kind: 'place',
    symbol: pair.symbol,
    type: limitPrice === null ? 'MARKET' : 'LIMIT',
    side,
    size: toDecimalString(size),
    price: textOrNull(limitPrice),
    leverage: getLeverage(input),
    takeProfitPrice: textOrNull(takeProfitPrice),
    stopLossPrice: textOrNull(stopLossPrice),
    reduceOnly,
  };
}

/** That of the signal, else of the symbol in an account with net positions, else 1. */
function getLeverage({ signal, account, holding }: PlanInput): number {
  if (signal.leverage !== null) return signal.leverage;
  if (account.rules !== 'perpetual') return 1;
  return holding.leverage ?? Math.min(NET_LEVERAGE, account.leverageMax ?? NET_LEVERAGE);
}

/** In units of the base asset, rounded down to the pair's step; null where the signal states none. */
function getSize({ signal, pair, price }: PlanInput): Size | null {
  const { quantity, isValue, limitPrice } = signal;
  if (quantity === null) return null;
  if (!isValue) return toStep(asSize(quantity), pair);
  if (pair.quoteAsset !== 'USDT' && pair.quoteAsset !== 'USD') {
    throw refused(`${pair.symbol} is not priced in USD. State the quantity in units of ${pair.baseAsset}.`);
  }
  const at = limitPrice ?? price;
  if (at === null) throw new AppError('no_price', texts.noCurrentPrice(pair.symbol));
  return toStep(asSize(divideRounded(quantity * UNIT, at, 'floor')), pair);
}

const toStep = (size: Size, { stepSize }: TradingPair): Size => asSize(size - (size % stepSize));

const noPosition = ({ symbol }: TradingPair, side: Side | null) =>
  refused(`There is no open ${side === null ? '' : `${sideNames[side]} `}position in ${symbol} to close.`);

const ofSize = (size: Size | null): string => (size === null ? '' : ` ${toDecimalString(size)}`);

function describeOrder({
  side,
  size,
  symbol,
  price,
  leverage,
  takeProfitPrice,
  stopLossPrice,
}: OrderStep): string {
  return [
    `${side === 'BUY' ? 'Buy' : 'Sell'} ${size} ${symbol} ${price === null ? 'at the market' : `at ${price}`}`,
    `${leverage}x`,
    ...(takeProfitPrice === null ? [] : [`take profit ${takeProfitPrice}`]),
    ...(stopLossPrice === null ? [] : [`stop loss ${stopLossPrice}`]),
  ].join(', ');
}
