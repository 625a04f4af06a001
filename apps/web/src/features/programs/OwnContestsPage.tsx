/**
 * `/contests`: what a trader can enter or has entered, the ranking, and the way into the account; challenges below. The address names one
 * (`?contest=`, `?challenge=`).
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSiteName } from '../../shared/account/index.ts';
import { openAccount } from '../../shared/account-address/index.ts';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { formatFigure } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Badge, Button, EmptyState, showToast } from '../../shared/ui/index.ts';
import { ContestList } from './ContestList.tsx';
import { ContestView } from './ContestView.tsx';
import { OwnChallenges } from './challenges/OwnChallenges.tsx';
import { type Contest, contestsKey, contestsQuery } from './queries.ts';

function EnterDialog({ entered, onClose }: { readonly entered: Contest; readonly onClose: () => void }) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const { name, rules, begins_at, ends_at } = entered;
  const enter = async () => {
    await unwrap(supabase.rest.rpc('enter_contest', { p_contest_id: entered.id }));
    await cache.invalidateQueries({ queryKey: contestsKey });
  };
  return (
    <RequestDialog
      title={`Enter ${name}?`}
      description={`You get an account with ${formatFigure(Number(rules.startBalance), 2)} USDT, apart from your other accounts.`}
      keep="Not now"
      confirm="Enter contest"
      focus="confirm"
      send={enter}
      failed="Failed to enter the contest"
      onDone={() => {
        showToast('success', `You are in ${name}`);
        onClose();
      }}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-13 text-text-2">
        <li>
          Trade in it from {formatDatedClock(begins_at)} to {formatDatedClock(ends_at)}.
        </li>
        <li>What is open at the end is closed at the last accepted prices.</li>
        <li>
          {rules.names === 'shown'
            ? 'The other entrants see your username and your result.'
            : 'The other entrants see your number and your result, and not your name.'}
        </li>
      </ul>
    </RequestDialog>
  );
}

const isOver = ({ phase }: Contest): boolean => phase === 'ended' || phase === 'withdrawn';

export default function OwnContestsPage() {
  const [search, setSearch] = useSearchParams();
  const { accountId, impersonation } = useSignedIn();
  const reading = useQuery(contestsQuery(useSupabase()));
  const [isEntering, setEntering] = useState(false);
  const { data } = reading;
  const named = search.get('contest');
  // In an account of a contest the page shows that one.
  const shown = data?.find(({ id, account_id }) =>
    named === null ? account_id === accountId : id === named,
  );
  const isOwn = impersonation === null;
  return (
    <div className="mx-auto flex w-full max-w-[1232px] flex-col gap-4 px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>{`Contests and challenges · ${useSiteName()}`}</title>
      <h1 className="text-20 font-semibold">Contests</h1>
      <ContestList
        rows={data}
        reading={reading}
        shown={shown}
        onShow={(id) => setSearch({ contest: id })}
        placeholders={2}
        empty={
          <EmptyState title="No contests now">
            Contests that you can enter, and those that you have entered, are listed here.
          </EmptyState>
        }
      />
      {shown === undefined ? null : (
        <ContestView
          key={shown.id}
          shown={shown}
          hasRanking={shown.account_id !== null && shown.phase !== 'withdrawn'}
          actions={
            shown.account_id === null ? (
              shown.can_enter && isOwn ? (
                <Button size="compact" tone="primary" onClick={() => setEntering(true)}>
                  Enter contest
                </Button>
              ) : null
            ) : shown.account_id === accountId ? (
              <Badge tone="accent">You are in its account</Badge>
            ) : isOwn ? (
              <Button
                size="compact"
                tone={isOver(shown) ? 'secondary' : 'primary'}
                onClick={() => openAccount(shown.account_id, isOver(shown) ? '/wallet' : '/trading')}
              >
                Open contest account
              </Button>
            ) : null
          }
        />
      )}
      <OwnChallenges />
      {isEntering && shown !== undefined ? (
        <EnterDialog entered={shown} onClose={() => setEntering(false)} />
      ) : null}
    </div>
  );
}
