/**
 * What keeps an order from being sent, in the order in which it is told: the first rule that fails is the one on screen.
 * The server checks all of it again. Invariant: no order is sent while a rule fails.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  type AmountRange,
  asSize,
  checkAmount,
  coversMargin,
  formatFixed,
  MONEY_DECIMALS,
  type Money,
} from '@fulcrum/domain';
import type { Freshness } from '../../market/index.ts';
import type { TypedAmount } from './amount.ts';
import type { OrderSummary, OrderTerms } from './summary.ts';

export type PriceStatus = 'loading' | 'failed' | Freshness;

export interface OrderFacts {
  readonly symbol: string;
  readonly priceStatus: PriceStatus;
  readonly amount: TypedAmount;
  readonly terms: OrderTerms;
  readonly summary: OrderSummary;
  /** Null while it is not known: the server then decides. */
  readonly available: Money | null;
}

export interface FailedRule {
  readonly text: string;
  /** Where the reason lies: `none` is nothing the trader did. */
  readonly field: 'none' | 'amount' | 'margin';
  /** Waiting and an empty form are no mistakes. */
  readonly tone: 'calm' | 'warn' | 'error';
}

type Validator = (facts: OrderFacts) => FailedRule | null;

const priceTexts: Readonly<Record<Exclude<PriceStatus, 'fresh'>, (symbol: string) => FailedRule>> = {
  loading: () => ({ text: 'Waiting for the first price.', field: 'none', tone: 'calm' }),
  failed: () => ({ text: texts.fetchPriceFailed, field: 'none', tone: 'error' }),
  missing: (symbol) => ({ text: texts.noCurrentPrice(symbol), field: 'none', tone: 'warn' }),
  closed: () => ({ text: texts.marketClosed, field: 'none', tone: 'warn' }),
  stale: () => ({ text: texts.priceStale, field: 'none', tone: 'warn' }),
};

/** TRADE-41, A37. */
const hasPrice: Validator = ({ priceStatus, symbol }) =>
  priceStatus === 'fresh' ? null : priceTexts[priceStatus](symbol);

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

/** TRADE-42, A22. */
const isInRange: Validator = ({ terms }) => {
  const range = terms.size === null ? null : checkAmount(terms.limits, terms.size);
  return range ? { text: rangeText(range), field: 'amount', tone: 'error' } : null;
};

const isWorthSomething: Validator = ({ summary }) =>
  summary.requiredMargin === 0n ? { text: texts.amountTooSmall, field: 'amount', tone: 'error' } : null;

/** TRADE-44, RULE-02, RULE-03: exact figures are compared, rounded ones are shown. */
const isCovered: Validator = ({ summary: { requiredMargin }, available }) => {
  if (requiredMargin === null || available === null || coversMargin(available, requiredMargin)) return null;
  const [required, covered] = [requiredMargin, available].map((sum) => formatFixed(sum, MONEY_DECIMALS));
  return { text: texts.insufficientBalance(`${required}`, `${covered}`), field: 'margin', tone: 'error' };
};

const validators: readonly Validator[] = [
  hasPrice,
  hasAmount,
  isReadable,
  isInRange,
  isWorthSomething,
  isCovered,
];

export function firstFailedRule(facts: OrderFacts): FailedRule | null {
  for (const validate of validators) {
    const failed = validate(facts);
    if (failed) return failed;
  }
  return null;
}
