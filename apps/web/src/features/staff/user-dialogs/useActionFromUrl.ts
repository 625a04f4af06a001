/**
 * Opens the dialog that the address names (`?do=funds`), for links and the quick search. The parameter goes at once, so a reload
 * or a step back opens nothing again. A name that is not offered is only removed.
 */
import { useEffect } from 'react';
import { defineUrlState, optionalField, useUrlState } from '../../../shared/url-state/index.ts';

const actionUrlState = defineUrlState({ action: optionalField((text) => text.slice(0, 20), 'do') });

/** `offered` is undefined until it is known. */
export function useActionFromUrl<Action extends string>(
  offered: readonly Action[] | undefined,
  open: (action: Action) => void,
): void {
  const [{ action }, change] = useUrlState(actionUrlState);
  useEffect(() => {
    if (action === null || offered === undefined) return;
    change({ action: null });
    const named = offered.find((one) => one === action);
    if (named !== undefined) open(named);
  });
}
