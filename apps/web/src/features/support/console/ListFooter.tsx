/** Text that states whether the list is live. */
import { Keys } from '../../../shared/actions/index.ts';
import { chatMessages, NotificationSettings } from '../../../shared/desktop-notifications/index.ts';
import { usePreference } from '../../../shared/preferences/index.ts';
import { formatClock } from '../../../shared/time/dates.ts';
import type { FeedSnapshot } from './session-feed.ts';

interface FooterLabel {
  readonly dot: string;
  readonly text: string;
}

function getFooterLabel({ status, isLive, readMs }: FeedSnapshot): FooterLabel {
  if (isLive) return { dot: 'bg-up', text: 'Live, nothing missed' };
  if (readMs !== null) {
    return { dot: 'bg-warn', text: `Reconnecting. As of ${formatClock(new Date(readMs).toISOString())}` };
  }
  return status === 'failed'
    ? { dot: 'bg-down', text: 'Not connected' }
    : { dot: 'bg-text-3', text: 'Connecting' };
}

export function ListFooter({ feed }: { readonly feed: FeedSnapshot }) {
  const pageKeys = usePreference('pageKeys');
  const { dot, text } = getFooterLabel(feed);
  // The longer text of a lost connection needs the hint's room.
  const hasHint = pageKeys && feed.isLive;
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-t border-line pr-2 pl-4 text-12 whitespace-nowrap text-text-2 max-md:h-11">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${dot}`} />
      <p role="status" aria-label="Connection" className="min-w-0 truncate">
        {text}
      </p>
      {hasHint ? (
        <span className="ml-auto flex items-center gap-1 text-11 text-text-3 max-xl:hidden">
          <Keys keys="J" />
          <Keys keys="K" />
          next, previous
        </span>
      ) : null}
      <span className={hasHint ? 'max-xl:ml-auto' : 'ml-auto'}>
        <NotificationSettings
          label="Message alerts"
          purpose={chatMessages}
          note="For a trader’s message in a session that you do not have before you."
        />
      </span>
    </div>
  );
}
