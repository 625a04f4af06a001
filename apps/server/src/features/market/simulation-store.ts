/**
 * What makes the simulated paths beside their seed: the factors of markets that took over from a live one, and the moves
 * that staff gave prices. Invariant: a shock and its line of the audit log are one transaction.
 */
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

/** Within the transaction of the caller. */
export async function writeShock(tx: Queryable, shock: PriceShock, act: Act): Promise<void> {
  await tx.query(
    'insert into app.price_shocks (symbol, at, percent, half_life_minutes) values ($1, $2, $3, $4)',
    [shock.symbol, new Date(shock.at), String(shock.percent), shock.halfLifeMinutes],
  );
  await recordAct(tx, act);
}
