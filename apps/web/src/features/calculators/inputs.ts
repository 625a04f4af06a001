/**
 * What stands in the three calculators. It is kept for as long as the page lives and the same person is signed in, so that
 * leaving the dashboard and coming back loses nothing. Invariant: texts stay as they were typed.
 *
 * Known limitation: loading the page anew starts empty.
 */
import { DEFAULT_LEVERAGE, DEFAULT_RISK_PERCENT, type Side, toNumber } from '@fulcrum/domain';
import { useCallback, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';

interface FilledFrom {
  /** The pair that prices and units were filled from; null while the figures are of no pair in particular. */
  readonly symbol: string | null;
}
export interface PnlTexts extends FilledFrom {
  readonly side: Side;
  readonly entryPrice: string;
  readonly exitPrice: string;
  readonly size: string;
  readonly leverage: string;
}
export interface RiskTexts extends FilledFrom {
  readonly account: string;
  readonly entryPrice: string;
  readonly stopPrice: string;
  readonly leverage: string;
  /** Of the slider. */
  readonly riskPercent: number;
}
export interface PositionTexts extends FilledFrom {
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** Of the slider. */
  readonly leverage: number;
}

interface Calculators {
  readonly pnl: PnlTexts;
  readonly risk: RiskTexts;
  readonly position: PositionTexts;
}
type Name = keyof Calculators;

const untouched: Calculators = {
  pnl: {
    symbol: null,
    side: 'BUY',
    entryPrice: '',
    exitPrice: '',
    size: '',
    leverage: `${DEFAULT_LEVERAGE}`,
  },
  risk: {
    symbol: null,
    account: '',
    entryPrice: '',
    stopPrice: '',
    leverage: `${DEFAULT_LEVERAGE}`,
    riskPercent: toNumber(DEFAULT_RISK_PERCENT),
  },
  position: { symbol: null, side: 'BUY', price: '', size: '', leverage: DEFAULT_LEVERAGE },
};

/** The fields that figures are typed into. */
const figureFields: { readonly [Of in Name]: readonly (keyof Calculators[Of])[] } = {
  pnl: ['entryPrice', 'exitPrice', 'size'],
  risk: ['account', 'entryPrice', 'stopPrice'],
  position: ['price', 'size'],
};

/** Who empties a calculator is done with the pair that it was filled from. */
function withoutStalePair<Of extends Name>(name: Of, texts: Calculators[Of]): Calculators[Of] {
  return figureFields[name].every((field) => texts[field] === '') ? { ...texts, symbol: null } : texts;
}

let held: { readonly userId: string; readonly calculators: Calculators } | null = null;
const listeners = new Set<() => void>();

const calculatorsOf = (userId: string): Calculators =>
  held?.userId === userId ? held.calculators : untouched;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The texts of one calculator, and how they change. */
export function useCalculator<Of extends Name>(
  name: Of,
): readonly [Calculators[Of], (change: Partial<Calculators[Of]>) => void] {
  const { id: userId } = useSignedIn().user;
  const texts = useSyncExternalStore(subscribe, () => calculatorsOf(userId)[name]);
  const change = useCallback(
    (changed: Partial<Calculators[Of]>) => {
      const before = calculatorsOf(userId);
      const texts = withoutStalePair(name, { ...before[name], ...changed });
      held = { userId, calculators: { ...before, [name]: texts } };
      for (const listener of listeners) listener();
    },
    [userId, name],
  );
  return [texts, change];
}
