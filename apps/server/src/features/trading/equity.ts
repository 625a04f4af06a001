/**
 * Hourly equity snapshots of every account with open positions (A108), so that a curve shows the time between two
 * closes. The formula is the domain's `equityOf`. Invariant: wallet and positions of an account are of one moment;
 * prices are those of the instant at which the page is read.
 *
 * Known limitation: the hour has no snapshot if the server was down at its start.
 */
import {
  asPrice,
  balanceOf,
  type ChallengeFigures,
  challengeFiguresOf,
  equityOf,
  hourMs,
  type MarketView,
  type Money,
  type Order,
  type OwnStanding,
  type Position,
  toDecimalString,
  withTradingDays,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';
import { challengeOf } from './engine/challenge-rows.ts';
import { type AccountRow, accountsQuery, hasWallet, holdingsOf, ownOf } from './engine/rows.ts';

/** Accounts of one page. */
const pageSize = 1000;

// By the partial index of open positions.
const accountsWithPositions = `
  select distinct user_id from app.positions
  where status = 'open' and ($1::uuid is null or user_id > $1::uuid) order by user_id limit ${pageSize}`;

const insert = `
  insert into app.equity_snapshots (user_id, at, balance, equity)
  select e.user_id, $1, e.balance, e.equity
  from unnest($2::uuid[], $3::numeric[], $4::numeric[]) as e (user_id, balance, equity)
  -- An account may be removed between the two statements.
  where exists (select from app.trading_accounts a where a.id = e.user_id for key share)
    -- A payment since the start of the hour is in this equity already, and would look like a result until the payment's own snapshot.
    and not exists (select from app.ledger_entries l where l.user_id = e.user_id
                    and l.kind in ('deposit', 'withdrawal') and l.created_at > $1 and l.created_at < $1::timestamptz + interval '1 minute')
  on conflict (user_id, at) do nothing`;

/**
 * Stores snapshots at `now` (ms since the epoch) with the prices of `marketAt`; resolves with the number of accounts.
 */
export async function snapshotEquity(
  db: Queryable,
  {
    now,
    marketAt,
    signal,
  }: {
    readonly now: number;
    readonly marketAt: (now: number) => Pick<MarketView, 'quote'>;
    readonly signal?: AbortSignal;
  },
): Promise<number> {
  let count = 0;
  for (let after: string | null = null; !signal?.aborted; ) {
    const page: { rows: { user_id: string }[] } = await db.query(accountsWithPositions, [after]);
    const ids = page.rows.map(({ user_id }) => user_id);
    const last = ids.at(-1);
    if (last === undefined) return count;
    const { rows } = await db.query<AccountRow>(accountsQuery, [ids, null]);
    const market = marketAt(now);
    const accounts = rows.map(holdingsOf).filter(hasWallet);
    await db.query(insert, [
      new Date(now),
      accounts.map(({ wallet }) => wallet.accountId),
      accounts.map(({ wallet }) => toDecimalString(balanceOf(wallet))),
      accounts.map(({ wallet, positions }) => toDecimalString(equityOf(wallet, positions, market))),
    ]);
    count += accounts.length;
    if (ids.length < pageSize) return count;
    after = last;
  }
  return count;
}

/** Present prices as marks: a mark is a mark, however old. */
export const marksOf = (market: Pick<Market, 'price'>): Pick<MarketView, 'quote'> => ({
  quote: (symbol) => {
    const last = market.price(symbol);
    return last && { price: asPrice(last.price), stale: false, held: false, marketOpen: last.marketOpen };
  },
});

/** The equity of the account at the current quotes, USDT; null for an account without a wallet. */
export async function readEquity(
  db: Queryable,
  accountId: string,
  market: Pick<MarketView, 'quote'>,
): Promise<Money | null> {
  const { rows } = await db.query<AccountRow>(accountsQuery, [[accountId], null]);
  const account = rows.map(holdingsOf).find(hasWallet);
  return account ? equityOf(account.wallet, account.positions, market) : null;
}

/** The limits that the owner has set, with the day so far and the equity at the current quotes; null without any. */
export async function readOwnStanding(
  db: Queryable,
  accountId: string,
  { market, now }: { readonly market: Pick<MarketView, 'quote'>; readonly now: number },
): Promise<(OwnStanding & { readonly equity: Money }) | null> {
  const { rows } = await db.query<AccountRow>(accountsQuery, [[accountId], new Date(now)]);
  const own = ownOf(rows[0]?.own ?? null);
  const account = rows.map(holdingsOf).find(hasWallet);
  return own && account ? { ...own, equity: equityOf(account.wallet, account.positions, market) } : null;
}

export interface HeldAccount {
  readonly equity: Money;
  readonly positions: readonly Position[];
  /** Those that wait. */
  readonly orders: readonly Order[];
}

/** Equity at the current quotes, open positions and waiting orders of each account that has a wallet. */
export async function readEquities(
  db: Queryable,
  accountIds: readonly string[],
  market: Pick<MarketView, 'quote'>,
): Promise<ReadonlyMap<string, HeldAccount>> {
  const { rows } = await db.query<AccountRow>(accountsQuery, [accountIds, null]);
  const accounts = rows.map(holdingsOf).filter(hasWallet);
  return new Map(
    accounts.map(({ wallet, positions, orders }) => [
      wallet.accountId,
      { equity: equityOf(wallet, positions, market), positions, orders },
    ]),
  );
}

/** What the challenge of each account would be judged by now, at the present prices; accounts without a challenge are left out. */
export async function readChallengeFigures(
  db: Queryable,
  accountIds: readonly string[],
  market: Pick<MarketView, 'quote'>,
  now: number,
): Promise<ReadonlyMap<string, ChallengeFigures>> {
  const { rows } = await db.query<AccountRow>(accountsQuery, [accountIds, null]);
  const figures = new Map<string, ChallengeFigures>();
  for (const row of rows) {
    const stored = row.terms?.limits?.challenge;
    const account = holdingsOf(row);
    if (!stored || !hasWallet(account)) continue;
    const { step, state, tradedOn } = challengeOf(stored);
    const equity = equityOf(account.wallet, account.positions, market);
    const standing = { at: now, balance: balanceOf(account.wallet), equity };
    figures.set(row.user_id, challengeFiguresOf(step, withTradingDays(state, tradedOn), standing));
  }
  return figures;
}

/**
 * Runs `work` once in each hour except that of `startedAt`: at the first call in the new hour, and after a failure at
 * the next call. Calls must not overlap. @throws what `work` throws.
 */
export function onceAnHour(
  startedAt: number,
  work: (now: number) => Promise<unknown>,
): (now: number) => Promise<void> {
  let hour = Math.floor(startedAt / hourMs);
  return async (now) => {
    const current = Math.floor(now / hourMs);
    if (current <= hour) return;
    await work(now);
    hour = current;
  };
}
