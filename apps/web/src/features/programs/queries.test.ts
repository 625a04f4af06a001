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
