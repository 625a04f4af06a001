/**
 * The fact sheet of an order before it is sent: what it puts at stake, in an account as it is now. Pure. Invariant: a fact that cannot be
 * known is absent, so no warning can speak of it; an order that opens nothing has no sheet.
 *
 * Known limitations: fees are not part of the risk; waiting orders do not count as positions; what an order of a net position closes
 * before it turns to the other side is taken at its average size.
 */
import { averageTrueRange, correlationOf, type HourBar } from '../bar-statistics.ts';
import { type ExposedPosition, exposureOf } from '../exposure.ts';
import { orderValue, requiredMargin } from '../margin.ts';
import {
  asMoney,
  asPrice,
  asSize,
  divideRounded,
  type FeeRate,
  type Money,
  type Price,
  type Size,
  UNIT,
} from '../money.ts';
import type { MarketType } from '../pairs.ts';
import { initialRisk } from '../performance.ts';
import { initialMargin, netLiquidationPrice } from '../perpetual/net-position.ts';
import { mainRulesOf, type RuleSetName } from '../rules.ts';
import type { Side } from '../states.ts';
import type { ShownFact } from './findings.ts';
import { shareOf } from './trade-facts.ts';

const hourFactNames = ['range', 'ranges'] as const;
const dayFactNames = [
  'dayLoss',
  'dayLossMax',
  'dayLossShare',
  'dayTrade',
  'dayTradesMax',
  'coolDown',
] as const;
const orderFactNames = [
  'equity',
  'risk',
  'riskShare',
  'alikeValue',
  'alikeShare',
  'liquidationPrice',
  'liquidationDistance',
  ...hourFactNames,
  ...dayFactNames,
] as const;
export type OrderFactName = (typeof orderFactNames)[number];

export interface OrderAtStake {
  readonly symbol: string;
  readonly side: Side;
  /** What it is expected to open at. */
  readonly price: Price;
  readonly size: Size;
  readonly leverage: number;
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
  readonly tickSize: Price;
  readonly stopLossPrice: Price | null;
  readonly reduceOnly: boolean;
}

export interface OpenPosition extends ExposedPosition {
  readonly margin: Money;
  readonly entryValue: Money | null;
}

/** The account's day (UTC) under the limits of its owner. */
export interface DayAtStake {
  /** Null without such a limit, or while the equity is not known. */
  readonly loss: { readonly soFar: Money; readonly max: Money } | null;
  readonly trades: { readonly soFar: number; readonly max: number } | null;
  /** How long the cool-down lasts, milliseconds; null outside one. */
  readonly coolDown: number | null;
}

export interface AccountAtStake {
  /** Null while a position has no price. */
  readonly equity: Money | null;
  readonly positions: readonly OpenPosition[];
  /** Null without own limits. */
  readonly day: DayAtStake | 'unread' | null;
  readonly marketOf: (symbol: string) => MarketType;
  /** The last whole hours of a market, the oldest first; null where they could not be read. */
  readonly hoursOf: (symbol: string) => readonly HourBar[] | null;
}

/** A position that gains and loses with the order. */
export interface Alike {
  readonly symbol: string;
  /** Two for markets without a correlation: too few hours, or hours that could not be read. */
  readonly basis: 'same symbol' | 'correlation' | 'same market' | 'same market, unread';
  /** Of `correlation`, from -1 to 1. */
  readonly correlation: number | null;
}

export interface OrderSheet {
  readonly facts: Readonly<Partial<Record<OrderFactName, ShownFact>>>;
  readonly alike: readonly Alike[];
  /** Facts that are absent because what they need could not be read. */
  readonly unread: readonly OrderFactName[];
}

/** From this correlation on two markets move alike, or against each other. */
const alikeFrom = 0.7;

const money = (value: Money): ShownFact => ({ unit: 'money', value });
const price = (value: Price): ShownFact => ({ unit: 'price', value });

/** What the order opens, and the position that it is part of then. */
interface Opening {
  readonly size: Size;
  readonly value: Money;
  readonly margin: Money;
  readonly liquidationPrice: Price;
}

/** Null for an order that opens nothing. */
function openingOf(
  order: OrderAtStake,
  { positions, marketOf }: Pick<AccountAtStake, 'positions' | 'marketOf'>,
): Opening | null {
  const { symbol, side, price, size, leverage, rules, feeRate, tickSize, reduceOnly } = order;
  if (reduceOnly || price <= 0n || size <= 0n) return null;
  if (rules !== 'perpetual') {
    const margin = requiredMargin(price, size, leverage);
    if (margin === 0n) return null;
    const terms = { side, entryPrice: price, leverage, tickSize, feeRate };
    const liquidationPrice = mainRulesOf(rules).liquidationPrice(terms);
    return { size, value: orderValue(price, size), margin, liquidationPrice };
  }
  const before = positions.find((position) => position.symbol === symbol) ?? null;
  const isOther = before !== null && before.side !== side;
  const opened = asSize(isOther ? size - before.size : size);
  const value = orderValue(price, opened);
  const margin = initialMargin(value, leverage);
  if (opened <= 0n || margin === 0n) return null;
  const held = before === null || isOther ? null : before;
  const whole = {
    side,
    size: asSize((held?.size ?? 0n) + opened),
    entryValue: asMoney((held ? (held.entryValue ?? orderValue(held.entryPrice, held.size)) : 0n) + value),
    margin: asMoney((held?.margin ?? 0n) + margin),
  };
  return {
    ...{ size: opened, value, margin },
    liquidationPrice: netLiquidationPrice(whole, marketOf(symbol), tickSize),
  };
}

/** Positions of another symbol that move against the order, and those of its own on the other side, are not counted and not deducted. */
function alikeOf(
  { symbol, side }: Pick<OrderAtStake, 'symbol' | 'side'>,
  { positions, marketOf, hoursOf }: AccountAtStake,
): readonly (Alike & { readonly exposure: Money })[] {
  const correlations = new Map<string, number | null>();
  const correlationWith = (other: string): number | null => {
    const known = correlations.get(other);
    if (known !== undefined) return known;
    const [own, others] = [hoursOf(symbol), hoursOf(other)];
    const found = own && others && correlationOf(own, others);
    correlations.set(other, found);
    return found;
  };
  return positions.flatMap((position) => {
    const exposure = exposureOf(position);
    const isSameSide = position.side === side;
    const alike = (basis: Alike['basis'], correlation: number | null = null) => [
      { symbol: position.symbol, basis, correlation, exposure },
    ];
    if (position.symbol === symbol) return isSameSide ? alike('same symbol') : [];
    const correlation = correlationWith(position.symbol);
    if (correlation === null) {
      if (!isSameSide || marketOf(position.symbol) !== marketOf(symbol)) return [];
      const isUnread = hoursOf(symbol) === null || hoursOf(position.symbol) === null;
      return alike(isUnread ? 'same market, unread' : 'same market');
    }
    return (isSameSide ? correlation : -correlation) >= alikeFrom ? alike('correlation', correlation) : [];
  });
}

function dayFacts(day: DayAtStake | null): Partial<Record<OrderFactName, ShownFact>> {
  const { loss = null, trades = null, coolDown = null } = day ?? {};
  return {
    ...(loss !== null &&
      loss.max > 0n && {
        dayLoss: money(loss.soFar),
        dayLossMax: money(loss.max),
        dayLossShare: shareOf(loss.soFar, loss.max),
      }),
    ...(trades !== null && {
      dayTrade: { unit: 'count', value: BigInt(trades.soFar + 1) },
      dayTradesMax: { unit: 'count', value: BigInt(trades.max) },
    }),
    ...(coolDown !== null && { coolDown: { unit: 'ms', value: coolDown } }),
  };
}

/** Null for an order that opens nothing. */
export function orderFactsOf(order: OrderAtStake, account: AccountAtStake): OrderSheet | null {
  const opening = openingOf(order, account);
  if (opening === null) return null;
  const { equity } = account;
  const facts: Partial<Record<OrderFactName, ShownFact>> = {};
  const { rules, side, leverage, stopLossPrice } = order;
  const { size, value, margin, liquidationPrice } = opening;
  const terms = { side, entryPrice: order.price, size, leverage, margin, entryValue: value };
  // A stop loss on the winning side is refused, so it does not limit the loss.
  const risk = initialRisk({ ...terms, rules, initialStopLossPrice: stopLossPrice }) ?? margin;
  facts.risk = money(risk);
  const alike = alikeOf(order, account);
  const alikeValue = asMoney(alike.reduce((sum, { exposure }) => sum + exposure, value as bigint));
  if (alike.length > 0) facts.alikeValue = money(alikeValue);
  if (equity !== null && equity > 0n) {
    facts.equity = money(equity);
    facts.riskShare = shareOf(risk, equity);
    if (alike.length > 0) facts.alikeShare = shareOf(alikeValue, equity);
  }
  const distance = side === 'BUY' ? order.price - liquidationPrice : liquidationPrice - order.price;
  facts.liquidationPrice = price(liquidationPrice);
  facts.liquidationDistance = price(asPrice(distance));
  const hours = account.hoursOf(order.symbol);
  const exact = (hours && averageTrueRange(hours)) ?? 0n;
  // In whole ticks, as the sentence shows it.
  const range = asPrice(divideRounded(exact, order.tickSize, 'half-away-from-zero') * order.tickSize);
  if (range > 0n) {
    facts.range = price(range);
    facts.ranges = { unit: 'times', value: divideRounded(distance * UNIT, range, 'half-away-from-zero') };
  }
  const { day } = account;
  if (day !== 'unread') Object.assign(facts, dayFacts(day));
  const unread: readonly OrderFactName[] = [
    ...(hours === null ? hourFactNames : []),
    ...(day === 'unread' ? dayFactNames : []),
  ];
  return { facts, alike: alike.map(({ exposure: _, ...one }) => one), unread };
}
