/** The direction of all accounts together, without revealing the direction of any single account. */
import type { Database } from '../../../platform/database/index.ts';
import { isMainSql } from '../../../platform/database/row-scope.ts';

/** With fewer accounts, a user who knows some of them could infer the direction of the others. */
const accountsMin = 5;

/**
 * The mean over accounts with open positions of the long share of each one's exposure, 0 to 1; null when there are fewer than five.
 * Exposure is size × last price, or entry price where there is none, in units of the quote as the engine counts it.
 */
export async function readLongShare(db: Database): Promise<number | null> {
  const { rows } = await db.query<{ accounts: number; share: number | null }>(
    `select count(*)::int as accounts, avg(long_exposure / exposure)::float8 as share
     from (
       select sum(p.size * coalesce(l.price, p.entry_price)) as exposure,
              coalesce(sum(p.size * coalesce(l.price, p.entry_price)) filter (where p.side = 'BUY'), 0) as long_exposure
       from app.positions p left join app.last_prices l using (symbol)
       where p.status = 'open' and ${isMainSql('p.user_id')}
       group by p.user_id
     ) as account`,
  );
  const [row] = rows;
  return row === undefined || row.accounts < accountsMin ? null : row.share;
}
