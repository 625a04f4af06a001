/** The trader's notifications, newest first, and the button that marks them as read. */
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Link } from 'react-router';
import { useNotifications } from '../../shared/account/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Notification } from '../../shared/supabase/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Button, EmptyState, ReadError, Skeleton } from '../../shared/ui/index.ts';
import { getKindStyle, type NotificationTone } from './kinds.ts';
import { isOfOtherAccount, nameAccount } from './other-account.ts';
import { useMarkAllRead } from './useMarkAllRead.ts';

const icons = {
  good: { Icon: CircleCheck, colour: 'text-up' },
  bad: { Icon: CircleAlert, colour: 'text-down' },
  warn: { Icon: TriangleAlert, colour: 'text-warn' },
  news: { Icon: Info, colour: 'text-text-2' },
} as const satisfies Record<NotificationTone, unknown>;

const linkStyles =
  'relative ml-3 font-medium text-accent hover:underline max-md:after:absolute max-md:after:-inset-3';

/** Where a notification leads. */
const targetOf = ({ kind, positionId, symbol }: Notification): string | null =>
  kind === 'liquidation' && positionId !== null && symbol !== null
    ? `/trading?symbol=${encodeURIComponent(symbol)}&liquidation=${positionId}`
    : null;

interface ItemProps {
  readonly notification: Notification;
  readonly onLeave: () => void;
}

function Item({ notification, onLeave }: ItemProps) {
  const { createdAt, readAt } = notification;
  const isForeign = isOfOtherAccount(notification);
  const message = isForeign ? nameAccount(notification) : notification.message;
  const { Icon, colour } = icons[getKindStyle(notification).tone];
  const isUnread = readAt === null;
  const target = targetOf(notification);
  return (
    <li className={`flex gap-2.5 px-4 py-2.5 ${isUnread ? 'bg-accent-weak' : ''}`}>
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${colour}`} />
      <div className="min-w-0 grow">
        <p className="text-13 wrap-anywhere">
          {isUnread ? <span className="sr-only">Unread: </span> : null}
          {message}
        </p>
        <p className="text-12 text-text-2">
          <DateTime iso={createdAt} />
          {target !== null && isForeign ? (
            <a href={target} className={linkStyles}>
              What happened?
            </a>
          ) : null}
          {target === null || isForeign ? null : (
            <Link to={target} onClick={onLeave} className={linkStyles}>
              What happened?
            </Link>
          )}
        </p>
      </div>
      {isUnread ? (
        <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />
      ) : null}
    </li>
  );
}

function Content({ onLeave }: Pick<ItemProps, 'onLeave'>) {
  const reading = useNotifications();
  const { data: notifications, isError } = reading;
  if (!notifications && isError) return <ReadError title="Failed to fetch notifications" reading={reading} />;
  if (!notifications) {
    return (
      <div className="flex flex-col gap-3 p-4">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-9 w-full" />
        ))}
      </div>
    );
  }
  if (notifications.length === 0) {
    return (
      <EmptyState title="No notifications">
        Fills of waiting orders, take profits, stop losses, liquidations and changes by staff appear here.
      </EmptyState>
    );
  }
  return (
    <ul className="min-h-0 divide-y divide-line/65 overflow-y-auto">
      {notifications.map((notification) => (
        <Item key={notification.id} notification={notification} onLeave={onLeave} />
      ))}
    </ul>
  );
}

interface NotificationListProps extends Pick<ItemProps, 'onLeave'> {
  /** The number of unread ones. */
  readonly unread: number;
}

/** `onLeave` is called when a notification leads to another place. */
export default function NotificationList({ unread, onLeave }: NotificationListProps) {
  const { impersonation } = useSignedIn();
  const { markAllRead, pending } = useMarkAllRead();
  return (
    <>
      <div className="flex min-h-12 shrink-0 items-center justify-between gap-4 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="text-14 font-semibold">Notifications</h2>
        {/* Only the trader can mark notifications as read. */}
        {unread > 0 && impersonation === null ? (
          <Button
            tone="quiet"
            size="compact"
            className="max-md:!h-11"
            onClick={markAllRead}
            pending={pending}
          >
            Mark all read
          </Button>
        ) : null}
      </div>
      <Content onLeave={onLeave} />
    </>
  );
}
