/** Layout of public pages: a header that adapts to the visitor (ROUTE-34 to ROUTE-39, A55) and the footer. */
import Menu from 'lucide-react/icons/menu';
import User from 'lucide-react/icons/user';
import X from 'lucide-react/icons/x';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { homeOf, useSession } from '../../shared/session/index.ts';
import { Brand, Button, ButtonLink, IconButton, SimulatedBadge } from '../../shared/ui/index.ts';
import { Page } from '../Page.tsx';
import { Footer } from './Footer.tsx';
import { Main } from './Main.tsx';
import { SkipLink } from './SkipLink.tsx';
import { useLogout } from './useLogout.ts';

const traderLinks = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/trading', label: 'Trading' },
  { to: '/wallet', label: 'Wallet' },
  { to: '/chat', label: 'Support' },
] as const;

function LogoutButton() {
  const { logout, pending } = useLogout();
  return (
    <Button tone="quiet" onClick={logout} pending={pending}>
      Logout
    </Button>
  );
}

function Links() {
  const session = useSession();
  if (session.status !== 'signed-in') {
    return (
      <>
        <ButtonLink to="/login" tone="quiet">
          Login
        </ButtonLink>
        <ButtonLink to="/register" tone="primary">
          Register
        </ButtonLink>
      </>
    );
  }
  const { role, username } = session.user;
  const isTrader = role === 'trader';
  const links = isTrader ? traderLinks : [{ to: homeOf(role), label: 'Staff console' }];
  return (
    <>
      {links.map(({ to, label }) => (
        <ButtonLink key={to} to={to} tone="quiet">
          {label}
        </ButtonLink>
      ))}
      {isTrader ? (
        <NavLink
          to="/profile"
          aria-label={`Profile of ${username}`}
          className="inline-grid size-9 place-items-center rounded-control text-text-2 hover:bg-raised hover:text-text max-md:size-11"
        >
          <User size={18} aria-hidden="true" />
        </NavLink>
      ) : null}
      <LogoutButton />
    </>
  );
}

/** A menu that closes on navigation, on Escape, and when an element outside `within` is pressed or focused. */
function useMenu(within: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      opener.current?.focus();
    };
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && !within.current?.contains(target)) setOpen(false);
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onOutside);
    addEventListener('focusin', onOutside);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onOutside);
      removeEventListener('focusin', onOutside);
    };
  }, [open, within, opener]);
  return { open, setOpen };
}

function Header() {
  const header = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { open, setOpen } = useMenu(header, opener);
  const Icon = open ? X : Menu;
  return (
    <header ref={header} className="sticky top-(--impersonation-height) z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-16 max-w-[1288px] items-center justify-between px-6 max-md:h-14 max-md:pr-2 max-md:pl-4">
        <div className="flex items-center gap-4 max-md:gap-3">
          <Link to="/" aria-label="Fulcrum, home">
            <Brand />
          </Link>
          <SimulatedBadge what="trading" />
        </div>
        <nav aria-label="Main" className="flex items-center gap-1.5 max-md:hidden">
          <Links />
        </nav>
        <IconButton
          ref={opener}
          label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls="mobile-menu"
          onClick={() => setOpen(!open)}
          className="md:hidden"
        >
          <Icon size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <nav
        id="mobile-menu"
        aria-label="Mobile"
        hidden={!open}
        className="rise absolute inset-x-0 flex flex-col gap-2 border-b border-line-strong bg-raised p-4 shadow-raised [[hidden]]:hidden md:hidden"
      >
        <Links />
      </nav>
    </header>
  );
}

export function PublicLayout() {
  return (
    <div className="group/layout flex min-h-[calc(100dvh-var(--impersonation-height))] flex-col">
      <SkipLink />
      <Header />
      {/* While the page's code loads, the main area fills the screen, so that the footer does not jump. */}
      <Main className="flex grow flex-col has-[>div>[role=status]]:min-h-dvh">
        <Page />
      </Main>
      {/* Hidden while the page loads: below a spinner the footer would be visible, and jump. */}
      <div className="group-has-[[data-waiting]]/layout:hidden">
        <Footer />
      </div>
    </div>
  );
}
