/**
 * Notifications as notices at the edge of the screen. One tick may close dozens of positions, so what comes within a
 * moment is gathered: up to three are shown as they are, more as one line that counts them. What must be seen (a
 * liquidation, a rejection, a restriction) stays until it is closed. All of them stand in the list.
 */
import type { Notification } from '../../shared/supabase/index.ts';
import { announce, type ToastKind } from '../../shared/ui/index.ts';
import { lookOf, type NotificationTone } from './kinds.ts';

export interface Notice {
  readonly kind: ToastKind;
  readonly text: string;
  readonly description?: string;
  /** It stays until it is closed or the list is opened. */
  readonly stays?: true;
}

const mostApart = 3;
const gatherMs = 300;

const toastKinds = {
  good: 'success',
  bad: 'error',
  warn: 'error',
  news: 'info',
} as const satisfies Record<NotificationTone, ToastKind>;

type Told = Pick<Notification, 'kind' | 'message'>;

/** What to show for notifications that came together, in their order. */
export function noticesOf(together: readonly Told[]): readonly Notice[] {
  if (together.length <= mostApart) {
    return together.map((one) => {
      const { tone, mustBeSeen } = lookOf(one);
      return { kind: toastKinds[tone], text: one.message, ...(mustBeSeen && { stays: mustBeSeen }) };
    });
  }
  const counts = new Map<string, number>();
  for (const one of together) {
    const { many } = lookOf(one);
    counts.set(many, (counts.get(many) ?? 0) + 1);
  }
  const isBad = together.some((one) => lookOf(one).tone === 'bad');
  const description = [...counts].map(([many, count]) => `${count} ${many}`).join(', ');
  const stays = together.some((one) => lookOf(one).mustBeSeen === true);
  const text = `${together.length} new notifications`;
  return [{ kind: isBad ? 'error' : 'info', text, description, ...(stays && { stays }) }];
}

let gathered: Notification[] = [];

/** Shows a notification, together with others of the same moment. */
export function showNotice(notification: Notification): void {
  gathered.push(notification);
  if (gathered.length > 1) return;
  setTimeout(() => {
    const together = gathered;
    gathered = [];
    for (const { kind, text, ...options } of noticesOf(together)) announce(kind, text, options);
  }, gatherMs);
}
