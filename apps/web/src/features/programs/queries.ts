/** Contests, as traders and staff read them. */
import type { Database } from '@fulcrum/contract/database';
import { queryOptions } from '@tanstack/react-query';
import { type Supabase, unwrap, unwrapOrNull } from '../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type Contest = Functions['list_contests']['Returns'][number];
export type SaveContestArgs = Functions['save_contest']['Args'];
export type Ranking = Functions['get_contest_ranking']['Returns'];
export type Rank = Ranking['ranks'][number];
export type ContestMarket = NonNullable<Functions['get_contest_market']['Returns']>;
export type ContestResult = NonNullable<Functions['get_contest_result']['Returns']>;

const refetchMs = 15_000;
const rankingRefetchMs = 5_000;
const marketRefetchMs = 60_000;

/** Prefix of all reads of contests. */
export const contestsKey = ['contests'] as const;
export const contestsQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: [...contestsKey, 'list'] as const,
    queryFn: ({ signal }) => unwrap(rest.rpc('list_contests', {}).abortSignal(signal)),
    refetchInterval: refetchMs,
  });

/** Of a frozen contest it is read once. */
export const rankingQuery = ({ rest }: Supabase, { id, phase }: Pick<Contest, 'id' | 'phase'>) =>
  queryOptions({
    queryKey: [...contestsKey, 'ranking', id, phase === 'ended'] as const,
    queryFn: ({ signal }) =>
      unwrap(rest.rpc('get_contest_ranking', { p_contest_id: id }).abortSignal(signal)),
    ...(phase === 'ended' ? { staleTime: Number.POSITIVE_INFINITY } : { refetchInterval: rankingRefetchMs }),
  });

export const resultQuery = ({ rest }: Supabase, id: string) =>
  queryOptions({
    queryKey: [...contestsKey, 'result', id] as const,
    queryFn: ({ signal }) => unwrap(rest.rpc('get_contest_result', { p_contest_id: id }).abortSignal(signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Null while no prices are committed to: until some seconds after the begin, or for good. It changes again when the keys are published. */
export const marketQuery = ({ rest }: Supabase, { id, phase }: Pick<Contest, 'id' | 'phase'>) =>
  queryOptions({
    queryKey: [...contestsKey, 'market', id, phase] as const,
    queryFn: ({ signal }) =>
      unwrapOrNull(rest.rpc('get_contest_market', { p_contest_id: id }).abortSignal(signal)),
    refetchInterval: ({ state: { data } }) => {
      if (data?.is_public) return false;
      return data === null && phase === 'trading' ? refetchMs : marketRefetchMs;
    },
  });
