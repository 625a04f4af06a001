/**
 * The manager page: the traders at the left, the selected one at the right, or below the list where the page is narrow; on a
 * phone one after the other (MGR-01 to MGR-18). The URL stores the selection. Selecting keeps the list's position and the focus.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { TableChangesProvider } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { EmptyState, usePhone } from '../../../shared/ui/index.ts';
import { UserDialogs, useOpenDialog } from '../user-dialogs/index.ts';
import { rowId } from './ManagedRows.tsx';
import { ManagedUsers } from './ManagedUsers.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { SelectedUser } from './SelectedUser.tsx';
import { useManagerUrlState } from './useManagerUrlState.ts';

const liveTables = ['wallets', 'positions'] as const;

/** On a phone the selected user replaces the list: the focus moves there, and back to the row on return. */
function useFocusOnSelection(userId: string | null, isPhone: boolean) {
  const detailPane = useRef<HTMLDivElement>(null);
  const before = useRef(userId);
  useEffect(() => {
    const former = before.current;
    before.current = userId;
    if (!isPhone || former === userId) return;
    if (userId !== null) {
      detailPane.current?.focus({ preventScroll: true });
      scrollTo({ top: 0, behavior: 'instant' });
    } else if (former !== null) {
      (document.getElementById(rowId(former)) ?? document.getElementById('managed-users'))?.focus();
    }
  }, [userId, isPhone]);
  return detailPane;
}

function Traders() {
  const urlState = useManagerUrlState();
  const { userId, select } = urlState;
  const openDialog = useOpenDialog();
  const phone = usePhone();
  const detailPane = useFocusOnSelection(userId, phone);
  const isListShown = !phone || userId === null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 p-4 max-md:p-3 xl:grid-cols-[588px_minmax(0,1fr)]">
      <title>Manager Dashboard · Fulcrum</title>
      {isListShown ? (
        <div className="flex min-w-0 flex-col gap-4 max-xl:contents xl:sticky xl:top-[calc(var(--impersonation-height)+var(--nav-height)+16px)] xl:max-h-[calc(100dvh-var(--impersonation-height)-var(--nav-height)-32px)]">
          <ManagedUsers
            urlState={urlState}
            onAction={(action, user) => (action === 'positions' ? select(user.id) : openDialog(action, user))}
          />
          <NeedsAttention
            onView={({ id }) => select(id)}
            onFunds={(user) => openDialog('funds', user)}
            // In one column the selected user comes right after the list.
            className={userId === null ? '' : 'max-xl:order-last'}
          />
        </div>
      ) : null}
      <div ref={detailPane} tabIndex={-1} className="flex min-w-0 flex-col gap-4 outline-none">
        {userId === null ? (
          <div className="panel max-md:hidden">
            <EmptyState title="Select a user">
              Their account, open positions and closed positions are shown here.
            </EmptyState>
          </div>
        ) : (
          <SelectedUser key={userId} userId={userId} onAction={openDialog} onBack={() => select(null)} />
        )}
      </div>
    </div>
  );
}

/** `children`: below the traders. */
export default function ManagerPage({ children }: { readonly children: ReactNode }) {
  const { user } = useSignedIn();
  return (
    <TableChangesProvider userId={user.id} tables={liveTables} includesTraderChanges>
      <UserDialogs>
        <Traders />
        {children}
      </UserDialogs>
    </TableChangesProvider>
  );
}
