/**
 * The review's state in the address: the status of the list, and the open case. Opening a case adds a history entry,
 * so Back closes it.
 */
import { type KycAttemptStatus, kycAttemptStatuses } from '@fulcrum/domain';
import { choiceField, defineUrlState, useUrlState, uuidField } from '../../../shared/url-state/index.ts';

const reviewUrlState = defineUrlState({
  status: choiceField<KycAttemptStatus>(kycAttemptStatuses, 'pending'),
  openId: uuidField('case'),
});

/** The link to a case beside the current filter. */
export const toCaseLink = (search: URLSearchParams, openId: string): string =>
  `?${reviewUrlState.write(search, { openId })}`;

export function useReviewParams() {
  const [{ status, openId }, change] = useUrlState(reviewUrlState);
  return {
    status,
    openId,
    filter: (next: KycAttemptStatus) => change({ status: next }),
    open: (next: string) => change({ openId: next }, { step: openId === null ? 'new' : 'same' }),
    close: () => change({ openId: null }),
  } as const;
}
