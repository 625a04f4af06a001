/**
 * Notifications as notices at the edge of the screen. One tick may close dozens of positions, so what comes within a
 * moment is gathered: up to three are shown as they are, more as one line that counts them. All of them stand in the list.
 */
import type { Notification } from '../../shared/supabase/index.ts';
import { announce, type ToastKind } from '../../shared/ui/index.ts';
import { lookOf, type NotificationTone } from './kinds.ts';

export interface Notice {
  readonly kind: ToastKind;
  readonly text: string;
  readonly description?: string;
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
    return together.map((one) => ({ kind: toastKinds[lookOf(one).tone], text: one.message }));
  }
  const counts = new Map<string, number>();
  for (const one of together) {
    const { many } = lookOf(one);
    counts.set(many, (counts.get(many) ?? 0) + 1);
  }
  const isBad = together.some((one) => lookOf(one).tone === 'bad');
  const description = [...counts].map(([many, count]) => `${count} ${many}`).join(', ');
  return [{ kind: isBad ? 'error' : 'info', text: `${together.length} new notifications`, description }];
}

let gathered: Notification[] = [];

/** Shows a notification, together with others of the same moment. */
export function showNotice(notification: Notification): void {
  gathered.push(notification);
  if (gathered.length > 1) return;
  setTimeout(() => {
    const together = gathered;
    gathered = [];
    for (const { kind, text, description } of noticesOf(together)) {
      announce(kind, text, description === undefined ? {} : { description });
    }
  }, gatherMs);
}
