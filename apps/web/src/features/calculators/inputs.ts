/**
 * What stands in the three calculators, kept in this browser per account (`kept-inputs.ts`), so that neither leaving the
 * dashboard nor loading it anew loses it. Invariants: texts stay as they were typed; what one person typed is never shown to
 * another, and what is typed while acting as somebody else is kept for the page alone.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { onPersonGone, useSignedIn } from '../../shared/session/index.ts';
import { keep, kept } from '../../shared/storage/index.ts';
import { type Calculators, untouched } from './input-texts.ts';
import { readInputs, writtenInputs } from './kept-inputs.ts';

type Name = keyof Calculators;

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

const keyOf = (userId: string): string => `fulcrum-calculators.${userId}`;

let held: { readonly userId: string; readonly calculators: Calculators } | null = null;
const listeners = new Set<() => void>();
onPersonGone(() => {
  held = null;
});

/** The same object until something is typed. */
function calculatorsOf(userId: string, isActedAs: boolean): Calculators {
  if (held?.userId !== userId) {
    held = { userId, calculators: isActedAs ? untouched : readInputs(kept(keyOf(userId))) };
  }
  return held.calculators;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The texts of one calculator, and how they change. */
export function useCalculator<Of extends Name>(
  name: Of,
): readonly [Calculators[Of], (change: Partial<Calculators[Of]>) => void] {
  const { user, acting } = useSignedIn();
  const userId = user.id;
  const isActedAs = acting !== null;
  const texts = useSyncExternalStore(subscribe, () => calculatorsOf(userId, isActedAs)[name]);
  const change = useCallback(
    (changed: Partial<Calculators[Of]>) => {
      const before = calculatorsOf(userId, isActedAs);
      const texts = withoutStalePair(name, { ...before[name], ...changed });
      held = { userId, calculators: { ...before, [name]: texts } };
      if (!isActedAs) keep(keyOf(userId), writtenInputs(held.calculators));
      for (const listener of listeners) listener();
    },
    [userId, isActedAs, name],
  );
  return [texts, change];
}
