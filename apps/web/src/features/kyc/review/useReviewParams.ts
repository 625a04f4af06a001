/**
 * The review's state in the address: the status of the list, and the open case. Opening a case adds a history entry,
 * so Back closes it.
 */

import { isUuid, type KycAttemptStatus, kycAttemptStatuses } from '@fulcrum/domain';
import { useSearchParams } from 'react-router';
import { inPlace } from '../../../shared/url-state/index.ts';

export function useReviewParams() {
  const [search, setSearch] = useSearchParams();
  const named = search.get('status');
  const status: KycAttemptStatus = kycAttemptStatuses.find((known) => known === named) ?? 'pending';
  const id = search.get('case');
  const go = (change: Readonly<Record<string, string | null>>, step: 'new' | 'same') => {
    const params = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value === null) params.delete(name);
      else params.set(name, value);
    }
    setSearch(params, { replace: step === 'same', preventScrollReset: true, state: inPlace });
  };
  return {
    status,
    openId: id !== null && isUuid(id) ? id : null,
    filter: (next: KycAttemptStatus) => go({ status: next === 'pending' ? null : next }, 'same'),
    open: (next: string) => go({ case: next }, id === null ? 'new' : 'same'),
    close: () => go({ case: null }, 'same'),
  } as const;
}
