/**
 * The rules that an order must pass, in order of display: the first failed rule is the one on screen. Some rules
 * apply to one side alone, such as a reached stop or a take profit on the wrong side. One button may then work while
 * the other shows its rule. The server checks all of it again. Invariant: no order is sent while a rule fails.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  type AmountRange,
  asSize,
  type BasicOrderType,
  checkAmount,
  coversMargin,
  formatFixed,
  hasMoved,
  isLiquidated,
  isOrderPrice,
  MONEY_DECIMALS,
  type Money,
  openingCost,
  type Percent,
  type Price,
  type ProtectionFault,
  priceDecimals,
  type Side,
  toDecimalString,
} from '@fulcrum/domain';
import type { ParsedAmount } from '../../../shared/decimals/amount.ts';
import { formatUnreadablePrice, type ParsedPrice } from '../../../shared/decimals/price.ts';
import type { Freshness } from '../../market/index.ts';
import { getFaultField, getFaultText, getSideFault, protectionNames } from './protection.ts';
import { formatUnreadable, type ProtectionUnit, type SidedProtection } from './protection-units.ts';
import type { OrderSummary, OrderTerms } from './summary.ts';

export type PriceStatus = 'loading' | 'failed' | 'offline' | Freshness;

export interface OrderFacts {
  readonly symbol: string;
  readonly type: BasicOrderType;
  /** A restricted trader can open nothing (A72). */
  readonly restricted: boolean;
  /** An archived account is read only (A112). */
  readonly archived: boolean;
  readonly priceStatus: PriceStatus;
  /** The market's last price; null when there is none. */
  readonly market: Price | null;
  /** As typed, in the field's unit; `terms.size` is the amount in the base asset. What closes the whole position has none. */
  readonly amount: ParsedAmount | { readonly kind: 'whole position' };
  /** Whether the amount follows from the stop loss. */
  readonly sizedByRisk: boolean;
  /** The price of a Limit or Stop order. */
  readonly price: ParsedPrice;
  /** As each side would send it; empty when the order has none. */
  readonly protection: SidedProtection;
  readonly protectionUnit: ProtectionUnit;
  readonly terms: OrderTerms;
  readonly summary: OrderSummary;
  /** Null while it is not known: the server then decides. */
  readonly available: Money | null;
}

export interface FailedRule {
  readonly text: string;
  /** The field at fault: `none` for a reason outside the form. */
  readonly field: 'none' | 'amount' | 'margin' | 'price' | 'takeProfit' | 'stopLoss';
  /** Waiting and an empty form are not errors. */
  readonly tone: 'calm' | 'warn' | 'error';
  /** The side this concerns: the text begins with its name, and the other side may be sent. */
  readonly side?: Side;
  /** What a side needs instead, where that says more than the rule does. */
  readonly needs?: string;
}

type Validator = (facts: OrderFacts) => FailedRule | null;

/** Refuses every order of a restricted trader (A72) and of an archived account (A112). */
const mayOpen: Validator = ({ restricted, archived }) => {
  const text = restricted ? texts.accountRestricted : archived ? texts.accountArchived : null;
  return text === null ? null : { text, field: 'none', tone: 'error' };
};

const priceTexts: Readonly<Record<Exclude<PriceStatus, 'fresh'>, (symbol: string) => FailedRule>> = {
  loading: () => ({ text: 'Waiting for the first price.', field: 'none', tone: 'calm' }),
  offline: () => ({
    text: 'You are offline. Orders can be sent once you are connected again.',
    field: 'none',
    tone: 'warn',
  }),
  failed: () => ({ text: texts.fetchPriceFailed, field: 'none', tone: 'error' }),
  missing: (symbol) => ({ text: texts.noCurrentPrice(symbol), field: 'none', tone: 'warn' }),
  closed: () => ({ text: texts.marketClosed, field: 'none', tone: 'warn' }),
  stale: () => ({ text: texts.priceStale, field: 'none', tone: 'warn' }),
  delayed: () => ({ text: texts.priceDelayed, field: 'none', tone: 'warn' }),
};

/** A notice, not a rule: the price may still be traded on. */
export const lateText = 'No new price for some seconds: the market may have moved.';

/**
 * Refuses a market order without a usable price (TRADE-41, A37). Limit and Stop orders wait for the reopening or the
 * next price (A98). Without a network no order is sent.
 */
const hasPrice: Validator = ({ priceStatus, symbol, type }) => {
  if (priceStatus === 'fresh') return null;
  const waits =
    type !== 'MARKET' && (priceStatus === 'closed' || priceStatus === 'stale' || priceStatus === 'delayed');
  return waits ? null : priceTexts[priceStatus](symbol);
};

/** A Limit or Stop needs its own price, on tick and within the pair's bounds (A20). */
const hasOrderPrice: Validator = ({ type, price, terms: { limits } }) => {
  if (type === 'MARKET') return null;
  if (price.kind === 'empty') {
    return { text: `Enter a ${type === 'LIMIT' ? 'limit' : 'stop'} price.`, field: 'none', tone: 'calm' };
  }
  // A price below zero is readable, but out of range.
  if (price.kind === 'unreadable' && price.reason !== 'negative') {
    return { text: formatUnreadablePrice('Price', price), field: 'price', tone: 'error' };
  }
  if (price.kind === 'price' && isOrderPrice(price.price, limits)) return null;
  const { minPrice, maxPrice, tickSize } = limits;
  const [min = '', max = '', tick = ''] = [minPrice, maxPrice, tickSize].map(toDecimalString);
  return { text: texts.orderPriceInvalid(min, max, tick), field: 'price', tone: 'error' };
};

/** An order needs an amount; without one the buttons stay disabled (TRADE-39, TRADE-40). */
const hasAmount: Validator = ({ amount }) =>
  amount.kind === 'empty' ? { text: 'Enter an amount.', field: 'none', tone: 'calm' } : null;

const rangeText = ({ min, max, step }: AmountRange) => texts.amountOutOfRange(min, max, step);

const isReadable: Validator = ({ amount, terms }) => {
  if (amount.kind !== 'unreadable') return null;
  // A zero amount is out of range, like a negative one.
  const range = amount.reason === 'negative' ? checkAmount(terms.limits, asSize(0n)) : null;
  if (range) return { text: rangeText(range), field: 'amount', tone: 'error' };
  const text =
    amount.reason === 'ambiguous'
      ? 'This amount can be read in two ways. Please leave out the comma.'
      : 'Amount must be a number such as 0.15 or 1.5k.';
  return { text, field: 'amount', tone: 'error' };
};

/** A share of an unknown balance converts to no amount, nor does a risk without a stop loss. */
const isConverted: Validator = ({ amount, terms, available, sizedByRisk, protection, protectionUnit }) => {
  if (amount.kind !== 'amount' || terms.size !== null) return null;
  if (!sizedByRisk || available === null) {
    return { text: 'The account balance is not known yet.', field: 'none', tone: 'calm' };
  }
  // What cannot be read is the fault of that field.
  if (protection.BUY.stopLoss.kind === 'unreadable') return null;
  const text =
    protectionUnit === 'usdt'
      ? 'Set the stop loss as a price, % or ROE: the amount follows from it.'
      : 'Set a stop loss: the amount follows from it.';
  return { text, field: 'stopLoss', tone: 'calm' };
};

/** Checks the amount in the base asset, whatever unit it is typed in (TRADE-42, A22). */
const isInRange: Validator = ({ terms }) => {
  const range = terms.size === null ? null : checkAmount(terms.limits, terms.size);
  return range ? { text: rangeText(range), field: 'amount', tone: 'error' } : null;
};

const isWorthSomething: Validator = ({ summary }) =>
  summary.requiredMargin === 0n ? { text: texts.amountTooSmall, field: 'amount', tone: 'error' } : null;

/** Compares exact figures and shows rounded ones; includes the fee (TRADE-44, RULE-02, RULE-03, A07). */
function checkBalance(required: Money | null, available: Money | null): FailedRule | null {
  if (required === null || available === null || coversMargin(available, required)) return null;
  const [needed = '', covered = ''] = [required, available].map((sum) => formatFixed(sum, MONEY_DECIMALS));
  return { text: texts.insufficientBalance(needed, covered), field: 'margin', tone: 'error' };
}

/** What an order of an account with net positions opens depends on its position: the server decides. */
const isCovered: Validator = ({ terms, summary, available }) =>
  terms.rules.name === 'perpetual' ? null : checkBalance(summary.requiredTotal, available);

const isReadableProtection: Validator = ({ protection, protectionUnit }) => {
  for (const [field, name] of [
    ['takeProfit', 'Take profit'],
    ['stopLoss', 'Stop loss'],
  ] as const) {
    // What cannot be read is so for both sides.
    const typed = protection.BUY[field];
    if (typed.kind === 'unreadable')
      return { text: formatUnreadable(name, typed, protectionUnit), field, tone: 'error' };
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

/** The first rule that fails for both sides. */
function firstFailedRule(facts: OrderFacts): FailedRule | null {
  for (const validate of validators) {
    const failed = validate(facts);
    if (failed) return failed;
  }
  return null;
}

/** Refuses a stop that a tradable price has already reached, because it would trigger at once. */
function checkStopReached(
  side: Side,
  { type, price, market, priceStatus, terms }: OrderFacts,
): FailedRule | null {
  if (type !== 'STOP' || price.kind !== 'price' || market === null || priceStatus !== 'fresh') return null;
  const waits = side === 'BUY' ? price.price > market : price.price < market;
  if (waits) return null;
  const shown = formatFixed(market, priceDecimals(terms.limits));
  const text = texts.stopReached(side === 'BUY' ? 'above' : 'below', shown);
  return { text, field: 'price', tone: 'error' };
}

/**
 * A Limit sell below the market fills at the market's price, which takes more than its own. Without a market price it
 * fills at its own. It is rejected if the market would liquidate it or stop it out there at once.
 */
function checkLimitFill(side: Side, facts: OrderFacts): FailedRule | null {
  const { type, market, priceStatus, terms, summary, protection, available } = facts;
  if (side !== 'SELL' || type !== 'LIMIT' || market === null || priceStatus !== 'fresh') return null;
  const { price, size, leverage, feeRate } = terms;
  if (price === null || size === null || market <= price) return null;
  const isLost = (exit: Price | null): boolean => exit !== null && isLiquidated(side, exit, market);
  if (!isLost(summary.liquidationShort) && !isLost(getTypedPrice(protection.SELL.stopLoss))) return null;
  return checkBalance(openingCost(market, size, leverage, feeRate).total, available);
}

const fieldByProtection = { takeProfitPrice: 'takeProfit', stopLossPrice: 'stopLoss' } as const;
export const getTypedPrice = (typed: ParsedPrice): Price | null =>
  typed.kind === 'price' ? typed.price : null;

/** Checks protection against the price that the order is calculated at (A21). */
function checkProtectionSide(side: Side, facts: OrderFacts): FailedRule | null {
  const { protection, terms, summary } = facts;
  const { liquidationLong, liquidationShort } = summary;
  if (terms.price === null || liquidationLong === null || liquidationShort === null) return null;
  const sided = {
    limits: terms.limits,
    reference: terms.price,
    liquidation: { BUY: liquidationLong, SELL: liquidationShort },
  };
  const fault = getSideFault(side, sided, {
    takeProfitPrice: getTypedPrice(protection[side].takeProfit),
    stopLossPrice: getTypedPrice(protection[side].stopLoss),
  });
  if (!fault) return null;
  const isTooFar = fault.code === 'out_of_range' && facts.protectionUnit !== 'price';
  return {
    text: isTooFar
      ? `${protectionNames[fault.which]} leads to a price that this market does not have. Enter a smaller distance.`
      : getFaultText(fault, terms.limits),
    field: fieldByProtection[getFaultField(fault)],
    tone: 'error',
    ...(isOnWrongSide(fault) && { needs: neededProtection(side, sided.reference, facts) }),
  };
}

const isOnWrongSide = ({ code }: ProtectionFault): boolean =>
  code === 'take_profit_side' || code === 'stop_loss_side';

/** `a Stop Loss above 97482.60 and a Take Profit below it`, for the fields that are filled. */
function neededProtection(side: Side, reference: Price, { protection, terms }: OrderFacts): string {
  const price = formatFixed(reference, priceDecimals(terms.limits));
  const [losing, gaining] = side === 'BUY' ? ['below', 'above'] : ['above', 'below'];
  const { takeProfit, stopLoss } = protection[side];
  const hasStop = stopLoss.kind === 'price';
  if (takeProfit.kind !== 'price') return `a Stop Loss ${losing} ${price}`;
  return hasStop
    ? `a Stop Loss ${losing} ${price} and a Take Profit ${gaining} it`
    : `a Take Profit ${gaining} ${price}`;
}

/** The rule that blocks this side's order. */
export const getFailedRule = (side: Side, facts: OrderFacts): FailedRule | null =>
  firstFailedRule(facts) ??
  checkStopReached(side, facts) ??
  checkProtectionSide(side, facts) ??
  checkLimitFill(side, facts);

/** The stated labels of the two order buttons (TRADE-37, TRADE-38). */
export const buttonNames = { BUY: 'Buy/Long', SELL: 'Sell/Short' } as const satisfies Record<Side, string>;

/** The rule on screen: the one that fails for both sides, or each side's own. */
export function getShownRule(facts: OrderFacts): FailedRule | null {
  const [buy, sell] = [getFailedRule('BUY', facts), getFailedRule('SELL', facts)];
  if (buy && sell) {
    if (buy.text === sell.text) return buy;
    return {
      text: `${buttonNames.BUY}: ${buy.text} ${buttonNames.SELL}: ${sell.text}`,
      field: buy.field === sell.field ? buy.field : 'none',
      tone: 'error',
    };
  }
  if (buy) return toOneSidedRule('BUY', buy);
  return sell && toOneSidedRule('SELL', sell);
}

function toOneSidedRule(side: Side, { text, needs }: FailedRule): FailedRule {
  const name = buttonNames[side];
  const sideText = needs === undefined ? `${name}: ${text}` : `${name} needs ${needs}.`;
  return { text: sideText, field: 'none', tone: 'calm', side };
}

/**
 * Returns why the server would refuse an order that awaited confirmation for a while; null while it may be sent
 * (A18).
 */
export function checkPriceMoved(seen: Price, facts: OrderFacts, tolerance: Percent): FailedRule | null {
  const { type, market, terms } = facts;
  if (type !== 'MARKET' || market === null || !hasMoved(seen, market, tolerance)) return null;
  const decimals = priceDecimals(terms.limits);
  const text = texts.priceMoved(formatFixed(seen, decimals), formatFixed(market, decimals));
  return { text, field: 'none', tone: 'error' };
}
