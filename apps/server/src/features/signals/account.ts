/** The account of a signal, as far as the meaning of a signal depends on it. */
import type { UserRole } from '@fulcrum/contract';
import { asSize, parseDecimal, type RuleSetName, type Side, type Size } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';

interface HeldPosition {
  readonly id: string;
  readonly side: Side;
  readonly size: Size;
}

export interface SignalAccount {
  readonly id: string;
  readonly ownerId: string;
  readonly ownerRole: UserRole;
  readonly isArchived: boolean;
  /** Null: those of main accounts, which are never `perpetual`. */
  readonly rules: RuleSetName | null;
  readonly leverageMax: number | null;
}

/** What the account has of one symbol. */
export interface Holding {
  /** Open, the oldest first. */
  readonly positions: readonly HeldPosition[];
  /** Ids of waiting orders, the oldest first; none that belongs to a position, which it ends with. */
  readonly orders: readonly string[];
  /** Of an account with net positions; null where it was never set. */
  readonly leverage: number | null;
}

/** Null for an account that is gone. */
export async function readAccount(db: Queryable, id: string): Promise<SignalAccount | null> {
  const { rows } = await db.query<SignalAccount>(
    `select a.id, a.owner_id as "ownerId", u.role as "ownerRole", a.status = 'archived' as "isArchived", a.rules,
            a.leverage_max as "leverageMax"
     from app.trading_accounts a join app.users u on u.id = a.owner_id where a.id = $1`,
    [id],
    'signal_account',
  );
  return rows[0] ?? null;
}

export async function readHolding(db: Queryable, accountId: string, symbol: string): Promise<Holding> {
  const { rows } = await db.query<{
    readonly positions: readonly { readonly id: string; readonly side: Side; readonly size: string }[];
    readonly orders: readonly string[];
    readonly leverage: number | null;
  }>(
    `select
       (select coalesce(json_agg(json_build_object('id', p.id, 'side', p.side, 'size', p.size::text) order by p.created_at, p.id), '[]')
        from app.positions p where p.user_id = $1 and p.symbol = $2 and p.status = 'open') as positions,
       (select coalesce(json_agg(o.id order by o.created_at, o.id), '[]') from app.orders o
        where o.user_id = $1 and o.symbol = $2 and o.bound_position_id is null and ${isWaitingSql('o.status')}) as orders,
       (select l.leverage from app.symbol_leverages l where l.user_id = $1 and l.symbol = $2) as leverage`,
    [accountId, symbol],
    'signal_holding',
  );
  const [row] = rows;
  if (!row) throw new Error('a query without a table answers one row');
  return {
    positions: row.positions.map((held) => ({ ...held, size: asSize(parseDecimal(held.size)) })),
    orders: row.orders,
    leverage: row.leverage,
  };
}
