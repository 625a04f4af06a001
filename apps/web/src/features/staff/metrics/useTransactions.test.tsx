/** What waits above the newest page. The hook runs in one server render, on what the cache holds. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Supabase, SupabaseContext } from '../../../shared/supabase/index.ts';
import { pageCursorUrlState } from './page-cursor.ts';
import { useTransactions } from './useTransactions.ts';

const monday = '2026-11-16T00:00:00.000Z';

/** The number of waiting transactions on the newest page of a range, when three have come after `after`. */
function countWaiting(since: string | null, rows: readonly object[], after: string): number | undefined {
  const cache = new QueryClient();
  cache.setQueryData(['staff', 'transactions', since, { kind: 'newest' }], rows);
  cache.setQueryData(['staff', 'transactions-since', after], 3);
  let waiting: number | undefined;
  function Page() {
    waiting = useTransactions(since, pageCursorUrlState.initial, rows.length).waiting;
    return null;
  }
  renderToStaticMarkup(
    <SupabaseContext value={{} as Supabase}>
      <QueryClientProvider client={cache}>
        <Page />
      </QueryClientProvider>
    </SupabaseContext>,
  );
  return waiting;
}

test('METR-15: new transactions are counted from the first row, without rows from the begin of the range', () => {
  const at = '2026-11-20T14:09:00.123456+00:00';
  expect(countWaiting(monday, [{ created_at: at }], at)).toBe(3);
  expect(countWaiting(monday, [], monday)).toBe(3);
  expect(countWaiting(null, [], '1970-01-01T00:00:00.000Z')).toBe(3);
});
