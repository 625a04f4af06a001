/**
 * Fills calculators from a pair's last price. One click fills its own calculator and every other one that has no figure
 * yet, so that three cards need one click; typed figures of the others stay. Pure.
 */
import type { Calculators } from './input-texts.ts';
import type { NonLivePrice } from './non-live-price.ts';

export interface FilledPrice {
  /** Formatted for a field. */
  readonly text: string;
  /** Null while the price is live. */
  readonly still: NonLivePrice | null;
}

export interface Filling {
  readonly symbol: string;
  readonly price: FilledPrice;
  /** The total balance as a text for a field; null while it is not known. */
  readonly balance: string | null;
}

type Name = keyof Calculators;

/** The fields for figures. */
const figureFields: { readonly [Of in Name]: readonly (keyof Calculators[Of])[] } = {
  pnl: ['entryPrice', 'exitPrice', 'size'],
  risk: ['account', 'entryPrice', 'stopPrice'],
  position: ['price', 'size'],
};

export const hasNoFigures = <Of extends Name>(name: Of, texts: Calculators[Of]): boolean =>
  figureFields[name].every((field) => texts[field] === '');

/** The texts after a click in `name`. Figures of another pair are cleared. */
export function fillCalculators(before: Calculators, name: Name, filling: Filling): Calculators {
  const { symbol, price, balance } = filling;
  const { pnl, risk, position } = before;
  const filled = { symbol, still: price.still };
  const isFilled = (one: Name) => one === name || hasNoFigures(one, before[one]);
  return {
    pnl: isFilled('pnl')
      ? {
          ...pnl,
          ...filled,
          entryPrice: price.text,
          ...(symbol !== pnl.symbol && { exitPrice: '', size: '' }),
        }
      : pnl,
    risk: isFilled('risk')
      ? {
          ...risk,
          ...filled,
          entryPrice: price.text,
          ...(balance !== null && { account: balance }),
          ...(symbol !== risk.symbol && { stopPrice: '' }),
        }
      : risk,
    position: isFilled('position')
      ? { ...position, ...filled, price: price.text, ...(symbol !== position.symbol && { size: '' }) }
      : position,
  };
}
