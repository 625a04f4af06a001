/**
 * What marks every page of an account that is not the main one, beside its frame: on a phone's pages with a header of their own
 * the account above it. It also states why an account opens nothing. Its code loads for such accounts only.
 */
import { texts } from '@fulcrum/contract/texts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useSignedIn } from '../../shared/session/index.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';

/** Informs that the account opens nothing: its trader is restricted (A72), or it is archived (A112). */
function RestrictedBanner({ reason, children }: { readonly reason: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label="Restriction"
      data-restricted
      className="flex items-start gap-2.5 border-b border-line bg-down-weak px-4 py-2 text-13 md:h-(--restricted-height)"
    >
      <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-down" />
      <p>
        <strong className="font-semibold">{reason}</strong> <span className="text-text-2">{children}</span>
      </p>
    </section>
  );
}

function OpensNothing() {
  const { user, account } = useSignedIn();
  const link = 'font-medium text-text underline';
  if (user.restrictedAt !== null) {
    return (
      <RestrictedBanner reason={texts.accountRestricted}>
        You can still close positions and cancel orders.{' '}
        <Link to="/chat" className={link}>
          Contact support
        </Link>
      </RestrictedBanner>
    );
  }
  if (account?.status !== 'archived') return null;
  return (
    <RestrictedBanner reason={texts.accountArchived}>
      <a href="/dashboard" className={link}>
        Open the main account
      </a>
    </RestrictedBanner>
  );
}

/** Pages whose header on a phone is their own (app/layouts/TraderLayout.tsx). */
const ownHeaders = ['/trading', '/chat'];

export default function AccountMarks() {
  const { account } = useSignedIn();
  const { pathname } = useLocation();
  return (
    <>
      {account !== null && ownHeaders.includes(pathname) ? (
        <div className="flex h-11 items-center border-b border-line bg-surface px-2 md:hidden">
          <AccountSwitcher />
        </div>
      ) : null}
      <OpensNothing />
    </>
  );
}
