/**
 * The review's state in the address: the filter of the list, and the open case. Opening a case adds a history entry, so Back
 * closes it.
 */
import {
  type KycAttemptFilter,
  type KycAttemptStatus,
  type KycDocumentType,
  kycAttemptFilters,
  kycAttemptStatuses,
  kycDocumentTypes,
} from '@fulcrum/domain';
import {
  choiceField,
  defineUrlState,
  optionalField,
  textField,
  useUrlState,
  uuidField,
} from '../../../shared/url-state/index.ts';
import type { QueueFilter } from './cases.ts';

const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | null =>
    values.find((value) => value === text) ?? null;

const reviewUrlState = defineUrlState({
  status: choiceField<KycAttemptStatus>(kycAttemptStatuses, 'pending'),
  search: textField(100, 'q'),
  country: optionalField((text) => text.slice(0, 60).toWellFormed() || null),
  type: optionalField<KycDocumentType>(oneOf(kycDocumentTypes)),
  attempt: optionalField<KycAttemptFilter>(oneOf(kycAttemptFilters)),
  openId: uuidField('case'),
});

/** All checks of a status. */
export const noFilter = { search: '', country: null, type: null, attempt: null } as const;

/** The link to a case beside the current filter. */
export const toCaseLink = (search: URLSearchParams, openId: string): string =>
  `?${reviewUrlState.write(search, { openId })}`;

export function useReviewParams() {
  const [{ openId, ...filter }, change] = useUrlState(reviewUrlState);
  return {
    filter: filter satisfies QueueFilter,
    openId,
    changeFilter: (next: Partial<QueueFilter>) => change(next),
    open: (next: string) => change({ openId: next }, { step: openId === null ? 'new' : 'same' }),
    close: () => change({ openId: null }),
  } as const;
}
