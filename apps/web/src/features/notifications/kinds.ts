/** The appearance of each notification kind. A kind that this page does not know yet is shown as a plain one. */
import type { NotificationKind, UserNotificationKind } from '@fulcrum/domain';
import type { Notification } from '../../shared/supabase/index.ts';

export type NotificationTone = 'good' | 'bad' | 'warn' | 'news';

interface KindStyle {
  readonly tone: NotificationTone;
  /** A short plural label. */
  readonly many: string;
  /** Its notice stays until the user closes it or opens the list. */
  readonly mustBeSeen?: true;
}

type Kind = NotificationKind | UserNotificationKind;

const kindStyles: Readonly<Record<Kind, KindStyle>> = {
  order_filled: { tone: 'good', many: 'orders filled' },
  order_rejected: { tone: 'bad', many: 'orders rejected', mustBeSeen: true },
  order_expired: { tone: 'news', many: 'orders expired' },
  order_canceled: { tone: 'news', many: 'orders canceled' },
  take_profit: { tone: 'good', many: 'take profits' },
  close_at_reopen: { tone: 'news', many: 'closes at the next price' },
  stop_loss: { tone: 'bad', many: 'stop losses' },
  margin_warning: { tone: 'warn', many: 'margin warnings' },
  liquidation: { tone: 'bad', many: 'liquidations', mustBeSeen: true },
  funds_changed: { tone: 'news', many: 'changes of funds' },
  account_reset: { tone: 'news', many: 'account resets', mustBeSeen: true },
  position_adjusted: { tone: 'news', many: 'positions adjusted' },
  restricted: { tone: 'bad', many: 'restrictions', mustBeSeen: true },
  restriction_lifted: { tone: 'good', many: 'restrictions lifted' },
  kyc_approved: { tone: 'good', many: 'identity checks passed' },
  kyc_rejected: { tone: 'bad', many: 'identity checks not accepted', mustBeSeen: true },
  alert: { tone: 'warn', many: 'alerts', mustBeSeen: true },
  class_message: { tone: 'news', many: 'messages to your class', mustBeSeen: true },
  weekly_recap: { tone: 'news', many: 'weekly recaps' },
  contest_withdrawn: { tone: 'news', many: 'contests that were withdrawn' },
  contest_begun: { tone: 'news', many: 'contests that began' },
  challenge_passed: { tone: 'good', many: 'steps of challenges passed', mustBeSeen: true },
  challenge_failed: { tone: 'bad', many: 'challenges not passed', mustBeSeen: true },
  contest_ended: { tone: 'news', many: 'contests that ended' },
  chat_reply: { tone: 'news', many: 'support replies' },
};
const defaultStyle: KindStyle = { tone: 'news', many: 'messages' };
const isKnown = (kind: string): kind is Kind => Object.hasOwn(kindStyles, kind);

export const getKindStyle = ({ kind }: Pick<Notification, 'kind'>): KindStyle =>
  isKnown(kind) ? kindStyles[kind] : defaultStyle;
