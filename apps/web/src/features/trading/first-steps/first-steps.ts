/**
 * The first steps of a new account: which of them have happened, and whether the user dismissed them. Stored in this browser
 * per user; what the server knows (a position, a stop loss) needs no storage. An account with closed positions has none.
 */
import { useEffect, useState } from 'react';
import { useClosedPositions, useOpenPositions } from '../../../shared/account/index.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';
import type { FirstStep } from '../../coach/index.ts';
import type { Ticket } from '../ticket/useTicket.ts';

export const firstSteps: readonly FirstStep[] = ['leverage', 'amount', 'position', 'stop'];

interface Stored {
  readonly done: readonly FirstStep[];
  readonly isDismissed: boolean;
  /** The account was new when they were first shown; they stay until the last one is done. */
  readonly isBegun: boolean;
}
const nothing: Stored = { done: [], isDismissed: false, isBegun: false };
const toStorageKey = (accountId: string): string => `fulcrum-first-steps.${accountId}`;

/** Damaged text counts as nothing done. */
export function parseFirstSteps(text: string | null): Stored {
  const stored = parseJson(text);
  if (typeof stored !== 'object' || stored === null) return nothing;
  const { done, isDismissed, isBegun }: { [name in keyof Stored]?: unknown } = stored;
  return {
    done: firstSteps.filter((step) => Array.isArray(done) && done.includes(step)),
    isDismissed: isDismissed === true,
    isBegun: isBegun === true,
  };
}

/** The steps that count as done: what the form and the account show now, with what was done before. */
export function findDone(
  before: readonly FirstStep[],
  now: Readonly<Record<FirstStep, boolean>>,
): readonly FirstStep[] {
  return firstSteps.filter((step) => before.includes(step) || now[step]);
}

export interface FirstSteps {
  readonly done: readonly FirstStep[];
  readonly dismiss: () => void;
}

/** Null where they are not shown. */
export function useFirstSteps({ state }: Ticket): FirstSteps | null {
  const { accountId, impersonation } = useSignedIn();
  const { data: open } = useOpenPositions();
  const { data: closed } = useClosedPositions();
  const key = toStorageKey(accountId);
  const [stored, setState] = useState(() => parseFirstSteps(getStored(key)));
  const store = (next: Stored) => {
    setStored(key, JSON.stringify(next));
    setState(next);
  };
  const isShown =
    impersonation === null &&
    !stored.isDismissed &&
    open !== undefined &&
    closed !== undefined &&
    (stored.isBegun || (closed.length === 0 && open.length === 0));
  const positions = [...(open ?? []), ...(closed ?? [])];
  const done = findDone(stored.done, {
    leverage: state.leverage > 1,
    amount: state.typed.amount.trim() !== '',
    position: positions.length > 0,
    stop: positions.some(({ stopLossPrice }) => stopLossPrice !== null),
  });
  const isStored = stored.isBegun && done.length === stored.done.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per step
  useEffect(() => {
    if (isShown && !isStored) store({ ...stored, done, isBegun: true });
  }, [isShown, isStored, done.length]);
  return isShown ? { done, dismiss: () => store({ ...stored, done, isDismissed: true }) } : null;
}
