/**
 * MGR-01 to MGR-18: a manager's traders at the left, the selected one at the right; on a phone one after the other. Who is
 * selected stands in the address. Selecting keeps the list where it is and the focus in it.
 */
import { useEffect, useRef } from 'react';
import { AnnouncedRows } from '../../../shared/realtime/announced.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { EmptyState, usePhone } from '../../../shared/ui/index.ts';
import { PersonActs, useAct } from '../people/index.ts';
import { rowId } from './ManagedRows.tsx';
import { ManagedUsers } from './ManagedUsers.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { SelectedUser } from './SelectedUser.tsx';
import { useManagerAddress } from './useManagerAddress.ts';

const announced = ['wallets', 'positions'] as const;

/** On a phone the person takes the list's place: the focus goes along, and back to the row. */
function useFollowedFocus(userId: string | null, isPhone: boolean) {
  const person = useRef<HTMLDivElement>(null);
  const before = useRef(userId);
  useEffect(() => {
    const former = before.current;
    before.current = userId;
    if (!isPhone || former === userId) return;
    if (userId !== null) {
      person.current?.focus({ preventScroll: true });
      scrollTo({ top: 0, behavior: 'instant' });
    } else if (former !== null) {
      (document.getElementById(rowId(former)) ?? document.getElementById('managed-users'))?.focus();
    }
  }, [userId, isPhone]);
  return person;
}

function Traders() {
  const address = useManagerAddress();
  const { userId, select } = address;
  const open = useAct();
  const phone = usePhone();
  const person = useFollowedFocus(userId, phone);
  const isListShown = !phone || userId === null;
  return (
    <div className="grid items-start gap-4 p-4 max-md:p-3 xl:grid-cols-[588px_minmax(0,1fr)]">
      <title>Manager Dashboard · Fulcrum</title>
      {isListShown ? (
        <div className="flex min-w-0 flex-col gap-4 xl:sticky xl:top-[calc(var(--acting-height)+var(--nav-height)+16px)] xl:max-h-[calc(100dvh-var(--acting-height)-var(--nav-height)-32px)]">
          <ManagedUsers
            address={address}
            onAct={(act, user) => (act === 'positions' ? select(user.id) : open(act, user))}
          />
          <NeedsAttention onView={({ id }) => select(id)} onFunds={(user) => open('funds', user)} />
        </div>
      ) : null}
      <div ref={person} tabIndex={-1} className="flex min-w-0 flex-col gap-4 outline-none">
        {userId === null ? (
          <div className="panel max-md:hidden">
            <EmptyState title="Select a user">
              Their account, open positions and closed positions are shown here.
            </EmptyState>
          </div>
        ) : (
          <SelectedUser
            key={userId}
            userId={userId}
            onFunds={(profile, readAgain) => open('funds', profile, readAgain)}
            onBack={() => select(null)}
          />
        )}
      </div>
    </div>
  );
}

export default function ManagerPage() {
  const { user } = useSignedIn();
  return (
    <AnnouncedRows userId={user.id} tables={announced} hearsTraders>
      <PersonActs>
        <Traders />
      </PersonActs>
    </AnnouncedRows>
  );
}
