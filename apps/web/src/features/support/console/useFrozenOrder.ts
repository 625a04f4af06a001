/**
 * The displayed order of the list. It follows the matching sessions, but is frozen while the pointer or the focus is
 * in the list. It applies changes when they leave or the agent clicks for updates. A new filter, order or search
 * applies at once.
 */
import { useCallback, useState } from 'react';
import { getShownOrder, type ShownOrder } from './sessions.ts';

interface Interaction {
  readonly pointer: boolean;
  readonly focus: boolean;
}

export interface FrozenList extends ShownOrder {
  /** Applies the pending changes. */
  readonly release: () => void;
  readonly onPointer: (inside: boolean) => void;
  readonly onFocus: (inside: boolean) => void;
}

/** `key` names the filter; `matchingIds` is in order. */
export function useFrozenOrder(matchingIds: readonly string[], key: string): FrozenList {
  const [interaction, setInteraction] = useState<Interaction>({ pointer: false, focus: false });
  const [shown, setShown] = useState({ key, ids: matchingIds });
  const isFrozen = (interaction.pointer || interaction.focus) && shown.key === key && shown.ids.length > 0;
  const { ids, hidden } = getShownOrder(matchingIds, shown.ids, isFrozen ? 'held' : 'free');
  // The next render starts from the displayed rows.
  if (ids !== shown.ids || shown.key !== key) setShown({ key, ids });

  const release = useCallback(() => setShown((before) => ({ ...before, key: '' })), []);
  const onPointer = useCallback(
    (pointer: boolean) => setInteraction((before) => ({ ...before, pointer })),
    [],
  );
  const onFocus = useCallback((focus: boolean) => setInteraction((before) => ({ ...before, focus })), []);
  return { ids, hidden, release, onPointer, onFocus };
}
