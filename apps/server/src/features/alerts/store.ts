/** The stored alerts, with the positions that they look at. */
import type { TableName } from '@fulcrum/contract';
import {
  type AlertDirection,
  type AlertKind,
  type AlertState,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type Percent,
  type PositionTerms,
  type Price,
  parseDecimal,
  type Side,
  toDecimalString,
} from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';

export interface Alert {
  readonly id: string;
  readonly accountId: string;
  readonly kind: AlertKind;
  readonly symbol: string;
  readonly positionId: string | null;
  /** A price of the pair, else per cent; 1e-8 units of either. */
  readonly level: bigint;
  readonly direction: AlertDirection;
  readonly windowMinutes: number | null;
  readonly repeats: boolean;
  readonly state: AlertState;
  readonly crossings: number;
  readonly firedAt: Date | null;
  /** When the user last changed it. */
  readonly updatedAt: Date;
}

export const priceOf = ({ level }: Pick<Alert, 'level'>): Price => asPrice(level);
export const percentOf = ({ level }: Pick<Alert, 'level'>): Percent => asPercent(level);

interface AlertColumns {
  readonly id: string;
  readonly user_id: string;
  readonly kind: AlertKind;
  readonly symbol: string;
  readonly position_id: string | null;
  readonly level: string;
  readonly direction: AlertDirection;
  readonly window_minutes: number | null;
  readonly repeats: boolean;
  readonly state: AlertState;
  readonly crossings: number;
  readonly fired_at: Date | null;
  readonly updated_at: Date;
}
const columns = `id, user_id, kind, symbol, position_id, level::text, direction, window_minutes, repeats, state, crossings,
  fired_at, updated_at`;

const toAlert = (row: AlertColumns): Alert => ({
  id: row.id,
  accountId: row.user_id,
  kind: row.kind,
  symbol: row.symbol,
  positionId: row.position_id,
  level: parseDecimal(row.level),
  direction: row.direction,
  windowMinutes: row.window_minutes,
  repeats: row.repeats,
  state: row.state,
  crossings: row.crossings,
  firedAt: row.fired_at,
  updatedAt: row.updated_at,
});

const pageOfAlerts = 5_000;

/** What a start looks after: armed alerts, and those of a position that is not known to be closed. */
export async function* readPending(db: Database): AsyncGenerator<readonly Alert[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await db.query<AlertColumns>(
      `select ${columns} from app.alerts
       where id > $1 and (state = 'armed' or (position_id is not null and state <> 'ended')) order by id limit $2`,
      [after, pageOfAlerts],
      'alerts_pending',
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(toAlert);
    after = last.id;
  }
}

export async function readAlerts(tx: Queryable, ids: readonly string[]): Promise<readonly Alert[]> {
  const { rows } = await tx.query<AlertColumns>(
    `select ${columns} from app.alerts where id = any($1)`,
    [ids],
    'alerts_by_id',
  );
  return rows.map(toAlert);
}

/** What was written of alerts since then, by any process. */
export async function readChangedSince(db: Database, since: Date): Promise<readonly Alert[]> {
  const { rows } = await db.query<AlertColumns>(
    `select ${columns} from app.alerts where updated_at >= $1`,
    [since],
    'alerts_changed',
  );
  return rows.map(toAlert);
}

/** Those of the alerts that are deleted. */
export async function readDeleted(db: Database, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select one.id from unnest($1::uuid[]) as one (id) where not exists (select from app.alerts a where a.id = one.id)',
    [ids],
    'alerts_deleted',
  );
  return rows.map(({ id }) => id);
}

/** The user's alert, locked in a transaction. */
export async function readAlert(tx: Queryable, accountId: string, id: string): Promise<Alert | null> {
  const { rows } = await tx.query<AlertColumns>(
    `select ${columns} from app.alerts where id = $1 and user_id = $2 for update`,
    [id, accountId],
    'alert',
  );
  return rows[0] ? toAlert(rows[0]) : null;
}

/** Whoever waits here counts afterwards what the other request has written. */
export const lockAlertsOf = (tx: Queryable, userId: string) =>
  tx.query(`select pg_advisory_xact_lock(hashtext('app.alerts'), hashtext($1))`, [userId], 'lock_alerts');

/** Counts the alerts of all accounts of the user. */
export async function countAlerts(tx: Queryable, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count
     from app.trading_accounts t join app.alerts a on a.user_id = t.id where t.owner_id = $1`,
    [userId],
    'count_alerts',
  );
  return rows[0]?.count ?? 0;
}

/** False when another user has the id. */
export async function insertAlert(tx: Queryable, alert: Alert): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into app.alerts (id, user_id, kind, symbol, position_id, level, direction, window_minutes, repeats, state,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) on conflict (id) do nothing`,
    [
      alert.id,
      alert.accountId,
      alert.kind,
      alert.symbol,
      alert.positionId,
      toDecimalString(alert.level),
      alert.direction,
      alert.windowMinutes,
      alert.repeats,
      alert.state,
      alert.updatedAt,
    ],
    'insert_alert',
  );
  return rowCount === 1;
}

export async function updateAlert(tx: Queryable, alert: Alert): Promise<void> {
  await tx.query(
    `update app.alerts set level = $2, direction = $3, window_minutes = $4, repeats = $5, state = $6, fired_at = $7,
       updated_at = $8
     where id = $1`,
    [
      alert.id,
      toDecimalString(alert.level),
      alert.direction,
      alert.windowMinutes,
      alert.repeats,
      alert.state,
      alert.firedAt,
      alert.updatedAt,
    ],
    'update_alert',
  );
}

export async function deleteAlert(tx: Queryable, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from app.alerts where id = $1 and user_id = $2',
    [id, accountId],
    'delete_alert',
  );
  return rowCount === 1;
}

/** The change events of rows that were just written, for the bus after the commit. */
export async function readChanges(
  tx: Queryable,
  table: TableName,
  type: 'INSERT' | 'UPDATE',
  ids: readonly string[],
  at: Date,
) {
  const rows = await readWireRows(tx, table, ids);
  return rows.map((row) => toRowChange({ table, type, committedAt: at.toISOString() }, row));
}

/** A position as an alert looks at it. */
export interface AlertPosition extends PositionTerms {
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  readonly liquidationPrice: Price;
  readonly isOpen: boolean;
}

interface PositionColumns {
  readonly id: string;
  readonly user_id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly entry_price: string;
  readonly size: string;
  readonly leverage: number;
  readonly margin: string;
  readonly liquidation_price: string;
  readonly is_open: boolean;
}

export async function readPositions(db: Queryable, ids: readonly string[]): Promise<AlertPosition[]> {
  const { rows } = await db.query<PositionColumns>(
    `select id, user_id, symbol, side, entry_price::text, size::text, leverage, margin::text, liquidation_price::text,
       status = 'open' as is_open
     from app.positions where id = any($1)`,
    [ids],
    'positions_of_alerts',
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.user_id,
    symbol: row.symbol,
    side: row.side,
    entryPrice: asPrice(parseDecimal(row.entry_price)),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    margin: asMoney(parseDecimal(row.margin)),
    liquidationPrice: asPrice(parseDecimal(row.liquidation_price)),
    isOpen: row.is_open,
  }));
}

/** Ends the alerts of closed positions, whatever their state. Returns their ids. */
export async function endAlertsOf(tx: Queryable, positionIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `update app.alerts set state = 'ended' where position_id = any($1) and state <> 'ended' returning id`,
    [positionIds],
    'end_alerts',
  );
  return rows.map(({ id }) => id);
}

/** Arms fired alerts again whose position changed. Returns those that were still waiting for it. */
export async function armAgain(tx: Queryable, ids: readonly string[]): Promise<Alert[]> {
  const { rows } = await tx.query<AlertColumns>(
    `update app.alerts set state = 'armed' where id = any($1) and state = 'fired' and repeats returning ${columns}`,
    [ids],
    'arm_alerts_again',
  );
  return rows.map(toAlert);
}

/** A crossing of an alert at a price, with the notification's text. */
export interface Crossing {
  readonly alert: Alert;
  readonly price: Price;
  readonly message: string;
}

/**
 * Fires: in one statement the alert counts the crossing, and the notification is written. An alert that the user changed
 * meanwhile, or that this crossing has fired already, is left alone. A repeated price alert fires next in the other
 * direction.
 */
export async function fireAlerts(
  tx: Queryable,
  crossings: readonly Crossing[],
  at: Date,
): Promise<{ readonly fired: readonly Alert[]; readonly noticeIds: readonly string[] }> {
  const { rows } = await tx.query<AlertColumns & { readonly notice_id: string }>(
    `with crossing as (
       select * from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::numeric[], $5::text[])
         as c (id, number, seen, price, message)
     ), fired as (
       update app.alerts a set
         crossings = a.crossings + 1, fired_at = $6, fired_price = c.price,
         state = case when a.repeats and a.kind in ('price', 'change') then 'armed' else 'fired' end,
         direction = case
           when not (a.repeats and a.kind = 'price') then a.direction
           when a.direction = 'rises' then 'falls' else 'rises' end
       from crossing c
       where a.id = c.id and a.state = 'armed' and a.crossings = c.number and a.updated_at = c.seen
       returning a.*, c.message, gen_random_uuid() as notice_id
     ), noticed as (
       insert into app.notifications (id, user_id, kind, message, symbol, position_id, created_at)
       select notice_id, user_id, 'alert', message, symbol, position_id, $6 from fired
     )
     select ${columns}, notice_id from fired`,
    [
      crossings.map(({ alert }) => alert.id),
      crossings.map(({ alert }) => alert.crossings),
      crossings.map(({ alert }) => alert.updatedAt),
      crossings.map(({ price }) => toDecimalString(price)),
      crossings.map(({ message }) => message),
      at,
    ],
    'fire_alerts',
  );
  return { fired: rows.map(toAlert), noticeIds: rows.map(({ notice_id }) => notice_id) };
}
