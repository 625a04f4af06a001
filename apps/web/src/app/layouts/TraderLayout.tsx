/**
 * Layout of the trader's pages: a navigation bar on top from 768 px on, at the bottom below. On a phone the trading screen and
 * the chat have their own header, so the brand line is hidden there.
 */
import CandlestickChart from 'lucide-react/icons/chart-candlestick';
import ChartColumn from 'lucide-react/icons/chart-column';
import Home from 'lucide-react/icons/house';
import LogOut from 'lucide-react/icons/log-out';
import MessageSquare from 'lucide-react/icons/message-square';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import User from 'lucide-react/icons/user';
import Wallet from 'lucide-react/icons/wallet';
import { Link, NavLink, useLocation } from 'react-router';
import { AccountFrame, AccountSwitcher } from '../../features/accounts/index.ts';
import {
  handleNotification,
  loadNotificationList,
  NotificationBell,
} from '../../features/notifications/index.ts';
import { useSupportConversations } from '../../shared/account/support-conversations.ts';
import { AssistantButton } from '../../shared/actions/AssistantButton.tsx';
import { lazyPart } from '../../shared/code/lazy-part.tsx';
import { usePrefetch } from '../../shared/code/usePrefetch.ts';
import { useAccountChanges } from '../../shared/realtime/index.ts';
import { countUnread } from '../../shared/realtime/support-conversations.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Avatar, Badge, Brand, Button, IconButton, Mark } from '../../shared/ui/index.ts';
import { Page } from '../Page.tsx';
import { AccountProviders } from './AccountProviders.tsx';
import { ConnectionLine } from './ConnectionLine.tsx';
import { Main } from './Main.tsx';
import { NavItem } from './NavItem.tsx';
import { ScriptStore } from './ScriptStore.tsx';
import { ShellButtons } from './ShellActions.tsx';
import { SkipLink } from './SkipLink.tsx';
import { useLogout } from './useLogout.ts';

const pages = [
  { to: '/dashboard', label: 'Dashboard', Icon: Home },
  { to: '/trading', label: 'Trading', Icon: CandlestickChart },
  { to: '/wallet', label: 'Wallet', Icon: Wallet },
  // The chat is called Support (ROUTE-29).
  { to: '/chat', label: 'Support', Icon: MessageSquare },
] as const;

/** In a wide top navigation after the others, on a phone in the header; a tablet reaches them from the dashboard. */
const reviewPages = [
  { to: '/journal', label: 'Journal', Icon: NotebookPen },
  { to: '/analytics', label: 'Analytics', Icon: ChartColumn },
] as const;

const AccountMarks = lazyPart(
  () => import('../../features/accounts/AccountMarks.tsx'),
  () => null,
);

/** So that the bell opens while the server does not answer. */
const prefetched = [loadNotificationList];

const unreadMax = 9;

/** The badge with the number of unread support messages; screen readers get the exact number (ROUTE-36, A64). */
function UnreadMessages({ className }: { readonly className: string }) {
  const { data: conversations = [] } = useSupportConversations();
  const unread = countUnread(conversations);
  if (unread === 0) return null;
  return (
    <>
      <span
        aria-hidden="true"
        data-unread={unread}
        className={`figures grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-11 leading-none font-semibold text-on-fill ${className}`}
      >
        {unread > unreadMax ? `${unreadMax}+` : unread}
      </span>
      <span className="sr-only">, {unread} unread</span>
    </>
  );
}

function TopNavigation() {
  const { user, impersonation } = useSignedIn();
  const { logout, pending } = useLogout();
  return (
    <header className="sticky top-(--impersonation-height) z-30 flex h-(--nav-height) items-center border-b border-line bg-surface px-4 max-md:hidden">
      <Link to="/dashboard" aria-label="Fulcrum" className="mr-3 max-lg:mr-1">
        <span className="max-lg:hidden">
          <Brand />
        </span>
        <span className="lg:hidden">
          <Mark />
        </span>
      </Link>
      <span className="mr-3 flex max-lg:mr-1">
        <AccountSwitcher />
      </span>
      <nav aria-label="Main" className="flex h-full">
        {pages.map(({ to, label }) => (
          <NavItem key={to} to={to}>
            {label}
            {to === '/chat' ? <UnreadMessages className="" /> : null}
            {to === '/chat' && impersonation !== null ? <Badge>Read only</Badge> : null}
          </NavItem>
        ))}
      </nav>
      <nav aria-label="Review" className="flex h-full max-lg:hidden">
        {reviewPages.map(({ to, label }) => (
          <NavItem key={to} to={to}>
            {label}
          </NavItem>
        ))}
      </nav>
      <div className="ml-auto flex items-center gap-3">
        <span className="flex items-center gap-1">
          <ShellButtons />
          <NotificationBell />
        </span>
        <span aria-hidden="true" className="h-5 w-px bg-line" />
        <NavLink
          to="/profile"
          title="Profile"
          className="flex items-center gap-2 rounded-control py-1 pr-2 pl-1 text-13 font-medium hover:bg-raised aria-[current=page]:bg-accent-weak"
        >
          <Avatar username={user.username} />
          <span className="max-w-40 truncate max-lg:sr-only">{user.username}</span>
          <span className="sr-only"> (profile)</span>
        </NavLink>
        <span aria-hidden="true" className="h-5 w-px bg-line" />
        <Button tone="quiet" size="compact" className="!text-13" onClick={logout} pending={pending}>
          {pending ? null : <LogOut size={14} aria-hidden="true" />}
          Logout
        </Button>
      </div>
    </header>
  );
}

function PhoneHeader() {
  const { logout } = useLogout();
  return (
    <header className="flex h-13 items-center justify-between border-b border-line bg-surface pr-1 pl-4 md:hidden">
      <span className="flex min-w-0 items-center">
        <Link to="/dashboard" aria-label="Fulcrum" className="-ml-2 flex h-11 shrink-0 items-center pl-2">
          <Mark />
        </Link>
        <AccountSwitcher />
      </span>
      <span className="flex shrink-0 items-center">
        <nav aria-label="Review" className="flex">
          {reviewPages.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              to={to}
              aria-label={label}
              title={label}
              className="grid size-11 place-items-center text-text-2 aria-[current=page]:text-accent"
            >
              <Icon size={18} aria-hidden="true" />
            </NavLink>
          ))}
        </nav>
        <AssistantButton />
        <NotificationBell />
        <IconButton label="Logout" onClick={logout}>
          <LogOut size={18} aria-hidden="true" />
        </IconButton>
      </span>
    </header>
  );
}

const phonePages = [...pages, { to: '/profile', label: 'Profile', Icon: User }] as const;

function BottomNavigation() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 grid h-(--bottom-nav-height) in-data-writing:hidden grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {phonePages.map(({ to, label, Icon }) => (
        <NavLink
          key={to}
          to={to}
          className="group relative flex flex-col items-center justify-center gap-1 text-11 font-medium text-text-2 -outline-offset-2 aria-[current=page]:text-text"
        >
          <Icon
            size={22}
            strokeWidth={1.75}
            aria-hidden="true"
            className="group-aria-[current=page]:text-accent"
          />
          <span>
            {label}
            {to === '/chat' ? (
              <UnreadMessages className="absolute top-2 left-1/2 ml-1.5 ring-2 ring-surface" />
            ) : null}
          </span>
        </NavLink>
      ))}
    </nav>
  );
}

function Shell() {
  const { user, account, accountId, impersonation } = useSignedIn();
  const { pathname } = useLocation();
  usePrefetch(prefetched);
  const isMarked = user.restrictedAt !== null || account !== null;
  const viewer = impersonation === null ? 'owner' : 'staff';
  useAccountChanges({ accountId, userId: user.id, viewer }, handleNotification);
  return (
    <div className="flex min-h-[calc(100dvh-var(--impersonation-height))] flex-col max-md:pb-(--bottom-nav-height)">
      <SkipLink />
      <TopNavigation />
      {pathname === '/trading' || pathname === '/chat' ? null : <PhoneHeader />}
      {isMarked ? <AccountMarks waiting={null} /> : null}
      {account === null ? null : <AccountFrame id={account.id} isInner={impersonation !== null} />}
      <Main className="flex grow flex-col">
        <Page />
      </Main>
      <BottomNavigation />
      <ConnectionLine />
      <ScriptStore />
    </div>
  );
}

export default function TraderLayout() {
  return (
    <AccountProviders>
      <Shell />
    </AccountProviders>
  );
}
