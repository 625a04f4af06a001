/**
 * The content of a push: title, text and where a click leads. Invariants: the text is that of the notification, so a push
 * tells nothing that the list in the app does not; the path is relative to this server.
 */
import type { NotificationKind, UserNotificationKind } from '@fulcrum/domain';
import type { PushNotification } from './dependencies.ts';

type Kind = NotificationKind | UserNotificationKind;

interface KindContent {
  readonly title: string;
  /** By default the pair's page, or the dashboard for a notification without a pair. */
  readonly path?: string;
  /** Wakes a device that saves power. */
  readonly isUrgent?: true;
}

const contents: Readonly<Record<Kind, KindContent>> = {
  order_filled: { title: 'Order filled' },
  order_rejected: { title: 'Order rejected', isUrgent: true },
  order_expired: { title: 'Order expired' },
  order_canceled: { title: 'Order canceled' },
  take_profit: { title: 'Take profit' },
  stop_loss: { title: 'Stop loss' },
  close_at_reopen: { title: 'Position closed' },
  margin_warning: { title: 'Margin warning', isUrgent: true },
  liquidation: { title: 'Liquidation', isUrgent: true },
  funds_changed: { title: 'Funds changed', path: '/wallet' },
  account_reset: { title: 'Account reset', path: '/wallet' },
  position_adjusted: { title: 'Position adjusted' },
  restricted: { title: 'Account restricted', path: '/dashboard' },
  restriction_lifted: { title: 'Restriction lifted', path: '/dashboard' },
  kyc_approved: { title: 'Identity check passed', path: '/profile?tab=kyc' },
  kyc_rejected: { title: 'Identity check not accepted', path: '/profile?tab=kyc' },
  alert: { title: 'Alert', isUrgent: true },
  class_message: { title: 'Message to your class', path: '/dashboard' },
  weekly_recap: { title: 'Recap of your week', path: '/journal' },
  contest_withdrawn: { title: 'Contest withdrawn', path: '/contests' },
  contest_begun: { title: 'Contest begun', path: '/contests' },
  challenge_passed: { title: 'Step of a challenge passed', path: '/contests' },
  challenge_failed: { title: 'Challenge not passed', path: '/contests' },
  contest_ended: { title: 'Contest ended', path: '/contests' },
  chat_reply: { title: 'Support replied', path: '/chat' },
};
const defaultContent: KindContent = { title: 'Fulcrum' };
const isKnown = (kind: string): kind is Kind => Object.hasOwn(contents, kind);
const getContent = (kind: string): KindContent => (isKnown(kind) ? contents[kind] : defaultContent);

/** With its keys and numbers the payload stays far below the 4096 bytes of RFC 8030, also where each character takes 3. */
const bodyLengthMax = 600;

export const isUrgent = ({ kind }: PushNotification): boolean => getContent(kind).isUrgent === true;

export function writeMessage(notification: PushNotification): string {
  const { id, kind, message, symbol, createdAt, accountId, accountName } = notification;
  const { title, path } = getContent(kind);
  const pairPath = symbol === null ? '/dashboard' : `/trading?symbol=${encodeURIComponent(symbol)}`;
  const body = message.length > bodyLengthMax ? `${message.slice(0, bodyLengthMax - 1)}…` : message;
  const ownPath = path ?? pairPath;
  // The page of another account has the account in its address (docs/decisions/0016).
  return JSON.stringify({
    ...{ id, kind, body, at: createdAt.getTime() },
    title: accountName === null ? title : `${title} · ${accountName}`,
    path: accountId === null ? ownPath : `/a/${accountId}${ownPath}`,
  });
}
