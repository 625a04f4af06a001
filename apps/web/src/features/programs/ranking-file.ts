/** The ranking of a contest as a file: every entrant, all of one instant, as far as the caller reads it on the screen. */
import { toCsv } from '@fulcrum/domain';
import { RequestError, type Supabase, unwrap } from '../../shared/supabase/index.ts';
import { unrankedLabels } from './labels.ts';
import type { Rank, Ranking } from './queries.ts';

const ranksOfPage = 200;
/** A later ranking may have come between two pages. */
const attemptsMax = 4;

/** @throws RequestError, also when the answers are never of one instant: its text is for the user */
export async function readWholeRanking({ rest }: Supabase, contestId: string): Promise<readonly Rank[]> {
  const readPage = (from: number): Promise<Ranking> =>
    unwrap(
      rest.rpc('get_contest_ranking', { p_contest_id: contestId, p_offset: from, p_limit: ranksOfPage }),
    );
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const { at, entrants, ranks } = await readPage(0);
    const all = [...ranks];
    let isOfOneInstant = true;
    while (isOfOneInstant && all.length < entrants) {
      const page = await readPage(all.length);
      isOfOneInstant = page.at === at && page.ranks.length > 0;
      all.push(...page.ranks);
    }
    if (isOfOneInstant) return all;
  }
  throw new RequestError('The ranking changes too quickly to be saved. Try again shortly.', 'busy', 503);
}

/** Columns are the same before and after the end; what only a result has is empty before. */
export const toRankingFile = (ranks: readonly Rank[]): string =>
  toCsv(
    [
      ...['Rank', 'Entrant', 'Username', 'Score', 'Return%', 'Equity', 'Drawdown%'],
      ...['Trades', 'Not Ranked Because'],
    ],
    ranks.map(({ rank, number, username, score, return_pct, equity, drawdown_pct, trades, unranked }) => [
      ...[rank, number, username, score, return_pct, equity, drawdown_pct, trades],
      unranked === null ? null : unrankedLabels[unranked],
    ]),
  );
