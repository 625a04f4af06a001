/** What the review says where no further case is to open. */
import type { KycCase } from './cases.ts';

/** What of an opened case tells whether others wait. */
export type CaseInQueue = Pick<KycCase, 'next_id' | 'waiting'> & {
  readonly verification: Pick<KycCase['verification'], 'status'>;
};

/** Whether further cases wait though none is next: other admins have claimed them. */
const areOthersClaimed = ({ next_id, waiting, verification }: CaseInQueue): boolean =>
  next_id === null && waiting > (verification.status === 'pending' ? 1 : 0);

/** Beside the decision, where no case is next. */
export const getQueueEndText = (opened: CaseInQueue): string =>
  areOthersClaimed(opened) ? 'The others are claimed' : 'No other case is waiting';

/** After a decision; `done` names it. */
export const getDecidedText = (done: string, opened: CaseInQueue): string =>
  opened.next_id === null && !areOthersClaimed(opened)
    ? `${done}. All done: nothing is left to review.`
    : done;
