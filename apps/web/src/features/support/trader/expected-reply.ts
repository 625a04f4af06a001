/** Texts about the available agents and their usual response time. Pure; it states measured times only. */
import type { SupportPresence } from './useSupportPresence.ts';

/** `within a minute`, `within 3 min`, `within 2 h`: rounded up, so that most replies are not later. */
export function formatWithin(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes === 1) return 'within a minute';
  if (minutes < 60) return `within ${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `within ${hours} h` : `within ${Math.ceil(hours / 24)} days`;
}

const statusLabels = { available: 'Online', busy: 'Busy', offline: 'Offline' } as const;

export function formatExpectedReply({ status, typical_first_response_s: typical }: SupportPresence): string {
  if (status === 'offline') return 'Offline, we will answer your message later';
  const label = statusLabels[status];
  return typical === null ? label : `${label}, usually replies ${formatWithin(typical)}`;
}
