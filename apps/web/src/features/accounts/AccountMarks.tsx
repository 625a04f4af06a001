/**
 * Marks every page of an account other than the main one, so that nobody trades in the wrong one: a frame around the window, and
 * on a phone's pages with a header of their own the account above it. Its code loads for such an account only.
 */
import { useLocation } from 'react-router';
import { useSignedIn } from '../../shared/session/index.ts';
import { AccountSwitcher } from './AccountSwitcher.tsx';
import { getAccountColour } from './account-colour.ts';

/** Pages whose header on a phone is their own (app/layouts/TraderLayout.tsx). */
const ownHeaders = ['/trading', '/chat'];

export default function AccountMarks() {
  const { account, impersonation } = useSignedIn();
  const { pathname } = useLocation();
  if (account === null) return null;
  // The frame of an impersonation is the outer one.
  const inside = impersonation === null ? '' : 'mx-0.5 mb-0.5';
  return (
    <>
      {ownHeaders.includes(pathname) ? (
        <div className="flex h-11 items-center border-b border-line bg-surface px-2 md:hidden">
          <AccountSwitcher />
        </div>
      ) : null}
      <div
        aria-hidden="true"
        data-account-frame
        className={`pointer-events-none fixed inset-x-0 top-(--impersonation-height) bottom-0 z-50 border-2 ${inside}`}
        style={{ borderColor: getAccountColour(account.id) }}
      />
    </>
  );
}
