/** What a projector shows: the ranking of a contest or of a class, and how old it is. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSupabase } from '../../shared/supabase/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { onEverySecond } from '../../shared/time/seconds.ts';
import { classesQuery, membersQuery } from '../classes/index.ts';
import { type Contest, contestsQuery, phaseLabels, rankingQuery } from '../programs/index.ts';
import { type BoardRow, boardRowsMax } from './Board.tsx';

export interface BoardState {
  readonly title: string;
  /** What of it goes on. */
  readonly state: string;
  readonly rows: readonly BoardRow[] | undefined;
  readonly total: number;
  /** Whether its members or entrants see each other's names. */
  readonly showsNames: boolean;
  /** Of the figures, ms since the epoch; 0 before the first. */
  readonly at: number;
  /** Whether the last figures stay: the result is frozen. */
  readonly isFinal: boolean;
  readonly isFailing: boolean;
  /** Set while the rows could never be read. */
  readonly failed: FailedRead | null;
}

export interface FailedRead {
  readonly retry: () => void;
  readonly isRetrying: boolean;
}

/** What the address names. */
export type Found =
  | { readonly kind: 'pending' | 'missing' }
  | { readonly kind: 'failed'; readonly failed: FailedRead }
  | { readonly kind: 'withdrawn'; readonly title: string }
  | { readonly kind: 'board'; readonly board: BoardState };

type Reading = Pick<UseQueryResult, 'isLoadingError' | 'isFetching' | 'refetch'>;

/** Null unless the first read failed. */
const failedRead = ({ isLoadingError, isFetching, refetch }: Reading): FailedRead | null =>
  isLoadingError ? { retry: () => void refetch(), isRetrying: isFetching } : null;

/** For an id that is in no list that was read. */
function notFound(reading: Reading & Pick<UseQueryResult, 'isPending'>): Found {
  const failed = failedRead(reading);
  if (failed !== null) return { kind: 'failed', failed };
  return { kind: reading.isPending ? 'pending' : 'missing' };
}

const stateOf = ({ phase, begins_at, ends_at }: Contest): string => {
  const { text } = phaseLabels[phase];
  if (phase === 'trading') return `${text} until ${formatDatedClock(ends_at)}`;
  return phase === 'announced' || phase === 'registration' || phase === 'waiting'
    ? `${text}. Trading begins ${formatDatedClock(begins_at)}`
    : text;
};

export function useContestBoard(id: string | null): Found {
  const supabase = useSupabase();
  const contests = useQuery({ ...contestsQuery(supabase), enabled: id !== null });
  const contest = contests.data?.find((one) => one.id === id);
  const ranking = useQuery({
    ...rankingQuery(supabase, contest ?? { id: id ?? '', phase: 'trading' }),
    enabled: contest !== undefined && contest.phase !== 'withdrawn',
  });
  if (contest === undefined) return notFound(contests);
  if (contest.phase === 'withdrawn') return { kind: 'withdrawn', title: contest.name };
  const { data } = ranking;
  const board: BoardState = {
    ...{ title: contest.name, state: stateOf(contest), total: data?.entrants ?? 0 },
    rows: data?.ranks.slice(0, boardRowsMax).map(({ number, rank, username, return_pct }) => ({
      ...{ id: `${number}`, rank, returnPct: return_pct },
      ...{ name: username ?? `Entrant ${number}`, alias: `Entrant ${number}` },
    })),
    ...{ showsNames: contest.rules.names === 'shown', at: data ? Date.parse(data.at) : 0 },
    isFinal: data?.frozen === true,
    isFailing: ranking.isError || ranking.failureCount > 0 || contests.failureCount > 0,
    failed: failedRead(ranking),
  };
  return { kind: 'board', board };
}

export function useClassBoard(id: string | null): Found {
  const supabase = useSupabase();
  const classes = useQuery({ ...classesQuery(supabase), enabled: id !== null });
  const found = classes.data?.find((one) => one.id === id);
  const members = useQuery({ ...membersQuery(supabase, id ?? ''), enabled: found !== undefined });
  if (found === undefined) return notFound(classes);
  // By id: it stays while the ranking moves, and follows no name.
  const numbered = members.data
    ?.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((member, index) => ({ ...member, alias: `Member ${index + 1}` }));
  const sorted = numbered?.toSorted((a, b) => b.returnPct - a.returnPct);
  const board: BoardState = {
    ...{ title: found.name, state: `Returns of the class, until ${formatDatedClock(found.ends_at)}` },
    rows: sorted?.slice(0, boardRowsMax).map(({ id: key, username, alias, returnPct }, index) => ({
      ...{ id: key, rank: index + 1, name: username, alias, returnPct },
    })),
    ...{ total: sorted?.length ?? 0, showsNames: found.members_see_each_other, isFinal: false },
    ...{ at: members.dataUpdatedAt, isFailing: members.isError || members.failureCount > 0 },
    failed: failedRead(members),
  };
  return { kind: 'board', board };
}

/** The time, ms since the epoch, every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => onEverySecond(() => setNow(Date.now())), []);
  return now;
}
