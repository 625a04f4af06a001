/**
 * The inputs of the three calculators, stored in this browser per account (`stored-inputs.ts`), so that they survive
 * navigation and reloads. Invariants: texts stay as typed. One user's inputs are never shown to another, and inputs
 * during impersonation last only as long as the page.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { onUserGone, useSignedIn } from '../../shared/session/index.ts';
import { getStored, setStored } from '../../shared/storage/index.ts';
import { type Calculators, initialCalculators } from './input-texts.ts';
import { parseInputs, serializeInputs } from './stored-inputs.ts';

type Name = keyof Calculators;

/** The fields for figures. */
const figureFields: { readonly [Of in Name]: readonly (keyof Calculators[Of])[] } = {
  pnl: ['entryPrice', 'exitPrice', 'size'],
  risk: ['account', 'entryPrice', 'stopPrice'],
  position: ['price', 'size'],
};

/** Emptying a calculator also clears the pair that it was filled from. */
function withoutStalePair<Of extends Name>(name: Of, texts: Calculators[Of]): Calculators[Of] {
  return figureFields[name].every((field) => texts[field] === '') ? { ...texts, symbol: null } : texts;
}

const toStorageKey = (userId: string): string => `fulcrum-calculators.${userId}`;

let cached: { readonly userId: string; readonly calculators: Calculators } | null = null;
const listeners = new Set<() => void>();
onUserGone(() => {
  cached = null;
});

/** Returns the same object until an input changes. */
function getCalculators(userId: string, isImpersonated: boolean): Calculators {
  if (cached?.userId !== userId) {
    cached = {
      userId,
      calculators: isImpersonated ? initialCalculators : parseInputs(getStored(toStorageKey(userId))),
    };
  }
  return cached.calculators;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The texts of one calculator, and the functions that change them. */
export function useCalculator<Of extends Name>(
  name: Of,
): readonly [Calculators[Of], (change: Partial<Calculators[Of]>) => void] {
  const { user, impersonation } = useSignedIn();
  const userId = user.id;
  const isImpersonated = impersonation !== null;
  const texts = useSyncExternalStore(subscribe, () => getCalculators(userId, isImpersonated)[name]);
  const change = useCallback(
    (changed: Partial<Calculators[Of]>) => {
      const before = getCalculators(userId, isImpersonated);
      const texts = withoutStalePair(name, { ...before[name], ...changed });
      cached = { userId, calculators: { ...before, [name]: texts } };
      if (!isImpersonated) setStored(toStorageKey(userId), serializeInputs(cached.calculators));
      for (const listener of listeners) listener();
    },
    [userId, isImpersonated, name],
  );
  return [texts, change];
}
