/**
 * One person with an address of their own: who it is, what can be done, and their records in sections, each read when it is
 * shown. Figures are read again with each announced change of the account; everything else every 30 s.
 */
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ComponentType, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { log } from '../../../shared/log/log.ts';
import { AnnouncedRows } from '../../../shared/realtime/announced.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { ButtonLink, EmptyState, ErrorState, Skeleton, TabPanel, Tabs } from '../../../shared/ui/index.ts';
import { type DialogAct, PersonActs, useAct } from '../people/index.ts';
import { PositionOfAddress } from '../positions/PositionOfAddress.tsx';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { useNoteLookedAt } from '../quick-search/useNoteLookedAt.ts';
import { isAny, useReadWhenAnnounced } from '../rows/useReadWhenAnnounced.ts';
import { profileQuery, type UserProfile, userKey } from './person.ts';
import { Audit } from './sections/Audit.tsx';
import { Chats } from './sections/Chats.tsx';
import { Checks } from './sections/Checks.tsx';
import { Ledger } from './sections/Ledger.tsx';
import { Orders } from './sections/Orders.tsx';
import type { SectionProps } from './sections/section.ts';
import { Transactions } from './sections/Transactions.tsx';
import { UserHead } from './UserHead.tsx';
import { type Section, useUserAddress } from './useUserAddress.ts';

const announced = ['wallets', 'positions'] as const;
/** A burst of changes is read once. */
const settleMs = 500;

function Positions({ userId, username }: SectionProps) {
  const user = useMemo(() => ({ id: userId, username }), [userId, username]);
  return (
    <div className="flex flex-col gap-4">
      <StaffPositions status="open" user={user} prefix="open_" />
      <StaffPositions status="closed" user={user} prefix="closed_" />
      <PositionOfAddress />
    </div>
  );
}

const labels: Readonly<Record<Section, string>> = {
  positions: 'Positions',
  ledger: 'Ledger',
  transactions: 'Transactions',
  orders: 'Orders',
  kyc: 'KYC',
  chats: 'Chats',
  audit: 'Audit',
};
const contents: Readonly<Record<Section, ComponentType<SectionProps>>> = {
  positions: Positions,
  ledger: Ledger,
  transactions: Transactions,
  orders: Orders,
  kyc: Checks,
  chats: Chats,
  audit: Audit,
};
const ofTraders = ['positions', 'ledger', 'transactions', 'orders', 'kyc', 'chats', 'audit'] as const;
/** Who is of staff has no account of their own; one that was a trader's before is still found by its section's name. */
const ofStaff = ['audit'] as const;

const toUsers = (
  <ButtonLink tone="quiet" size="compact" to="/admin?tab=users" className="-ml-2 self-start">
    <ArrowLeft size={14} aria-hidden="true" />
    Users
  </ButtonLink>
);

const loading = (
  <div aria-busy="true" className="panel flex flex-col gap-4 p-4">
    <div className="flex items-center gap-4">
      <Skeleton className="size-9 rounded-full" />
      <Skeleton className="h-6 w-56" />
    </div>
    <Skeleton className="h-9 w-full" />
    <Skeleton className="h-10 w-2/3" />
  </div>
);

function Sections({ profile }: { readonly profile: UserProfile }) {
  const { section, page, showSection, showPage } = useUserAddress();
  const offered: readonly Section[] = profile.role === 'trader' ? ofTraders : ofStaff;
  const [first] = offered;
  const shown = section ?? first ?? 'audit';
  const tabs = [...offered, ...(offered.includes(shown) ? [] : [shown])].map((value) => ({
    value,
    label: labels[value],
  }));
  const Content = contents[shown];
  return (
    <Tabs
      label={`Records of ${profile.username}`}
      tabs={tabs}
      value={shown}
      onChange={(next) => next !== shown && showSection(next)}
    >
      <TabPanel value={shown} tabIndex={-1} className="pt-4 outline-none">
        <Content key={shown} userId={profile.id} username={profile.username} page={page} onPage={showPage} />
      </TabPanel>
    </Tabs>
  );
}

function Found({ profile }: { readonly profile: UserProfile }) {
  const key = useMemo(() => userKey(profile.id), [profile.id]);
  const readAgain = useReadWhenAnnounced(key, isAny, settleMs);
  const open = useAct();
  const navigate = useNavigate();
  const onAct = (act: DialogAct) =>
    open(act, profile, () => {
      if (act === 'delete') void navigate('/admin?tab=users');
      else readAgain();
    });
  return (
    <>
      <UserHead profile={profile} onAct={onAct} />
      <Sections profile={profile} />
    </>
  );
}

function Whoever({ userId }: { readonly userId: string }) {
  const supabase = useSupabase();
  const { data: profile, isError, isFetching, refetch } = useQuery(profileQuery(supabase, userId));
  useNoteLookedAt(userId, profile != null);
  const name = profile?.username ?? 'User';
  const content = () => {
    if (profile) return <Found profile={profile} />;
    if (profile === null) {
      return (
        <div className="panel">
          <EmptyState
            title="User not found"
            action={<ButtonLink to="/admin?tab=users">Find a user</ButtonLink>}
          >
            There is nobody with this address. The account may have been deleted; what was done to it is still
            in the audit log.
          </EmptyState>
        </div>
      );
    }
    if (!isError) return loading;
    const retry = () => {
      refetch().catch((cause: unknown) => log.error('Reading a person again broke', cause));
    };
    return (
      <div className="panel">
        <ErrorState title="Failed to load the user" onRetry={retry} retrying={isFetching} />
      </div>
    );
  };
  return (
    <div className="flex flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>{`${name} · Fulcrum`}</title>
      {toUsers}
      {profile ? null : <h1 className="sr-only">User</h1>}
      {content()}
    </div>
  );
}

export default function UserPage() {
  const { user } = useSignedIn();
  const { userId = '' } = useParams();
  return (
    <AnnouncedRows key={userId} userId={user.id} tables={announced} ofUser={userId}>
      <PersonActs>
        <Whoever userId={userId} />
      </PersonActs>
    </AnnouncedRows>
  );
}
