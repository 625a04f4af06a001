/**
 * The page of one user: header, actions, and records in sections that load when they are shown. Figures refresh with each
 * announced change of the account; the rest refreshes every 30 s.
 */
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { TableChangesProvider } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { BackLink } from '../../../shared/ui/BackLink.tsx';
import { ButtonLink, EmptyState, ReadError, Skeleton, TabPanel, Tabs } from '../../../shared/ui/index.ts';
import { PositionFromUrl } from '../positions/PositionFromUrl.tsx';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { useRecordVisit } from '../quick-search/useRecordVisit.ts';
import { isAnyChange, useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import type { ShownAccount } from '../shown-account.ts';
import {
  actionsFor,
  type DialogAction,
  UserDialogs,
  useActionFromUrl,
  useOpenDialog,
} from '../user-dialogs/index.ts';
import { AccountList, AccountUnknown } from './AccountList.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { useShownAccount } from './accounts.ts';
import { Audit } from './sections/Audit.tsx';
import { Chats } from './sections/Chats.tsx';
import { Checks } from './sections/Checks.tsx';
import { Ledger } from './sections/Ledger.tsx';
import { Orders } from './sections/Orders.tsx';
import type { SectionProps } from './sections/section-props.ts';
import { Transactions } from './sections/Transactions.tsx';
import { UserHeader } from './UserHeader.tsx';
import { profileQuery, type UserProfile, userKey } from './user-queries.ts';
import { type Section, useUserUrlState } from './useUserUrlState.ts';

const liveTables = ['wallets', 'positions'] as const;
/** A burst of changes causes one read. */
const announceDelayMs = 500;

function Positions({ userId, username, account }: SectionProps) {
  const user = useMemo(() => ({ id: userId, username }), [userId, username]);
  return (
    <div className="flex flex-col gap-4">
      <StaffPositions status="open" user={user} account={account} prefix="open_" />
      <StaffPositions status="closed" user={user} account={account} prefix="closed_" />
      {account.id === null ? <PositionFromUrl /> : null}
    </div>
  );
}

const sectionLabels: Readonly<Record<Section, string>> = {
  positions: 'Positions',
  ledger: 'Ledger',
  transactions: 'Transactions',
  orders: 'Orders',
  kyc: 'KYC',
  chats: 'Chats',
  audit: 'Audit',
};
const sectionContents: Readonly<Record<Section, ComponentType<SectionProps>>> = {
  positions: Positions,
  ledger: Ledger,
  transactions: Transactions,
  orders: Orders,
  kyc: Checks,
  chats: Chats,
  audit: Audit,
};
const traderSections = ['positions', 'ledger', 'transactions', 'orders', 'kyc', 'chats', 'audit'] as const;
/** Staff have no trading account. A former trader's sections are still reachable by name in the URL. */
const staffSections = ['audit'] as const;

const usersLink = (
  <BackLink to="/admin?tab=users" className="-ml-2 self-start">
    Users
  </BackLink>
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

interface SectionsProps {
  readonly profile: UserProfile;
  readonly account: ShownAccount;
}

function Sections({ profile, account }: SectionsProps) {
  const { section, page, showSection, showPage } = useUserUrlState();
  const offered: readonly Section[] = profile.role === 'trader' ? traderSections : staffSections;
  const [first] = offered;
  const shown = section ?? first ?? 'audit';
  const tabs = [...offered, ...(offered.includes(shown) ? [] : [shown])].map((value) => ({
    value,
    label: sectionLabels[value],
  }));
  const Content = sectionContents[shown];
  return (
    <Tabs
      label={`Records of ${profile.username}`}
      tabs={tabs}
      value={shown}
      onChange={(next) => next !== shown && showSection(next)}
    >
      <TabPanel value={shown} tabIndex={-1} className="pt-4 outline-none">
        <Content
          key={`${shown} ${account.id}`}
          userId={profile.id}
          username={profile.username}
          account={account}
          page={page}
          onPage={showPage}
        />
      </TabPanel>
    </Tabs>
  );
}

const isPage = (parameter: string): boolean => parameter === 'page';

function LoadedUser({ profile }: { readonly profile: UserProfile }) {
  const { id: userId } = profile;
  const isTrader = profile.role === 'trader';
  const { reading, isRead, shown, show } = useShownAccount({ userId, isTrader }, isPage);
  const key = useMemo(() => userKey(profile.id), [profile.id]);
  const refetch = useRefetchOnChange(key, isAnyChange, announceDelayMs);
  const open = useOpenDialog();
  const navigate = useNavigate();
  const onAction = (action: DialogAction) => {
    // Never another account than the one that was asked for.
    if (shown === undefined) return;
    const onDone = () => {
      if (action === 'delete') void navigate('/admin?tab=users');
      else refetch();
    };
    open(action, profile, { onDone, account: shown });
  };
  useActionFromUrl(
    isRead ? actionsFor(profile, 'users').filter((action) => action !== 'positions') : undefined,
    onAction,
  );
  if (shown === undefined) return <AccountUnknown reading={reading} fallback={loading} />;
  return (
    <>
      <UserHeader profile={profile} account={shown} onAction={onAction} />
      {isTrader ? (
        <>
          <AccountList user={profile} reading={reading} shown={shown} onShow={show} />
          <ApiKeys userId={userId} username={profile.username} />
        </>
      ) : null}
      <Sections profile={profile} account={shown} />
    </>
  );
}

function UserLoader({ userId }: { readonly userId: string }) {
  const supabase = useSupabase();
  const reading = useQuery(profileQuery(supabase, userId));
  const { data: profile, isError } = reading;
  useRecordVisit(userId, profile != null);
  const name = profile?.username ?? 'User';
  const content = () => {
    if (profile) return <LoadedUser profile={profile} />;
    if (profile === null) {
      return (
        <div className="panel">
          <EmptyState
            title="User not found"
            action={<ButtonLink to="/admin?tab=users">Find a user</ButtonLink>}
          >
            No user has this id. The account may have been deleted; the audit log still lists the actions on
            it.
          </EmptyState>
        </div>
      );
    }
    if (!isError) return loading;
    return (
      <div className="panel">
        <ReadError title="Failed to load the user" reading={reading} />
      </div>
    );
  };
  return (
    <div className="flex flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>{`${name} · Fulcrum`}</title>
      {usersLink}
      {profile ? null : <h1 className="sr-only">User</h1>}
      {content()}
    </div>
  );
}

export default function UserPage() {
  const { user } = useSignedIn();
  const { userId = '' } = useParams();
  return (
    <TableChangesProvider key={userId} userId={user.id} tables={liveTables} onlyUserId={userId}>
      <UserDialogs>
        <UserLoader userId={userId} />
      </UserDialogs>
    </TableChangesProvider>
  );
}
