/**
 * The journal's state in the address: `search` and `tag` filter it, `journal=all` shows more than the latest, `entry`
 * opens one. `entry=new`, optionally with `position`, requests a new entry once and is then removed from the address.
 */
import { useEffect, useState } from 'react';
import {
  choiceField,
  defineUrlState,
  optionalField,
  useUrlState,
  uuidField,
} from '../../shared/url-state/index.ts';
import { filterFields } from './filter.ts';

const journalUrlState = defineUrlState({
  ...filterFields,
  journal: choiceField(['latest', 'all'], 'latest'),
  entry: optionalField((id) => id),
  position: uuidField(),
});

/** A request for a new entry; each one is another object. */
export interface NewEntryRequest {
  readonly positionId: string | null;
}

export function useJournalParams() {
  const [{ text, tag, journal, entry, position }, change] = useUrlState(journalUrlState);
  const [newEntryRequest, setNewEntryRequest] = useState<NewEntryRequest | null>(null);
  const isNewEntry = entry === 'new';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each request in the address
  useEffect(() => {
    if (!isNewEntry) return;
    setNewEntryRequest({ positionId: position });
    change({ entry: null, position: null });
  }, [isNewEntry]);
  return {
    filter: { text, tag },
    newEntryRequest,
    showsAll: journal === 'all',
    opened: isNewEntry ? null : entry,
    change,
  } as const;
}
