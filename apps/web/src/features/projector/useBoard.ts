/** What a projector shows: the ranking of a contest or of a class, and how old it is. */
import { useQuery } from '@tanstack/react-query';
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
}

/** Null while it is read, undefined where there is none. */
type Found<Value> = Value | null | undefined;

const findIn = <Value extends { readonly id: string }>(
  all: readonly Value[] | undefined,
  id: string | null,
): Found<Value> => (all === undefined ? null : all.find((one) => one.id === id));

const stateOf = ({ phase, begins_at, ends_at }: Contest): string => {
  const { text } = phaseLabels[phase];
  if (phase === 'trading') return `${text} until ${formatDatedClock(ends_at)}`;
  return phase === 'announced' || phase === 'registration' || phase === 'waiting'
    ? `${text}. Trading begins ${formatDatedClock(begins_at)}`
    : text;
};

export function useContestBoard(id: string | null): Found<BoardState> {
  const supabase = useSupabase();
  const contests = useQuery({ ...contestsQuery(supabase), enabled: id !== null });
  const contest = findIn(contests.data, id);
  const ranking = useQuery({
    ...rankingQuery(supabase, contest ?? { id: id ?? '', phase: 'trading' }),
    enabled: contest !== null && contest !== undefined && contest.phase !== 'withdrawn',
  });
  if (!contest) return contest;
  const { data } = ranking;
  return {
    ...{ title: contest.name, state: stateOf(contest), total: data?.entrants ?? 0 },
    rows: data?.ranks.slice(0, boardRowsMax).map(({ number, rank, username, return_pct }) => ({
      ...{ id: `${number}`, rank, returnPct: return_pct },
      ...{ name: username ?? `Entrant ${number}`, alias: `Entrant ${number}` },
    })),
    ...{ showsNames: contest.rules.names === 'shown', at: data ? Date.parse(data.at) : 0 },
    isFinal: data?.frozen === true,
    isFailing: ranking.isError || ranking.failureCount > 0 || contests.failureCount > 0,
  };
}

export function useClassBoard(id: string | null): Found<BoardState> {
  const supabase = useSupabase();
  const classes = useQuery({ ...classesQuery(supabase), enabled: id !== null });
  const found = findIn(classes.data, id);
  const members = useQuery({ ...membersQuery(supabase, id ?? ''), enabled: id !== null && Boolean(found) });
  if (!found) return found;
  const sorted = members.data?.toSorted(
    (a, b) => b.returnPct - a.returnPct || a.username.localeCompare(b.username),
  );
  return {
    ...{ title: found.name, state: `Returns of the class, until ${formatDatedClock(found.ends_at)}` },
    rows: sorted?.slice(0, boardRowsMax).map(({ id: key, username, returnPct }, index) => ({
      ...{ id: key, rank: index + 1, name: username, alias: '', returnPct },
    })),
    ...{ total: sorted?.length ?? 0, showsNames: found.members_see_each_other, isFinal: false },
    ...{ at: members.dataUpdatedAt, isFailing: members.isError || members.failureCount > 0 },
  };
}

/** The time, ms since the epoch, every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => onEverySecond(() => setNow(Date.now())), []);
  return now;
}
