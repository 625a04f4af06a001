/** MGR-09, MGR-10: the selected trader: who it is with four live figures, what is open, what was closed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Wallet from 'lucide-react/icons/wallet';
import { useEffect, useMemo } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Avatar, Button, EmptyState, ErrorState, Skeleton } from '../../../shared/ui/index.ts';
import { PositionOfAddress } from '../positions/PositionOfAddress.tsx';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { useNoteLookedAt } from '../quick-search/useNoteLookedAt.ts';
import { isAbout, useReadWhenAnnounced } from '../rows/useReadWhenAnnounced.ts';
import { KycBadge, RestrictedBadge } from '../user/badges.tsx';
import { Figures } from '../user/Figures.tsx';
import { profileQuery, type UserProfile, userKey } from '../user/person.ts';
import { managedUsersKey } from './managed-users.ts';

const announcedEveryMs = 500;

interface SelectedUserProps {
  readonly userId: string;
  /** `readAgain` is for after the change. */
  readonly onFunds: (person: UserProfile, readAgain: () => void) => void;
  readonly onBack: () => void;
}

function Strip({ profile, onFunds }: { readonly profile: UserProfile; readonly onFunds: () => void }) {
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
        </div>
      </div>
      <div className="ml-auto flex flex-wrap items-center gap-x-6 gap-y-3 max-md:ml-0">
        <Figures userId={profile.id} size="strip" />
        <Button aria-label={`Manage funds of ${profile.username}`} onClick={onFunds}>
          <Wallet size={14} aria-hidden="true" />
          Manage funds
        </Button>
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

export function SelectedUser({ userId, onFunds, onBack }: SelectedUserProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const { data: profile, isError, isFetching, refetch } = useQuery(profileQuery(supabase, userId));
  const { key, concerns } = useMemo(() => ({ key: userKey(userId), concerns: isAbout(userId) }), [userId]);
  const readAgain = useReadWhenAnnounced(key, concerns, announcedEveryMs);
  const username = profile?.username;
  const user = useMemo(() => (username === undefined ? null : { id: userId, username }), [userId, username]);
  // A manager reads the own row too; only traders have an account to show.
  const isTrader = profile?.role === 'trader';
  useNoteLookedAt(userId, isTrader);
  const isGone = profile === null;
  useEffect(() => {
    if (!isGone) return;
    cache
      .invalidateQueries({ queryKey: managedUsersKey })
      .catch((cause: unknown) => log.error('Reading the traders again broke', cause));
  }, [isGone, cache]);
  const content = () => {
    if (profile && user && isTrader) {
      return (
        <>
          <Strip profile={profile} onFunds={() => onFunds(profile, readAgain)} />
          <StaffPositions status="open" user={user} prefix="open_" />
          <StaffPositions status="closed" user={user} prefix="closed_" />
          <PositionOfAddress />
        </>
      );
    }
    if (profile !== undefined) {
      return (
        <div className="panel">
          <EmptyState title="User not found" action={<Button onClick={onBack}>Back to your users</Button>}>
            None of your users has this address. Whoever it names may have been assigned to another manager.
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
    <>
      <Button tone="quiet" size="compact" className="-ml-2 self-start md:hidden" onClick={onBack}>
        <ArrowLeft size={14} aria-hidden="true" />
        Managed users
      </Button>
      {content()}
    </>
  );
}
