import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Supabase } from '../../shared/supabase/index.ts';
import { marketQuery } from './queries.ts';

test('a contest without published prices is no failed read', async () => {
  const rpc = () => ({ abortSignal: async () => ({ data: null, error: null, status: 200 }) });
  const supabase = { rest: { rpc } } as unknown as Supabase;
  const query = marketQuery(supabase, { id: 'contest', phase: 'registration' });
  expect(await new QueryClient().fetchQuery(query)).toBeNull();
});

test('while a contest that has begun has no commitment, it is read as often as the list of contests', () => {
  const intervalOf = (phase: 'registration' | 'trading' | 'ended', data: unknown) => {
    const { refetchInterval } = marketQuery({} as Supabase, { id: 'contest', phase });
    return (refetchInterval as unknown as (query: unknown) => number | false)({ state: { data } });
  };
  expect(intervalOf('trading', null)).toBe(15_000);
  expect(intervalOf('registration', null)).toBe(60_000);
  expect(intervalOf('ended', null)).toBe(60_000);
  expect(intervalOf('trading', undefined)).toBe(60_000);
  expect(intervalOf('trading', { is_public: false })).toBe(60_000);
  expect(intervalOf('trading', { is_public: true })).toBe(false);
});
