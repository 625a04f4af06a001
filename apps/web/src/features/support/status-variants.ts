/** What each state of support, or of one agent, is called, and its colours. */
import type { SupportStatus } from '@fulcrum/domain';
import type { BadgeTone } from '../../shared/ui/index.ts';

interface StatusVariant {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly dot: string;
}

export const statusVariants: Readonly<Record<SupportStatus, StatusVariant>> = {
  available: { label: 'Available', tone: 'up', dot: 'bg-up' },
  busy: { label: 'Busy', tone: 'warn', dot: 'bg-warn' },
  offline: { label: 'Offline', tone: 'neutral', dot: 'bg-text-3' },
};
