/** What the page does when the trader is told something (A104), beside showing it in the list. */
import { log } from '../../shared/log/log.ts';
import { reloadProfile } from '../../shared/session/index.ts';
import type { Notification } from '../../shared/supabase/index.ts';
import { showNotice } from './notices.ts';

/** The profile is not announced itself; these say that it changed (A72). */
const profileKinds: ReadonlySet<string> = new Set(['restricted', 'restriction_lifted']);

/** Who has the conversation open, and none of the earlier ones, sees the answer itself. */
const isInView = ({ kind }: Notification): boolean =>
  kind === 'chat_reply' &&
  location.pathname === '/chat' &&
  location.search === '' &&
  document.visibilityState === 'visible';

export function onNotified(notification: Notification): void {
  if (!isInView(notification)) showNotice(notification);
  if (!profileKinds.has(notification.kind)) return;
  reloadProfile().catch((cause: unknown) => log.warn('The profile could not be read again', cause));
}
