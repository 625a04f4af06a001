/** Reads of the account. Invariant: every statement has the key's account as its first condition. */

import type { IncomeType } from '@fulcrum/contract/exchange';
import {
  asMoney,
  asPrice,
  asSize,
  type FillProfile,
  type Money,
  NET_LEVERAGE,
  type Position,
  type Price,
  parseDecimal,
  type Side,
  type Size,
} from '@fulcrum/domain';
import type { Database, Queryable } from '../../../platform/database/index.ts';
import { inReadSnapshot } from '../../../platform/database/read-snapshot.ts';

/** An open net position, in units of 1e-8. */
export interface OpenPosition extends Pick<Position, 'side' | 'size' | 'margin' | 'entryPrice' | 'leverage'> {
  readonly id: string;
  readonly symbol: string;
  readonly entryValue: Money;
  readonly liquidationPrice: Price;
  readonly fees: Money;
  readonly funding: Money;
  readonly updatedAt: Date;
}

/** What waiting orders of a symbol reserve, and what they would buy and sell. */
export interface Waiting {
  readonly symbol: string;
  readonly reserved: Money;
  readonly bid: Money;
  readonly ask: Money;
}

export interface AccountState {
  readonly balance: Money;
  readonly available: Money;
  readonly updatedAt: Date;
  readonly isRestricted: boolean;
  readonly positions: readonly OpenPosition[];
  readonly waiting: ReadonlyMap<string, Waiting>;
  readonly leverages: ReadonlyMap<string, number>;
}

interface Income {
  readonly id: string;
  readonly symbol: string | null;
  readonly type: IncomeType;
  readonly amount: string;
  readonly kind: string;
  readonly at: Date;
}

interface IncomeQuery {
  readonly symbol: string | null;
  readonly type: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
  readonly offset: number;
  /** From the first one on, else the last ones. */
  readonly isForward: boolean;
}

interface MarginQuery extends Pick<IncomeQuery, 'from' | 'to' | 'limit'> {
  readonly symbol: string;
  /** 1: added, 2: taken out, null: both. */
  readonly type: number | null;
}

/** Of statements that may walk 90 days of an account's ledger: the caller is told to come back rather than hold a read slot for longer. */
const ledgerReadSettings = `set local statement_timeout = '5s'; set local jit = off`;

const money = (text: string): Money => asMoney(parseDecimal(text));

/**
 * By ledger group, what it added to the account's own ledger accounts; a close in two parts where the insurance bore some of its loss. So the
 * rows of a time sum up to the change of the balance.
 */
const incomeSql = `
  with groups as (
    select l.group_id, min(l.id) as id, l.kind, min(l.source_id::text)::uuid as source_id, l.created_at as at, sum(l.amount) as amount
    from app.ledger_entries l
    where l.user_id = $1 and l.created_at >= $2 and l.created_at < $3
      and l.kind in ('close', 'fee', 'funding', 'financing', 'deposit', 'withdrawal', 'adjustment')
    group by l.group_id, l.kind, l.created_at
  ), insured as (
    select g.*, coalesce((select -sum(i.amount) from app.ledger_entries i
      where i.source_id = g.source_id and i.group_id = g.group_id and i.account = 'insurance'), 0) as insurance
    from groups g
  ), incomes as (
    select id, source_id, at, kind, amount - insurance as amount,
           case kind when 'close' then 'REALIZED_PNL' when 'fee' then 'COMMISSION' when 'funding' then 'FUNDING_FEE'
             when 'financing' then 'FUNDING_FEE' else 'TRANSFER' end as type
    from insured
    union all select id, source_id, at, kind, insurance, 'INSURANCE_CLEAR' from insured where insurance <> 0
  )
  select i.id, p.symbol, i.type, i.amount, i.kind, i.at
  from incomes i left join app.positions p on p.id = i.source_id and p.user_id = $1
  where i.amount <> 0 and ($4::text is null or p.symbol = $4) and ($5::text is null or i.type = $5)`;

/** The account as `tx` sees it. */
export async function readAccountState(tx: Queryable, accountId: string): Promise<AccountState> {
  const wallets = await tx.query<{ balance: string; available: string; at: Date; restricted: boolean }>(
    `select w.balance, w.available_balance as available, w.last_updated as at, u.restricted_at is not null as restricted
       from app.wallets w join app.trading_accounts a on a.id = w.user_id join app.users u on u.id = a.owner_id
       where w.user_id = $1`,
    [accountId],
    'exchange_wallet',
  );
  const positions = await tx.query<PositionRow>(
    `select id, symbol, side, size, margin, entry_price, entry_value, leverage, liquidation_price, fees, funding, updated_at
       from app.positions where user_id = $1 and status = 'open' order by symbol`,
    [accountId],
    'exchange_positions',
  );
  const waiting = await tx.query<{ symbol: string; reserved: string; bid: string; ask: string }>(
    `select symbol, sum(reserved) as reserved,
              coalesce(sum(round(price * (size - filled_size), 8)) filter (where side = 'BUY'), 0) as bid,
              coalesce(sum(round(price * (size - filled_size), 8)) filter (where side = 'SELL'), 0) as ask
       from app.orders
       where user_id = $1 and status in ('NEW', 'PARTIALLY_FILLED')
         and (type in ('MARKET', 'LIMIT') or triggered_at is not null)
       group by symbol`,
    [accountId],
    'exchange_waiting',
  );
  const [wallet] = wallets.rows;
  return {
    balance: money(wallet?.balance ?? '0'),
    available: money(wallet?.available ?? '0'),
    updatedAt: wallet?.at ?? new Date(),
    isRestricted: wallet?.restricted ?? true,
    positions: positions.rows.map(toPosition),
    waiting: new Map(
      waiting.rows.map(({ symbol, reserved, bid, ask }) => [
        symbol,
        { symbol, reserved: money(reserved), bid: money(bid), ask: money(ask) },
      ]),
    ),
    leverages: await readLeverages(tx, accountId),
  };
}

export function createAccountReads(db: Database) {
  return {
    /** All figures as of one moment. */
    state: (accountId: string): Promise<AccountState> =>
      inReadSnapshot(db, (tx) => readAccountState(tx, accountId)),

    leverages: (accountId: string) => readLeverages(db, accountId),

    /** Undefined where nothing of the symbol is open. */
    async openPositionId(accountId: string, symbol: string): Promise<string | undefined> {
      const { rows } = await db.query<{ id: string }>(
        `select id from app.positions where user_id = $1 and symbol = $2 and status = 'open'`,
        [accountId, symbol],
        'exchange_position_id',
      );
      return rows[0]?.id;
    },

    async fillProfile(accountId: string): Promise<FillProfile> {
      const { rows } = await db.query<{ profile: FillProfile }>(
        'select fill_profile as profile from app.trading_accounts where id = $1',
        [accountId],
        'exchange_profile',
      );
      return rows[0]?.profile ?? 'exact';
    },

    async income(accountId: string, query: IncomeQuery): Promise<Income[]> {
      const way = query.isForward ? 'asc' : 'desc';
      const { rows } = await inReadSnapshot(
        db,
        (tx) =>
          tx.query<Income>(
            `${incomeSql} order by i.id ${way}, i.type ${way} limit $6 offset $7`,
            [accountId, query.from, query.to, query.symbol, query.type, query.limit, query.offset],
            `exchange_income_${way}`,
          ),
        ledgerReadSettings,
      );
      return query.isForward ? rows : rows.reverse();
    },

    /** Margin that was added to positions of the symbol, or taken out (below zero), the oldest first. */
    async marginChanges(accountId: string, { symbol, from, to, type, limit }: MarginQuery) {
      const { rows } = await inReadSnapshot(
        db,
        (tx) =>
          tx.query<{ amount: string; at: Date }>(
            `select l.amount, l.created_at as at
             from app.ledger_entries l join app.positions p on p.id = l.source_id and p.user_id = $1
             where l.user_id = $1 and l.kind = 'margin' and l.account = 'user:margin' and p.symbol = $2
               and l.created_at >= $3 and l.created_at < $4
               and ($5::int is null or (l.amount > 0) = ($5 = 1))
             order by l.id desc limit $6`,
            [accountId, symbol, from, to, type, limit],
            'exchange_margin_changes',
          ),
        ledgerReadSettings,
      );
      return rows.reverse();
    },
  };
}

export const leverageOf = (leverages: ReadonlyMap<string, number>, symbol: string): number =>
  leverages.get(symbol) ?? NET_LEVERAGE;

async function readLeverages(
  db: Pick<Database, 'query'>,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ symbol: string; leverage: number }>(
    'select symbol, leverage from app.symbol_leverages where user_id = $1',
    [accountId],
    'exchange_leverages',
  );
  return new Map(rows.map(({ symbol, leverage }) => [symbol, leverage]));
}

interface PositionRow {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly size: string;
  readonly margin: string;
  readonly entry_price: string;
  readonly entry_value: string;
  readonly leverage: number;
  readonly liquidation_price: string;
  readonly fees: string;
  readonly funding: string;
  readonly updated_at: Date;
}

const price = (text: string): Price => asPrice(parseDecimal(text));
const size = (text: string): Size => asSize(parseDecimal(text));

const toPosition = (row: PositionRow): OpenPosition => ({
  id: row.id,
  symbol: row.symbol,
  side: row.side,
  size: size(row.size),
  margin: money(row.margin),
  entryPrice: price(row.entry_price),
  entryValue: money(row.entry_value),
  leverage: row.leverage,
  liquidationPrice: price(row.liquidation_price),
  fees: money(row.fees),
  funding: money(row.funding),
  updatedAt: row.updated_at,
});
