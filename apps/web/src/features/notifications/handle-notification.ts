/** The page's reactions to a notification (A104), in addition to the list. */
import { getAddressedAccount, openAccount, toAccountPath } from '../../shared/account-address/index.ts';
import { log } from '../../shared/log/log.ts';
import { reloadProfile } from '../../shared/session/index.ts';
import type { Notification } from '../../shared/supabase/index.ts';
import { showNotice } from './notices.ts';
import { isOfOtherAccount, nameAccount } from './other-account.ts';

/** The profile has no change events; these notifications imply a change (A72). */
const profileKinds: ReadonlySet<string> = new Set(['restricted', 'restriction_lifted']);

/** With the conversation open, and none of the earlier ones, the trader sees the answer itself. */
const isInView = ({ kind }: Notification): boolean =>
  kind === 'chat_reply' &&
  location.pathname === toAccountPath(getAddressedAccount(), '/chat') &&
  location.search === '' &&
  document.visibilityState === 'visible';

/** What also sounds and shows on the desktop, where the user wants it: alerts, and what happened to an order or a position. */
const soundedKinds: ReadonlySet<string> = new Set([
  'alert',
  'order_filled',
  'take_profit',
  'stop_loss',
  'margin_warning',
  'liquidation',
]);

/** Its code is read with the first one. */
async function soundAlert({ id, message, symbol }: Notification): Promise<void> {
  const { notifyOnDesktop, priceAlerts } = await import('../../shared/desktop-notifications/index.ts');
  const onOpen = () => {
    if (symbol !== null) openAccount(getAddressedAccount(), `/trading?symbol=${encodeURIComponent(symbol)}`);
  };
  notifyOnDesktop(priceAlerts, { title: symbol ?? 'Fulcrum', body: message, tag: id, onOpen });
}

export function handleNotification(notification: Notification): void {
  // A page of another account names what is the main account's, and leaves its sound to the main account's pages.
  if (isOfOtherAccount(notification)) {
    showNotice({ ...notification, message: nameAccount(notification) });
    return;
  }
  if (soundedKinds.has(notification.kind)) {
    soundAlert(notification).catch((cause: unknown) => log.warn('An alert could not be sounded', cause));
  }
  if (!isInView(notification)) showNotice(notification);
  if (!profileKinds.has(notification.kind)) return;
  reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
}
