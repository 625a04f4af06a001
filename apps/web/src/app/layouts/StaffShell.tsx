/** Layout of staff pages: heading, links, the signed-in user and Logout (ROUTE-43 to ROUTE-47). */
import LogOut from 'lucide-react/icons/log-out';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { QuickSearchButton } from '../../features/staff/quick-search/QuickSearchButton.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { Avatar, Button, fadingEnd, Mark } from '../../shared/ui/index.ts';
import { Page } from '../Page.tsx';
import { AccountProviders } from './AccountProviders.tsx';
import { Main } from './Main.tsx';
import { SkipLink } from './SkipLink.tsx';
import { useLogout } from './useLogout.ts';

interface StaffShellProps {
  readonly heading: string;
  /** They scroll on a phone that has no space for all. */
  readonly links?: readonly { readonly to: string; readonly label: string }[];
  /** Controls at the right of the header, before the signed-in user. */
  readonly actions?: ReactNode;
  /** Replaces the name of the signed-in user. */
  readonly account?: ReactNode;
  /** Runs before logging out, while the session is still valid. */
  readonly beforeLogout?: () => Promise<void>;
}

function StaffHeader({ heading, links = [], actions, account, beforeLogout }: StaffShellProps) {
  const { user } = useSignedIn();
  const { logout, pending } = useLogout(beforeLogout);
  return (
    <header
      data-console
      className="sticky top-(--impersonation-height) z-30 flex h-(--nav-height) items-center border-b border-line bg-surface px-6 max-md:px-4 max-[389px]:px-3 max-[359px]:px-2"
    >
      {/* Links scroll and the search shrinks before the console's name does. */}
      <span
        className={`mr-4 inline-flex items-center gap-2.5 whitespace-nowrap max-[389px]:mr-2 md:shrink-0 ${
          links.length > 0 ? 'max-md:shrink-0' : 'max-md:min-w-0'
        }`}
      >
        <span className="shrink-0 max-[389px]:hidden">
          <Mark />
        </span>
        <span className="text-14 font-semibold max-lg:hidden">Fulcrum</span>
        <span aria-hidden="true" className="h-5 w-px bg-line-strong max-lg:hidden" />
        <span className="min-w-0 truncate text-14 font-medium max-lg:text-16 max-lg:font-semibold">
          {heading}
        </span>
      </span>
      {links.length > 0 ? (
        <nav
          aria-label="Main"
          className={`flex gap-1 max-md:min-w-0 max-md:overflow-x-auto [scrollbar-width:none] ${fadingEnd}`}
        >
          {links.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end
              className="inline-flex h-8 shrink-0 items-center rounded-control px-3 text-13 font-medium whitespace-nowrap text-text-2 transition-colors hover:text-text aria-[current=page]:bg-raised aria-[current=page]:text-text aria-[current=page]:inset-ring-1 aria-[current=page]:inset-ring-line max-md:h-11 max-md:px-2.5 max-[389px]:px-1.5"
            >
              {label}
            </NavLink>
          ))}
        </nav>
      ) : null}
      <div className="ml-auto flex items-center gap-3 max-md:shrink-0 max-md:gap-1 max-[359px]:gap-0 md:min-w-0">
        <QuickSearchButton />
        {actions}
        {account ?? (
          <span className="flex min-w-0 items-center gap-2 text-13 font-medium max-md:hidden">
            <Avatar username={user.username} />
            <span className="truncate">{user.username}</span>
          </span>
        )}
        <Button tone="quiet" size="compact" className="!text-13" onClick={logout} pending={pending}>
          {pending ? null : <LogOut size={14} aria-hidden="true" />}
          <span className="max-[440px]:sr-only">Logout</span>
        </Button>
      </div>
    </header>
  );
}

export function StaffShell(props: StaffShellProps) {
  return (
    <AccountProviders>
      <div className="flex min-h-[calc(100dvh-var(--impersonation-height))] flex-col">
        <SkipLink />
        <StaffHeader {...props} />
        <Main className="flex grow flex-col">
          <Page />
        </Main>
      </div>
    </AccountProviders>
  );
}
