/**
 * The order in which the list is shown: what is wanted, unless the pointer or the focus is in the list; then nothing moves until
 * it leaves or somebody asks for what is new. Another filter, order or search acts at once.
 */
import { useCallback, useState } from 'react';
import { type Arrangement, arrange } from './sessions.ts';

interface Hold {
  readonly pointer: boolean;
  readonly focus: boolean;
}

export interface HeldList extends Arrangement {
  /** Takes over what waits. */
  readonly release: () => void;
  readonly onPointer: (inside: boolean) => void;
  readonly onFocus: (inside: boolean) => void;
}

/** `key` names the filter; `wanted` is in order. */
export function useArrangement(wanted: readonly string[], key: string): HeldList {
  const [hold, setHold] = useState<Hold>({ pointer: false, focus: false });
  const [shown, setShown] = useState({ key, ids: wanted });
  const isHeld = (hold.pointer || hold.focus) && shown.key === key && shown.ids.length > 0;
  const { ids, hidden } = arrange(wanted, shown.ids, isHeld ? 'held' : 'free');
  // What is shown is what the next look holds on to.
  if (ids !== shown.ids || shown.key !== key) setShown({ key, ids });

  const release = useCallback(() => setShown((before) => ({ ...before, key: '' })), []);
  const onPointer = useCallback((pointer: boolean) => setHold((before) => ({ ...before, pointer })), []);
  const onFocus = useCallback((focus: boolean) => setHold((before) => ({ ...before, focus })), []);
  return { ids, hidden, release, onPointer, onFocus };
}
