/** What the kinds of trading accounts are called. */
import type { AccountKind } from '@fulcrum/domain';

export const accountKindNames: Readonly<Record<AccountKind, string>> = {
  main: 'Main',
  practice: 'Practice',
  class: 'Class',
  contest: 'Contest',
  challenge: 'Challenge',
};
