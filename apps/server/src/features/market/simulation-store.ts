/**
 * What makes the simulated paths beside their seed: the factors of markets that took over from a live one, and the moves
 * that staff gave prices. Invariant: a shock and its line of the audit log are one transaction.
 */
import { AppError, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { type Act, recordAct } from '../accounts/index.ts';
import type { PriceShock } from './feeds/simulated/index.ts';

/** A shock counts as over after so many half-lives: less than a thousandth of it is left. */
const halfLivesMax = 10;
/** Of the shocks that still act, the newest. */
const shocksShown = 100;

/** Factors by symbol. */
export async function readScales(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ symbol: string; scale: number }>(
    'select symbol, scale from app.simulated_scales',
  );
  return new Map(rows.map(({ symbol, scale }) => [symbol, scale]));
}

/** `since` in ms since the epoch. */
export async function writeScales(
  db: Queryable,
  scales: ReadonlyMap<string, number>,
  since: number,
): Promise<void> {
  if (scales.size === 0) return;
  await db.query(
    `insert into app.simulated_scales (symbol, scale, since)
     select symbol, scale, $3 from unnest($1::text[], $2::float8[]) as given (symbol, scale)
     on conflict (symbol) do update set scale = excluded.scale, since = excluded.since`,
    [[...scales.keys()], [...scales.values()], new Date(since)],
  );
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
export async function readActingShocks(db: Queryable, now: number): Promise<PriceShock[]> {
  const { rows } = await db.query<ShockRow>(
    `select symbol, at, percent, half_life_minutes from app.price_shocks
     where half_life_minutes is null or at + half_life_minutes * $2 * interval '1 minute' > $1
     order by at desc, id desc limit $3`,
    [new Date(now), halfLivesMax, shocksShown],
  );
  return rows.map(shockOf);
}

/** Whose id of the act it is. */
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
  act: Act,
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
    await recordAct(tx, act);
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
