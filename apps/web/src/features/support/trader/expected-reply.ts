/** Who of support is there and how soon they answer as a rule, in words. Pure; nothing is promised that was not measured. */
import type { SupportPresence } from './useSupportPresence.ts';

/** `within a minute`, `within 3 min`, `within 2 h`: rounded up, so that it is kept more often than not. */
export function withinText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes === 1) return 'within a minute';
  if (minutes < 60) return `within ${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `within ${hours} h` : `within ${Math.ceil(hours / 24)} days`;
}

const statusWords = { available: 'Online', busy: 'Busy', offline: 'Offline' } as const;

export function expectedReply({ status, typical_first_response_s: typical }: SupportPresence): string {
  if (status === 'offline') return 'Offline, your message is answered later';
  const word = statusWords[status];
  return typical === null ? word : `${word}, usually replies ${withinText(typical)}`;
}
