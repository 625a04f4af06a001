/** What each state of support, or of one agent, is called, and its colours. */
import type { SupportStatus } from '@fulcrum/domain';
import type { BadgeTone } from '../../shared/ui/index.ts';

interface StatusStyle {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly dot: string;
}

export const statusStyles: Readonly<Record<SupportStatus, StatusStyle>> = {
  available: { label: 'Available', tone: 'up', dot: 'bg-up' },
  busy: { label: 'Busy', tone: 'warn', dot: 'bg-warn' },
  offline: { label: 'Offline', tone: 'neutral', dot: 'bg-text-3' },
};
