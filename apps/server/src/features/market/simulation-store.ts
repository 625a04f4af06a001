/**
 * Inputs of the simulated paths beside their key: the market in force since each time, the factors of markets that continued
 * from another price, and the price moves of staff. Invariant: a shock and its row of the audit log are one transaction.
 */
import { AppError, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { type AuditEntry, recordAuditEntry } from '../audit/index.ts';
import type { PriceShock } from './feeds/simulated/index.ts';

/** A shock counts as over after so many half-lives: less than a thousandth of it is left. */
const halfLivesMax = 10;
/** Maximum number of shocks that still have an effect; the newest win. */
const shocksShown = 100;

/** A simulated market that is or was in force. */
export interface StoredPath {
  /** 0: the one of before there were rows. */
  readonly number: number;
  readonly engine: number;
  readonly keyId: string;
  /** Null where the key is secret. */
  readonly seed: string | null;
  readonly weekends: boolean;
  /** Ms since the epoch; null: from the beginning. */
  readonly since: number | null;
}

interface PathRow {
  readonly number: number;
  readonly engine: number;
  readonly key_id: string;
  readonly seed: string | null;
  readonly weekends: boolean;
  readonly since: Date | null;
}

/** Oldest first. */
export async function readPaths(db: Queryable): Promise<StoredPath[]> {
  const { rows } = await db.query<PathRow>(
    'select number, engine, key_id, seed, weekends, since from app.simulated_paths order by number',
  );
  return rows.map(({ key_id, since, ...row }) => ({
    ...row,
    keyId: key_id,
    since: since === null ? null : since.getTime(),
  }));
}

export async function writePath(
  db: Queryable,
  { number, engine, keyId, seed, weekends, since }: StoredPath,
): Promise<void> {
  await db.query(
    `insert into app.simulated_paths (number, engine, key_id, seed, weekends, since) values ($1, $2, $3, $4, $5, $6)`,
    [number, engine, keyId, seed, weekends, since === null ? null : new Date(since)],
  );
}

/** The present factors by symbol, by number of the path. */
export async function readScales(db: Queryable): Promise<Map<number, Map<string, number>>> {
  const { rows } = await db.query<{ path: number; symbol: string; scale: number }>(
    'select distinct on (path, symbol) path, symbol, scale from app.simulated_scales order by path, symbol, since desc',
  );
  const scales = new Map<number, Map<string, number>>();
  for (const { path, symbol, scale } of rows) {
    const ofPath = scales.get(path) ?? new Map<string, number>();
    scales.set(path, ofPath.set(symbol, scale));
  }
  return scales;
}

/** `since` in ms since the epoch. */
export async function writeScales(
  db: Queryable,
  path: number,
  scales: ReadonlyMap<string, number>,
  since: number,
): Promise<void> {
  if (scales.size === 0) return;
  await db.query(
    `insert into app.simulated_scales (path, symbol, scale, since)
     select $4, symbol, scale, $3 from unnest($1::text[], $2::float8[]) as given (symbol, scale)
     on conflict (path, symbol, since) do update set scale = excluded.scale`,
    [[...scales.keys()], [...scales.values()], new Date(since), path],
  );
}

/**
 * Of these symbols, those whose prices another factor or another path made after `after`, with the first instant of that. Ms since the epoch.
 */
export async function readRescaled(
  db: Queryable,
  symbols: readonly string[],
  after: number,
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ symbol: string; since: Date }>(
    `select symbol, min(since) as since from (
       select symbol, since from app.simulated_scales
       union all
       select symbol, since from app.simulated_paths cross join unnest($1::text[]) as named (symbol)
     ) made where symbol = any ($1) and since > $2 group by symbol order by symbol collate "C"`,
    [symbols, new Date(after)],
  );
  return new Map(rows.map(({ symbol, since }) => [symbol, since.getTime()]));
}

interface ShockRow {
  readonly symbol: string;
  readonly at: Date;
  readonly percent: string;
  readonly half_life_minutes: string | null;
}

const shockOf = ({ symbol, at, percent, half_life_minutes }: ShockRow): PriceShock => ({
  symbol,
  at: at.getTime(),
  percent: Number(percent),
  halfLifeMinutes: half_life_minutes === null ? null : Number(half_life_minutes),
});

/** All that there ever were, oldest first: they are part of the paths for good. */
export async function readShocks(db: Queryable): Promise<PriceShock[]> {
  const { rows } = await db.query<ShockRow>(
    'select symbol, at, percent, half_life_minutes from app.price_shocks order by at, id',
  );
  return rows.map(shockOf);
}

/** Those that still move their price at `now` (ms since the epoch), the newest first. */
export async function readActiveShocks(db: Queryable, now: number): Promise<PriceShock[]> {
  const { rows } = await db.query<ShockRow>(
    `select symbol, at, percent, half_life_minutes from app.price_shocks
     where half_life_minutes is null or at + half_life_minutes * $2 * interval '1 minute' > $1
     order by at desc, id desc limit $3`,
    [new Date(now), halfLivesMax, shocksShown],
  );
  return rows.map(shockOf);
}

/** The owner of the action's client id. */
interface ShockKey {
  readonly adminId: string;
  readonly clientId: string;
}

/**
 * Within the transaction of the caller; 'new', or the move that this id has made before.
 * @throws AppError `idempotency_conflict` when that was another one
 */
export async function writeShock(
  tx: Queryable,
  shock: PriceShock,
  action: AuditEntry,
  key: ShockKey | null,
): Promise<'new' | PriceShock> {
  const { rowCount } = await tx.query(
    `insert into app.price_shocks (symbol, at, percent, half_life_minutes, admin_id, client_id)
     values ($1, $2, $3, $4, $5, $6) on conflict (admin_id, client_id) do nothing`,
    [
      shock.symbol,
      new Date(shock.at),
      String(shock.percent),
      shock.halfLifeMinutes,
      key?.adminId ?? null,
      key?.clientId ?? null,
    ],
  );
  if (rowCount > 0) {
    await recordAuditEntry(tx, action);
    return 'new';
  }
  const { rows } = await tx.query<ShockRow>(
    `select symbol, at, percent, half_life_minutes from app.price_shocks where admin_id = $1 and client_id = $2`,
    [key?.adminId, key?.clientId],
  );
  const [before] = rows.map(shockOf);
  if (
    before?.symbol !== shock.symbol ||
    before.percent !== shock.percent ||
    before.halfLifeMinutes !== shock.halfLifeMinutes
  ) {
    throw new AppError('idempotency_conflict', texts.clientIdUsed);
  }
  return before;
}
