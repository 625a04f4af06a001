/** On the dashboard of a contest account: the own rank, the first ones, and the way to the whole ranking. */
import { useQuery } from '@tanstack/react-query';
import { formatFigure } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { ButtonLink } from '../../shared/ui/index.ts';
import { EntrantName, PhaseBadge } from './ContestView.tsx';
import { type Contest, contestsQuery, rankingQuery } from './queries.ts';

const firstShown = 5;

function Standing({ of }: { readonly of: Contest }) {
  const { data } = useQuery(rankingQuery(useSupabase(), of));
  const own = data?.own ?? null;
  const first = data?.ranks.slice(0, firstShown) ?? [];
  const isOwnFirst = own === null || first.some(({ number }) => number === own.number);
  return (
    <ol aria-label="Entrants by rank">
      {(isOwnFirst ? first : [...first, own]).map((row) => (
        <li
          key={row.number}
          className={`flex min-h-9 items-center gap-3 px-4 text-13 ${row.is_self ? 'bg-accent-weak' : ''}`}
        >
          <span className="figures w-8 text-text-3">{row.rank ?? '–'}</span>
          <span className="min-w-0 grow truncate">
            <EntrantName of={row} />
          </span>
          <span className="figures">{formatFigure(row.return_pct, 2)} %</span>
        </li>
      ))}
    </ol>
  );
}

export function ContestStanding() {
  const { accountId } = useSignedIn();
  const { data } = useQuery(contestsQuery(useSupabase()));
  const shown = data?.find(({ account_id }) => account_id === accountId);
  if (shown === undefined) return null;
  return (
    <section aria-labelledby="standing" className="panel overflow-hidden">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 id="standing" className="text-14 font-semibold">
          <bdi>{shown.name}</bdi>
        </h2>
        <PhaseBadge of={shown} />
        <ButtonLink to="/contests" size="compact" tone="quiet" className="ml-auto">
          Ranking and rules
        </ButtonLink>
      </div>
      <Standing of={shown} />
    </section>
  );
}
