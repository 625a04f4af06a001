/** When newer entries are counted. The hook runs in one server render, on what the cache holds. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Supabase, SupabaseContext } from '../../../shared/supabase/index.ts';
import { type AuditEntry, auditKeys, type Cursor } from './audit-entries.ts';
import { useAuditEntries } from './useAuditEntries.ts';

const filter = {
  actor: null,
  subject: null,
  object: null,
  request: null,
  action: null,
  from: null,
  to: null,
};
const newest = { at: '2026-11-22T03:00:00Z', id: 60 };

/** The number of newer entries that a page shows, when three have come since its first entry. */
function countShown(cursor: Cursor | null, hasNewer: boolean): number | undefined {
  const cache = new QueryClient();
  const entries = [newest as AuditEntry];
  cache.setQueryData(auditKeys.page(filter, cursor), { entries, hasNewer, hasOlder: true });
  cache.setQueryData(auditKeys.newer(filter, newest), 3);
  let shown: number | undefined;
  function Page() {
    shown = useAuditEntries(filter, cursor).newer;
    return null;
  }
  renderToStaticMarkup(
    <SupabaseContext value={{} as Supabase}>
      <QueryClientProvider client={cache}>
        <Page />
      </QueryClientProvider>
    </SupabaseContext>,
  );
  return shown;
}

test('X-20: newer entries are counted on the first page, also when "Newer" led back to it', () => {
  const after = { side: 'after', at: '2026-11-22T02:00:00Z', id: 9 } as const;
  expect(countShown(null, false)).toBe(3);
  expect(countShown(after, false)).toBe(3);
  expect(countShown(after, true)).toBe(0);
  expect(countShown({ ...after, side: 'before' }, true)).toBe(0);
});
