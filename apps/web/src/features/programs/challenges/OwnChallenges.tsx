/** What a trader can start or has started, where it stands, and the way into the account. The address names one (`?challenge=`). */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { openAccount } from '../../../shared/account-address/index.ts';
import { RequestDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Badge, Button, showToast } from '../../../shared/ui/index.ts';
import { ChallengeList } from './ChallengeList.tsx';
import { ChallengeView } from './ChallengeView.tsx';
import { dayEndText } from './labels.ts';
import { attemptsQuery, type Challenge, challengesKey, challengesQuery } from './queries.ts';
import { useChallengeOfAccount } from './useChallengeOfAccount.ts';

function StartDialog({ started, onClose }: { readonly started: Challenge; readonly onClose: () => void }) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const { name, rules, own_attempts } = started;
  const start = async () => {
    await unwrap(supabase.rest.rpc('start_challenge', { p_challenge_id: started.id }));
    await cache.invalidateQueries({ queryKey: challengesKey });
  };
  return (
    <RequestDialog
      title={`Start ${name}?`}
      description={`You get an account with ${formatFigure(Number(rules.startBalance), 2)} USDT, apart from your other accounts.`}
      keep="Not now"
      confirm="Start attempt"
      focus="confirm"
      send={start}
      failed="Failed to start the attempt"
      onDone={() => {
        showToast('success', `Your attempt at ${name} has begun`);
        onClose();
      }}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-13 text-text-2">
        <li>
          This is attempt {own_attempts + 1} of {rules.attemptsMax}.
        </li>
        <li>
          A limit ends the attempt at the first tick that touches it
          {dayEndText(rules.steps.map(({ dailyLoss }) => dailyLoss))}, and closes what is open at the prices
          of then.
        </li>
        {rules.steps.length > 1 ? (
          <li>Each of the {rules.steps.length} steps begins at the start balance.</li>
        ) : null}
      </ul>
    </RequestDialog>
  );
}

export function OwnChallenges() {
  const [search, setSearch] = useSearchParams();
  const { accountId, impersonation } = useSignedIn();
  const supabase = useSupabase();
  const reading = useQuery(challengesQuery(supabase));
  const [isStarting, setStarting] = useState(false);
  const { data } = reading;
  const named = search.get('challenge');
  // In an account of a challenge the page shows that one.
  const { shown: ofAccount } = useChallengeOfAccount();
  const shown = named === null ? ofAccount : data?.find(({ id }) => id === named);
  const isOwn = impersonation === null;
  const { data: own } = useQuery({
    ...attemptsQuery(supabase, shown?.id ?? ''),
    enabled: shown !== undefined,
  });
  // The list may be of before a verdict, or of before the next step opened.
  const step = own?.attempts[0]?.steps.at(-1);
  const running = step?.verdict === null ? step.account_id : null;
  return (
    <>
      <h2 className="text-16 font-semibold">Challenges</h2>
      <ChallengeList
        rows={data}
        reading={reading}
        shown={shown}
        named={named}
        onShow={(id) => setSearch({ challenge: id })}
      >
        Challenges that you can start, and those that you have started, are listed here.
      </ChallengeList>
      {shown === undefined ? null : (
        <ChallengeView
          key={shown.id}
          shown={shown}
          actions={
            running === null ? (
              shown.can_start && isOwn ? (
                <Button size="compact" tone="primary" onClick={() => setStarting(true)}>
                  Start attempt
                </Button>
              ) : null
            ) : running === accountId ? (
              <Badge tone="accent">You are in its account</Badge>
            ) : isOwn ? (
              <Button size="compact" tone="primary" onClick={() => openAccount(running, '/trading')}>
                Open challenge account
              </Button>
            ) : null
          }
        />
      )}
      {isStarting && shown !== undefined ? (
        <StartDialog started={shown} onClose={() => setStarting(false)} />
      ) : null}
    </>
  );
}
