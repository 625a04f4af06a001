/** The selected trader with four live figures, open and closed positions (MGR-09, MGR-10). */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Eye from 'lucide-react/icons/eye';
import Wallet from 'lucide-react/icons/wallet';
import { Fragment, useEffect, useMemo } from 'react';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Avatar, Badge, Button, EmptyState, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { PositionFromUrl } from '../positions/PositionFromUrl.tsx';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { useRecordVisit } from '../quick-search/useRecordVisit.ts';
import { isAboutUser, useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import type { ShownAccount } from '../shown-account.ts';
import { AccountFigures } from '../user/AccountFigures.tsx';
import { AccountList, AccountUnknown } from '../user/AccountList.tsx';
import { ApiKeys } from '../user/ApiKeys.tsx';
import { useShownAccount } from '../user/accounts.ts';
import { KycBadge, RestrictedBadge } from '../user/badges.tsx';
import { profileQuery, type UserProfile, userKey } from '../user/user-queries.ts';
import { useActionFromUrl } from '../user-dialogs/index.ts';
import { managedUsersKey } from './managed-users.ts';

const changeThrottleMs = 500;
const urlActions = ['funds', 'impersonate'] as const;

interface SelectedUserProps {
  readonly userId: string;
  /** `onDone` is to be called after the change. */
  readonly onAction: (
    action: (typeof urlActions)[number],
    user: UserProfile,
    about: { readonly onDone: () => void; readonly account: ShownAccount },
  ) => void;
  readonly onBack: () => void;
}

interface AccountStripProps {
  readonly profile: UserProfile;
  readonly account: ShownAccount;
  readonly onAction: (action: (typeof urlActions)[number]) => void;
}

function AccountStrip({ profile, account, onAction }: AccountStripProps) {
  return (
    <section
      aria-label={`Account of ${profile.username}`}
      className="panel flex min-h-[72px] flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3"
    >
      <Avatar username={profile.username} size="large" />
      <div className="min-w-0">
        <h2 className="truncate text-16 font-semibold">
          <bdi>{profile.username}</bdi>
        </h2>
        <div className="flex flex-wrap gap-1.5">
          <KycBadge status={profile.kyc_status} />
          <RestrictedBadge since={profile.restricted_at} />
          {account.name === null ? null : <Badge>{`Account ${account.name}`}</Badge>}
        </div>
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-x-6 gap-y-3 max-md:ml-0">
        <AccountFigures userId={profile.id} account={account} size="strip" />
        <Button aria-label={`Manage funds of ${profile.username}`} onClick={() => onAction('funds')}>
          <Wallet size={14} aria-hidden="true" />
          Manage funds
        </Button>
        {/* The actions of the list mean main accounts. */}
        {account.name === null ? null : (
          <Button
            aria-label={`Impersonate ${profile.username} in ${account.name}`}
            onClick={() => onAction('impersonate')}
          >
            <Eye size={14} aria-hidden="true" />
            Impersonate
          </Button>
        )}
      </div>
    </section>
  );
}

const loading = (
  <div aria-busy="true" className="panel flex min-h-[72px] items-center gap-4 px-4">
    <Skeleton className="size-9 rounded-full" />
    <Skeleton className="h-5 w-40" />
    <Skeleton className="ml-auto h-9 w-80 max-md:hidden" />
  </div>
);

export function SelectedUser({ userId, onAction, onBack }: SelectedUserProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const profileReading = useQuery(profileQuery(supabase, userId));
  const { data: profile, isError } = profileReading;
  const { key, concerns: isRelevant } = useMemo(
    () => ({ key: userKey(userId), concerns: isAboutUser(userId) }),
    [userId],
  );
  const refetchUser = useRefetchOnChange(key, isRelevant, changeThrottleMs);
  const username = profile?.username;
  const user = useMemo(() => (username === undefined ? null : { id: userId, username }), [userId, username]);
  // Managers can read their own row, too; only traders have an account to show.
  const isTrader = profile?.role === 'trader';
  useRecordVisit(userId, isTrader);
  const { reading, isRead, shown, show } = useShownAccount({ userId, isTrader });
  const openAction = (action: (typeof urlActions)[number]) => {
    if (profile && shown) onAction(action, profile, { onDone: refetchUser, account: shown });
  };
  useActionFromUrl(profile && isRead && isTrader ? urlActions : undefined, openAction);
  const isGone = profile === null;
  useEffect(() => {
    if (!isGone) return;
    void cache.invalidateQueries({ queryKey: managedUsersKey });
  }, [isGone, cache]);
  const content = () => {
    if (profile && user && isTrader) {
      if (shown === undefined) return <AccountUnknown reading={reading} fallback={loading} />;
      return (
        <>
          <AccountStrip profile={profile} account={shown} onAction={openAction} />
          <AccountList user={profile} reading={reading} shown={shown} onShow={show} />
          <ApiKeys userId={userId} username={profile.username} />
          <Fragment key={shown.id}>
            <StaffPositions status="open" user={user} account={shown} prefix="open_" />
            <StaffPositions status="closed" user={user} account={shown} prefix="closed_" />
          </Fragment>
          {shown.id === null ? <PositionFromUrl /> : null}
        </>
      );
    }
    if (profile !== undefined) {
      return (
        <div className="panel">
          <EmptyState title="User not found" action={<Button onClick={onBack}>Back to your users</Button>}>
            None of your users has this id. The user may have been assigned to another manager.
          </EmptyState>
        </div>
      );
    }
    if (!isError) return loading;
    return (
      <div className="panel">
        <ReadError title="Failed to load the user" reading={profileReading} />
      </div>
    );
  };
  return (
    <>
      <Button tone="quiet" size="compact" className="-ml-2 self-start md:hidden" onClick={onBack}>
        <ArrowLeft size={14} aria-hidden="true" />
        Managed users
      </Button>
      {content()}
    </>
  );
}
