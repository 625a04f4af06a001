/**
 * What keeps an order from being sent, in the order in which it is told: the first rule that fails is the one on screen.
 * Some rules hold for one side alone (a stop that is reached, a take profit on the wrong side), so that one button may act
 * while the other says why not. The server checks all of it again. Invariant: no order is sent while a rule fails.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  type AmountRange,
  asSize,
  checkAmount,
  coversMargin,
  formatFixed,
  hasMoved,
  isLiquidated,
  isOnStep,
  MONEY_DECIMALS,
  type Money,
  type OrderType,
  openingCost,
  type Percent,
  type Price,
  type ProtectionFault,
  priceDecimals,
  type Side,
  toDecimalString,
} from '@fulcrum/domain';
import type { TypedAmount } from '../../../shared/decimals/amount.ts';
import { type TypedPrice, unreadablePriceText } from '../../../shared/decimals/price.ts';
import type { Freshness } from '../../market/index.ts';
import { faultField, faultText, sideFault } from './protection.ts';
import type { OrderSummary, OrderTerms } from './summary.ts';

export type PriceStatus = 'loading' | 'failed' | Freshness;

/** Take profit and stop loss as typed; both empty when the order has none. */
export interface TypedProtection {
  readonly takeProfit: TypedPrice;
  readonly stopLoss: TypedPrice;
}

export interface OrderFacts {
  readonly symbol: string;
  readonly type: OrderType;
  /** A72: opens nothing. */
  readonly restricted: boolean;
  readonly priceStatus: PriceStatus;
  /** The market's last price; null when there is none. */
  readonly market: Price | null;
  /** As typed, in the field's unit; `terms.size` is what it comes to in the base. */
  readonly amount: TypedAmount;
  /** Of a Limit or Stop order. */
  readonly price: TypedPrice;
  readonly protection: TypedProtection;
  readonly terms: OrderTerms;
  readonly summary: OrderSummary;
  /** Null while it is not known: the server then decides. */
  readonly available: Money | null;
}

export interface FailedRule {
  readonly text: string;
  /** Where the reason lies: `none` is nothing the trader did. */
  readonly field: 'none' | 'amount' | 'margin' | 'price' | 'takeProfit' | 'stopLoss';
  /** Waiting and an empty form are no mistakes. */
  readonly tone: 'calm' | 'warn' | 'error';
  /** Concerns this side alone: the text begins with its name, and the other side may go. */
  readonly side?: Side;
  /** What a side needs instead, where that says more than the rule does. */
  readonly needs?: string;
}

type Validator = (facts: OrderFacts) => FailedRule | null;

/** A72. */
const mayOpen: Validator = ({ restricted }) =>
  restricted ? { text: texts.accountRestricted, field: 'none', tone: 'error' } : null;

const priceTexts: Readonly<Record<Exclude<PriceStatus, 'fresh'>, (symbol: string) => FailedRule>> = {
  loading: () => ({ text: 'Waiting for the first price.', field: 'none', tone: 'calm' }),
  failed: () => ({ text: texts.fetchPriceFailed, field: 'none', tone: 'error' }),
  missing: (symbol) => ({ text: texts.noCurrentPrice(symbol), field: 'none', tone: 'warn' }),
  closed: () => ({ text: texts.marketClosed, field: 'none', tone: 'warn' }),
  stale: () => ({ text: texts.priceStale, field: 'none', tone: 'warn' }),
  delayed: () => ({ text: texts.priceDelayed, field: 'none', tone: 'warn' }),
};

/** TRADE-41, A37. Limit and Stop orders wait for the reopening or the next price (A98). */
const hasPrice: Validator = ({ priceStatus, symbol, type }) => {
  if (priceStatus === 'fresh') return null;
  const waits =
    type !== 'MARKET' && (priceStatus === 'closed' || priceStatus === 'stale' || priceStatus === 'delayed');
  return waits ? null : priceTexts[priceStatus](symbol);
};

/** A20: a Limit or Stop needs its own price, on tick and within the pair's bounds. */
const hasOrderPrice: Validator = ({ type, price, terms: { limits } }) => {
  if (type === 'MARKET') return null;
  if (price.kind === 'empty') {
    return { text: `Enter a ${type === 'LIMIT' ? 'limit' : 'stop'} price.`, field: 'none', tone: 'calm' };
  }
  // A price below zero can be read: it is out of range.
  if (price.kind === 'unreadable' && price.reason !== 'negative') {
    return { text: unreadablePriceText('Price', price), field: 'price', tone: 'error' };
  }
  const { minPrice, maxPrice, tickSize } = limits;
  const isFit =
    price.kind === 'price' &&
    price.price >= minPrice &&
    price.price <= maxPrice &&
    isOnStep(price.price, tickSize);
  if (isFit) return null;
  const [min = '', max = '', tick = ''] = [minPrice, maxPrice, tickSize].map(toDecimalString);
  return { text: texts.orderPriceInvalid(min, max, tick), field: 'price', tone: 'error' };
};

/** TRADE-39, TRADE-40. */
const hasAmount: Validator = ({ amount }) =>
  amount.kind === 'empty' ? { text: 'Enter an amount.', field: 'none', tone: 'calm' } : null;

const rangeText = ({ min, max, step }: AmountRange) => texts.amountOutOfRange(min, max, step);

const isReadable: Validator = ({ amount, terms }) => {
  if (amount.kind !== 'unreadable') return null;
  // No amount at all is as far out of range as one below zero.
  const range = amount.reason === 'negative' ? checkAmount(terms.limits, asSize(0n)) : null;
  if (range) return { text: rangeText(range), field: 'amount', tone: 'error' };
  const text =
    amount.reason === 'ambiguous'
      ? 'This amount can be read in two ways. Please leave out the comma.'
      : 'Amount must be a number such as 0.15 or 1.5k.';
  return { text, field: 'amount', tone: 'error' };
};

/** A share of a balance that is not there yet comes to no amount. */
const isConverted: Validator = ({ amount, terms }) =>
  amount.kind === 'amount' && terms.size === null
    ? { text: 'The account balance is not known yet.', field: 'none', tone: 'calm' }
    : null;

/** TRADE-42, A22: in the base asset, whatever it is typed in. */
const isInRange: Validator = ({ terms }) => {
  const range = terms.size === null ? null : checkAmount(terms.limits, terms.size);
  return range ? { text: rangeText(range), field: 'amount', tone: 'error' } : null;
};

const isWorthSomething: Validator = ({ summary }) =>
  summary.requiredMargin === 0n ? { text: texts.amountTooSmall, field: 'amount', tone: 'error' } : null;

/** TRADE-44, RULE-02, RULE-03: exact figures are compared, rounded ones are shown. A fee is part of it (A07). */
function lackingFor(required: Money | null, available: Money | null): FailedRule | null {
  if (required === null || available === null || coversMargin(available, required)) return null;
  const [needed = '', covered = ''] = [required, available].map((sum) => formatFixed(sum, MONEY_DECIMALS));
  return { text: texts.insufficientBalance(needed, covered), field: 'margin', tone: 'error' };
}

const isCovered: Validator = ({ summary, available }) => lackingFor(summary.requiredTotal, available);

const isReadableProtection: Validator = ({ protection }) => {
  for (const [field, name] of [
    ['takeProfit', 'Take profit'],
    ['stopLoss', 'Stop loss'],
  ] as const) {
    const typed = protection[field];
    if (typed.kind === 'unreadable') return { text: unreadablePriceText(name, typed), field, tone: 'error' };
  }
  return null;
};

const validators: readonly Validator[] = [
  mayOpen,
  hasPrice,
  hasOrderPrice,
  hasAmount,
  isReadable,
  isConverted,
  isInRange,
  isWorthSomething,
  isCovered,
  isReadableProtection,
];

/** What fails for both sides alike. */
function firstFailedRule(facts: OrderFacts): FailedRule | null {
  for (const validate of validators) {
    const failed = validate(facts);
    if (failed) return failed;
  }
  return null;
}

/** A stop that a price which may be traded on has reached already would trigger at once: it is refused. */
function reachedStop(side: Side, { type, price, market, priceStatus, terms }: OrderFacts): FailedRule | null {
  if (type !== 'STOP' || price.kind !== 'price' || market === null || priceStatus !== 'fresh') return null;
  const waits = side === 'BUY' ? price.price > market : price.price < market;
  if (waits) return null;
  const shown = formatFixed(market, priceDecimals(terms.limits));
  const text = texts.stopReached(side === 'BUY' ? 'above' : 'below', shown);
  return { text, field: 'price', tone: 'error' };
}

/**
 * A Limit sell below the market fills at the market's price, which takes more than its own. Where that is not there it
 * fills at its own, unless the market would liquidate it or stop it out there at once: then it is rejected.
 */
function rejectedFill(side: Side, facts: OrderFacts): FailedRule | null {
  const { type, market, priceStatus, terms, summary, protection, available } = facts;
  if (side !== 'SELL' || type !== 'LIMIT' || market === null || priceStatus !== 'fresh') return null;
  const { price, size, leverage, feeRate } = terms;
  if (price === null || size === null || market <= price) return null;
  const isLost = (exit: Price | null): boolean => exit !== null && isLiquidated(side, exit, market);
  if (!isLost(summary.liquidationShort) && !isLost(priceIn(protection.stopLoss))) return null;
  return lackingFor(openingCost(market, size, leverage, feeRate).total, available);
}

const fieldOf = { takeProfitPrice: 'takeProfit', stopLossPrice: 'stopLoss' } as const;
export const priceIn = (typed: TypedPrice): Price | null => (typed.kind === 'price' ? typed.price : null);

/** A21: against the price that the order is reckoned at. */
function wrongProtection(side: Side, facts: OrderFacts): FailedRule | null {
  const { protection, terms, summary } = facts;
  const { liquidationLong, liquidationShort } = summary;
  if (terms.price === null || liquidationLong === null || liquidationShort === null) return null;
  const sided = {
    limits: terms.limits,
    reference: terms.price,
    liquidation: { BUY: liquidationLong, SELL: liquidationShort },
  };
  const fault = sideFault(side, sided, {
    takeProfitPrice: priceIn(protection.takeProfit),
    stopLossPrice: priceIn(protection.stopLoss),
  });
  if (!fault) return null;
  return {
    text: faultText(fault, terms.limits),
    field: fieldOf[faultField(fault)],
    tone: 'error',
    ...(isOnWrongSide(fault) && { needs: neededProtection(side, sided.reference, facts) }),
  };
}

const isOnWrongSide = ({ code }: ProtectionFault): boolean =>
  code === 'take_profit_side' || code === 'stop_loss_side';

/** `a Stop Loss above 97482.60 and a Take Profit below it`, of what is typed. */
function neededProtection(side: Side, reference: Price, { protection, terms }: OrderFacts): string {
  const price = formatFixed(reference, priceDecimals(terms.limits));
  const [losing, gaining] = side === 'BUY' ? ['below', 'above'] : ['above', 'below'];
  const hasStop = protection.stopLoss.kind === 'price';
  if (protection.takeProfit.kind !== 'price') return `a Stop Loss ${losing} ${price}`;
  return hasStop
    ? `a Stop Loss ${losing} ${price} and a Take Profit ${gaining} it`
    : `a Take Profit ${gaining} ${price}`;
}

/** What keeps this side's order from being sent. */
export const failedRuleOf = (side: Side, facts: OrderFacts): FailedRule | null =>
  firstFailedRule(facts) ??
  reachedStop(side, facts) ??
  wrongProtection(side, facts) ??
  rejectedFill(side, facts);

/** TRADE-37, TRADE-38. */
export const buttonNames = { BUY: 'Buy/Long', SELL: 'Sell/Short' } as const satisfies Record<Side, string>;

/** The rule on screen: what fails for both sides, or for which side what. */
export function ruleOnScreen(facts: OrderFacts): FailedRule | null {
  const [buy, sell] = [failedRuleOf('BUY', facts), failedRuleOf('SELL', facts)];
  if (buy && sell) {
    if (buy.text === sell.text) return buy;
    return {
      text: `${buttonNames.BUY}: ${buy.text} ${buttonNames.SELL}: ${sell.text}`,
      field: buy.field === sell.field ? buy.field : 'none',
      tone: 'error',
    };
  }
  if (buy) return ofOneSide('BUY', buy);
  return sell && ofOneSide('SELL', sell);
}

function ofOneSide(side: Side, { text, needs }: FailedRule): FailedRule {
  const name = buttonNames[side];
  const told = needs === undefined ? `${name}: ${text}` : `${name} needs ${needs}.`;
  return { text: told, field: 'none', tone: 'calm', side };
}

/** A18: what the server would refuse of an order that was looked at for a while; null when it may still go. */
export function movedRule(seen: Price, facts: OrderFacts, tolerance: Percent): FailedRule | null {
  const { type, market, terms } = facts;
  if (type !== 'MARKET' || market === null || !hasMoved(seen, market, tolerance)) return null;
  const decimals = priceDecimals(terms.limits);
  const text = texts.priceMoved(formatFixed(seen, decimals), formatFixed(market, decimals));
  return { text, field: 'none', tone: 'error' };
}
