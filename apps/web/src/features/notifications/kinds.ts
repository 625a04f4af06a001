/**
 * What a notification's kind means to the eye. The server may tell of kinds that this page does not know yet: they are
 * shown as plain news.
 */
import type { NotificationKind, PeopleNotificationKind } from '@fulcrum/domain';
import type { Notification } from '../../shared/supabase/index.ts';

export type NotificationTone = 'good' | 'bad' | 'warn' | 'news';

interface KindLook {
  readonly tone: NotificationTone;
  /** Several of them in one word or two. */
  readonly many: string;
  /** Its notice stays until somebody has seen it. */
  readonly mustBeSeen?: true;
}

type Kind = NotificationKind | PeopleNotificationKind;

const looks: Readonly<Record<Kind, KindLook>> = {
  order_filled: { tone: 'good', many: 'orders filled' },
  order_rejected: { tone: 'bad', many: 'orders rejected', mustBeSeen: true },
  order_canceled: { tone: 'news', many: 'orders canceled' },
  take_profit: { tone: 'good', many: 'take profits' },
  close_at_reopen: { tone: 'news', many: 'closes at the reopening' },
  stop_loss: { tone: 'bad', many: 'stop losses' },
  margin_warning: { tone: 'warn', many: 'margin warnings' },
  liquidation: { tone: 'bad', many: 'liquidations', mustBeSeen: true },
  funds_changed: { tone: 'news', many: 'changes of funds' },
  position_adjusted: { tone: 'news', many: 'positions adjusted' },
  restricted: { tone: 'bad', many: 'restrictions', mustBeSeen: true },
  restriction_lifted: { tone: 'good', many: 'restrictions lifted' },
  kyc_approved: { tone: 'good', many: 'identity checks passed' },
  kyc_rejected: { tone: 'bad', many: 'identity checks not accepted', mustBeSeen: true },
  chat_reply: { tone: 'news', many: 'replies of support' },
};
const otherLook: KindLook = { tone: 'news', many: 'messages' };
const isKnown = (kind: string): kind is Kind => Object.hasOwn(looks, kind);

export const lookOf = ({ kind }: Pick<Notification, 'kind'>): KindLook =>
  isKnown(kind) ? looks[kind] : otherLook;
