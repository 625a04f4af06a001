/** How the outcome of a signal is shown. */
import type { SignalOutcome } from '@fulcrum/domain';
import type { BadgeTone } from '../../shared/ui/index.ts';

export const outcomeStyles = {
  pending: { label: 'Pending', tone: 'accent' },
  done: { label: 'Done', tone: 'up' },
  refused: { label: 'Refused', tone: 'down' },
  too_late: { label: 'Too late', tone: 'warn' },
  unreadable: { label: 'Unreadable', tone: 'warn' },
} as const satisfies Record<SignalOutcome, { readonly label: string; readonly tone: BadgeTone }>;
