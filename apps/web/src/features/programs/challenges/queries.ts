/** Challenges, as traders and staff read them. */
import type { Database } from '@fulcrum/contract/database';
import { queryOptions } from '@tanstack/react-query';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type Challenge = Functions['list_challenges']['Returns'][number];
export type ChallengeStepRules = Challenge['rules']['steps'][number];
export type SaveChallengeArgs = Functions['save_challenge']['Args'];
export type Attempt = Functions['get_challenge_attempts']['Returns']['attempts'][number];
export type AttemptStep = Attempt['steps'][number];
export type Figures = NonNullable<AttemptStep['figures']>;
export type Verdict = NonNullable<AttemptStep['verdict']>;

const refetchMs = 15_000;
/** Where an attempt stands follows the prices. */
const attemptsRefetchMs = 3_000;
const attemptsOfPage = 50;

/** Prefix of all reads of challenges. */
export const challengesKey = ['challenges'] as const;
export const challengesQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: [...challengesKey, 'list'] as const,
    queryFn: ({ signal }) => unwrap(rest.rpc('list_challenges', {}).abortSignal(signal)),
    refetchInterval: refetchMs,
  });

/** The newest attempts are page 0. A new attempt moves one from each page to the next. */
export const attemptsQuery = ({ rest }: Supabase, id: string, page = 0) =>
  queryOptions({
    queryKey: [...challengesKey, 'attempts', id, page] as const,
    queryFn: ({ signal }) => {
      const part = { p_offset: page * attemptsOfPage, p_limit: attemptsOfPage };
      return unwrap(rest.rpc('get_challenge_attempts', { p_challenge_id: id, ...part }).abortSignal(signal));
    },
    refetchInterval: page === 0 ? attemptsRefetchMs : refetchMs,
  });
