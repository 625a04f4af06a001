import { expect, test } from 'vitest';
import { failedWith } from '../../shared/form/index.ts';
import type { Supabase } from '../../shared/supabase/index.ts';
import type { Rank } from './queries.ts';
import { readWholeRanking, toRankingFile } from './ranking-file.ts';

const entrants = 450;
const rankOf = (rank: number): Rank => ({
  ...{ rank, number: 1000 - rank, username: `student_${rank}`, is_self: false, equity: 9_000.5 },
  ...{ return_pct: -1.25, trades: 3, score: null, drawdown_pct: null, unranked: null },
});
const everyone = Array.from({ length: entrants }, (_, index) => rankOf(index + 1));

/** Answers as the server does; `instantOf` is of each request in turn. */
function serverOf(instantOf: (request: number) => string): Supabase {
  let requests = 0;
  const rpc = async (_name: string, page: { readonly p_offset: number; readonly p_limit: number }) => {
    requests += 1;
    const ranks = everyone.slice(page.p_offset, page.p_offset + page.p_limit);
    return { data: { frozen: false, at: instantOf(requests), entrants, ranks, own: null }, error: null };
  };
  return { rest: { rpc } } as unknown as Supabase;
}

test('every entrant is in the file, also beyond the first page', async () => {
  const ranks = await readWholeRanking(
    serverOf(() => 'one instant'),
    'contest',
  );
  expect(ranks.map(({ rank }) => rank)).toEqual(everyone.map(({ rank }) => rank));
  const lines = toRankingFile(ranks).trim().split(/\r?\n/);
  expect(lines).toHaveLength(entrants + 1);
  expect(lines[1]).toContain('student_1');
});

test('pages of two instants are read again, and never mixed', async () => {
  const ranks = await readWholeRanking(
    serverOf((request) => (request <= 2 ? `${request}` : 'later')),
    'contest',
  );
  expect(ranks).toHaveLength(entrants);
});

test('pages that are never of one instant make no file, and the toast has that reason', async () => {
  const read = readWholeRanking(
    serverOf((request) => `${request}`),
    'contest',
  );
  const cause: unknown = await read.catch((error: unknown) => error);
  expect(failedWith('Failed to save the ranking')(cause)).toBe(
    'The ranking changes too quickly to be saved. Try again shortly.',
  );
});

test('a file states why an entrant is not ranked', () => {
  const text = toRankingFile([{ ...rankOf(1), rank: null, username: null, unranked: 'too_few_trades' }]);
  expect(text).toMatch(/Too few trades/);
});
