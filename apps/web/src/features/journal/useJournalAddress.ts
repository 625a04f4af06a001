/**
 * What of the journal the address says: `search` and `tag` narrow it, `journal=all` shows more than the latest, `entry` opens
 * one. `entry=new`, with `position` where it is about one, asks for a new entry once and is then taken out of the address.
 */

import { isUuid } from '@fulcrum/domain';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { inPlace } from '../../shared/in-place/index.ts';
import { type JournalFilter, readFilter } from './filter.ts';

/** A wish for a new entry; each one is another object. */
export interface Asked {
  readonly positionId: string | null;
}

type Change = Partial<Record<'search' | 'tag' | 'journal' | 'entry', string | null>>;

export function useJournalAddress() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const go = (params: URLSearchParams) => {
    const query = params.toString();
    const place = { search: query === '' ? '' : `?${query}`, hash: window.location.hash };
    // useSearchParams would drop the hash.
    void navigate(place, { replace: true, preventScrollReset: true, state: inPlace });
  };
  const entry = search.get('entry');
  const isAsked = entry === 'new';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it stands in the address
  useEffect(() => {
    if (!isAsked) return;
    const position = search.get('position');
    setAsked({ positionId: position !== null && isUuid(position) ? position : null });
    const params = new URLSearchParams(search);
    params.delete('entry');
    params.delete('position');
    go(params);
  }, [isAsked]);
  const filter: JournalFilter = readFilter(search);
  return {
    filter,
    asked,
    showsAll: search.get('journal') === 'all',
    opened: isAsked ? null : entry,
    change: (change: Change) => {
      // What is typed is looked for a moment later, by when a tag may have been chosen that no render has seen yet.
      const params = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(change)) {
        if (value === null || value === '') params.delete(name);
        else params.set(name, value);
      }
      go(params);
    },
  } as const;
}
