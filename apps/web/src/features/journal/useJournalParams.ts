/**
 * The journal's state in the address: `search` and `tag` filter it, `journal=all` shows more than the latest, `entry`
 * opens one. `entry=new`, optionally with `position`, requests a new entry once and is then removed from the address.
 */

import { isUuid } from '@fulcrum/domain';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { inPlace } from '../../shared/url-state/index.ts';
import { type JournalFilter, parseFilter } from './filter.ts';

/** A request for a new entry; each one is another object. */
export interface NewEntryRequest {
  readonly positionId: string | null;
}

type Change = Partial<Record<'search' | 'tag' | 'journal' | 'entry', string | null>>;

export function useJournalParams() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [newEntryRequest, setNewEntryRequest] = useState<NewEntryRequest | null>(null);
  const go = (params: URLSearchParams) => {
    const query = params.toString();
    const target = { search: query === '' ? '' : `?${query}`, hash: window.location.hash };
    // useSearchParams would drop the hash.
    void navigate(target, { replace: true, preventScrollReset: true, state: inPlace });
  };
  const entry = search.get('entry');
  const isNewEntry = entry === 'new';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each request in the address
  useEffect(() => {
    if (!isNewEntry) return;
    const position = search.get('position');
    setNewEntryRequest({ positionId: position !== null && isUuid(position) ? position : null });
    const params = new URLSearchParams(search);
    params.delete('entry');
    params.delete('position');
    go(params);
  }, [isNewEntry]);
  const filter: JournalFilter = parseFilter(search);
  return {
    filter,
    newEntryRequest,
    showsAll: search.get('journal') === 'all',
    opened: isNewEntry ? null : entry,
    change: (change: Change) => {
      // The search runs a moment after typing; a tag chosen meanwhile may not have been rendered yet.
      const params = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === '') params.delete(name);
        else params.set(name, value);
      }
      go(params);
    },
  } as const;
}
