/**
 * The bell in the header: the number of unread notifications, and the list beneath it. Escape, a click outside and
 * leaving by Tab close the list; Escape returns the focus to the bell. A rising count is announced; the notices
 * announce the messages.
 */
import Bell from 'lucide-react/icons/bell';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNotifications } from '../../shared/account/index.ts';
import { lazyPart, missingPart } from '../../shared/code/lazy-part.tsx';
import { notificationsLimit } from '../../shared/realtime/changes.ts';
import { dismissToasts, Skeleton } from '../../shared/ui/index.ts';

const mostShown = 9;

export const loadNotificationList = () => import('./NotificationList.tsx');
const NotificationList = lazyPart(loadNotificationList, missingPart('The notifications failed to load'));

/** `3 unread`, `50 or more unread`: only the latest ones are loaded. */
const formatUnread = (unread: number): string =>
  unread >= notificationsLimit ? `${notificationsLimit} or more unread` : `${unread} unread`;

export function NotificationBell() {
  const { data: notifications } = useNotifications();
  const unread = notifications?.filter(({ readAt }) => readAt === null).length ?? 0;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const bell = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!open) return;
    panel.current?.focus();
    dismissToasts();
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    setOpen(false);
    bell.current?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    const next = event.relatedTarget;
    // A button that disappears with its own click moves the focus to the body: the list stays open.
    if (next instanceof Node && !root.current?.contains(next)) setOpen(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus that bubble from the bell and its list
    <div ref={root} className="md:relative" onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={bell}
        type="button"
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${formatUnread(unread)}`}
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
        className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-raised hover:text-text max-md:size-11"
      >
        <Bell size={18} aria-hidden="true" />
        {unread === 0 ? null : (
          <span
            aria-hidden="true"
            className="figures absolute top-0 right-0 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-11 leading-none font-semibold text-on-fill ring-2 ring-surface max-md:top-1 max-md:right-0.5"
          >
            {unread > mostShown ? `${mostShown}+` : unread}
          </span>
        )}
      </button>
      <span role="status" className="sr-only">
        {unread === 0 ? '' : `${formatUnread(unread)} notifications`}
      </span>
      {open ? (
        <div
          ref={panel}
          id={panelId}
          role="dialog"
          aria-label="Notifications"
          tabIndex={-1}
          className="rise z-50 flex max-h-[min(480px,70dvh)] flex-col overflow-hidden rounded-panel border border-line-strong bg-raised shadow-raised outline-none max-md:fixed max-md:inset-x-2 max-md:top-[calc(var(--impersonation-height)+56px)] md:absolute md:top-full md:right-0 md:mt-3 md:w-[360px]"
        >
          <NotificationList
            unread={unread}
            onLeave={() => setOpen(false)}
            waiting={<Skeleton className="m-4 h-9" />}
          />
        </div>
      ) : null}
    </div>
  );
}
