/**
 * The inputs of the three calculators, stored in this browser per account (`stored-inputs.ts`), so that they survive
 * navigation and reloads. Invariants: texts stay as typed. One user's inputs are never shown to another, and inputs
 * during impersonation last only as long as the page.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { createListeners } from '../../shared/listeners/listeners.ts';
import { onUserGone, useSignedIn } from '../../shared/session/index.ts';
import { getStored, setStored } from '../../shared/storage/index.ts';
import { type Filling, fillCalculators, hasNoFigures } from './fill.ts';
import { type Calculators, initialCalculators } from './input-texts.ts';
import { parseInputs, serializeInputs } from './stored-inputs.ts';

type Name = keyof Calculators;

/** Emptying a calculator also clears the pair that it was filled from. */
function withoutStalePair<Of extends Name>(name: Of, texts: Calculators[Of]): Calculators[Of] {
  return hasNoFigures(name, texts) ? { ...texts, symbol: null } : texts;
}

const toStorageKey = (userId: string): string => `fulcrum-calculators.${userId}`;

let cached: { readonly userId: string; readonly calculators: Calculators } | null = null;
const { subscribe, notify } = createListeners();
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

function replaceCalculators(userId: string, isImpersonated: boolean, calculators: Calculators): void {
  cached = { userId, calculators };
  if (!isImpersonated) setStored(toStorageKey(userId), serializeInputs(calculators));
  notify();
}

/** The texts of one calculator, and the function that changes them. */
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
      replaceCalculators(userId, isImpersonated, { ...before, [name]: texts });
    },
    [userId, isImpersonated, name],
  );
  return [texts, change];
}

/** Fills a calculator, and the others that are empty. */
export function useFill(name: Name): (filling: Filling) => void {
  const { user, impersonation } = useSignedIn();
  const isImpersonated = impersonation !== null;
  return (filling) =>
    replaceCalculators(
      user.id,
      isImpersonated,
      fillCalculators(getCalculators(user.id, isImpersonated), name, filling),
    );
}
