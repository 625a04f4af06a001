/**
 * Notifications as notices at the edge of the screen. One tick may close dozens of positions, so notices that arrive
 * together are batched: up to three are shown singly, more as one line with their number. Important ones (a
 * liquidation, a rejection, a restriction) stay until closed. The list contains all of them.
 */
import type { Notification } from '../../shared/supabase/index.ts';
import { showToast, type ToastKind, type ToastOptions } from '../../shared/ui/index.ts';
import { getKindStyle, type NotificationTone } from './kinds.ts';

export interface Notice extends Pick<ToastOptions, 'description' | 'isSticky'> {
  readonly kind: ToastKind;
  readonly text: string;
}

const separateMax = 3;
const gatherMs = 300;

const toastKinds = {
  good: 'success',
  bad: 'error',
  warn: 'error',
  news: 'info',
} as const satisfies Record<NotificationTone, ToastKind>;

type NotificationSummary = Pick<Notification, 'kind' | 'message'>;

/** The notices for notifications that arrived together, in their order. */
export function toNotices(batch: readonly NotificationSummary[]): readonly Notice[] {
  if (batch.length <= separateMax) {
    return batch.map((one) => {
      const { tone, mustBeSeen } = getKindStyle(one);
      return { kind: toastKinds[tone], text: one.message, ...(mustBeSeen && { isSticky: true }) };
    });
  }
  const counts = new Map<string, number>();
  for (const one of batch) {
    const { many } = getKindStyle(one);
    counts.set(many, (counts.get(many) ?? 0) + 1);
  }
  const isBad = batch.some((one) => getKindStyle(one).tone === 'bad');
  const description = [...counts].map(([many, count]) => `${count} ${many}`).join(', ');
  const isSticky = batch.some((one) => getKindStyle(one).mustBeSeen === true);
  const text = `${batch.length} new notifications`;
  return [{ kind: isBad ? 'error' : 'info', text, description, ...(isSticky && { isSticky }) }];
}

let pendingNotices: Notification[] = [];

/** Shows a notification, batched with others of the same moment. */
export function showNotice(notification: Notification): void {
  pendingNotices.push(notification);
  if (pendingNotices.length > 1) return;
  setTimeout(() => {
    const batch = pendingNotices;
    pendingNotices = [];
    for (const { kind, text, ...options } of toNotices(batch)) showToast(kind, text, options);
  }, gatherMs);
}
