/**
 * The positions that `liquidations.ts` crosses with one tick: ten of each trader, nine inserted as old ones and the last opened
 * through the running server, with the expected result of each. Liquidations and stop losses are mixed; some lose all of their margin,
 * some a part of it. None wins: gains would pay first for what the others lose beyond their margins (A111).
 */
import { randomUUID } from 'node:crypto';
import { parseDecimal, type Side, toDecimalString } from '@fulcrum/domain';
import type pg from 'pg';
import { addTraders } from './traders.ts';

export const symbol = 'BTCUSDT';
export const positionsPerTrader = 10;
/** The one that the running server opens at the resting price. */
export const lastPosition = { side: 'BUY', size: '0.01', leverage: 8 } as const;
/** USDT. The first price reaches nothing, the second one everything. */
export const restingPrice = 65_000;
export const crossingPrice = 52_000;
const startBalance = parseDecimal('1000000000');
const unit = 100_000_000n;

/** Of the trader's first nine: side, leverage, stop loss, take profit in USDT. */
const kinds: readonly (readonly [Side, number, number | null, number | null])[] = [
  ['BUY', 50, null, null],
  ['BUY', 25, null, null],
  ['BUY', 20, null, null],
  ['BUY', 10, null, null],
  ['BUY', 10, null, 90_000],
  ['BUY', 6, null, null],
  ['BUY', 5, null, null],
  ['BUY', 2, 60_000, null],
  ['BUY', 3, 58_000, null],
];

interface OpenPosition {
  readonly id: string;
  readonly userId: string;
  readonly side: Side;
  readonly leverage: number;
  /** 1e-8, like all that follow. */
  readonly entry: bigint;
  readonly size: bigint;
  readonly margin: bigint;
  readonly liquidation: bigint;
  readonly stopLoss: bigint | null;
  readonly takeProfit: bigint | null;
}

const usdt = (whole: number): bigint => BigInt(whole) * unit;

/** Entries in whole USDT and sizes in thousandths: every product below is whole in units of 1e-8. */
function positionsOf(userId: string, trader: number): OpenPosition[] {
  return kinds.map(([side, leverage, stopLoss, takeProfit], n) => {
    const entry = usdt(restingPrice - 200 + ((trader * 7 + n * 13) % 400));
    const size = (unit / 1000n) * BigInt(1 + ((trader + n) % 20));
    const losable = (entry * 95n) / 100n / BigInt(leverage);
    const cent = unit / 100n;
    const exact = side === 'BUY' ? entry - losable : entry + losable;
    return {
      id: randomUUID(),
      userId,
      side,
      leverage,
      entry,
      size,
      margin: (entry * size) / unit / BigInt(leverage),
      // To the tick, as the product rounds: towards the entry.
      liquidation: side === 'BUY' ? ((exact + cent - 1n) / cent) * cent : (exact / cent) * cent,
      stopLoss: stopLoss === null ? null : usdt(stopLoss),
      takeProfit: takeProfit === null ? null : usdt(takeProfit),
    };
  });
}

/** By this file's own arithmetic: what a close at the crossing price changes the balance by. */
function resultOf({
  side,
  entry,
  size,
  margin,
}: Pick<OpenPosition, 'side' | 'entry' | 'size' | 'margin'>): bigint {
  const move = side === 'BUY' ? usdt(crossingPrice) - entry : entry - usdt(crossingPrice);
  const pnl = (move * size) / unit;
  return pnl < -margin ? -margin : pnl;
}

/** Of the last one, which loses all of its margin. */
function lastResult(): bigint {
  const [entry, size] = [usdt(restingPrice), parseDecimal(lastPosition.size)];
  return resultOf({
    side: lastPosition.side,
    entry,
    size,
    margin: (entry * size) / unit / BigInt(lastPosition.leverage),
  });
}

/** Writes the first nine of each trader with ledger and totals; returns each balance after all ten are closed, 1e-8. */
export async function addOpenPositions(db: pg.Client, count: number): Promise<ReadonlyMap<string, bigint>> {
  const traders = await addTraders(db, count);
  const all = traders.flatMap(positionsOf);
  const column = (of: (position: OpenPosition) => string | number | null) => all.map(of);
  const text = (value: bigint | null): string | null => (value === null ? null : toDecimalString(value));
  await db.query(
    `insert into app.positions (id, user_id, symbol, side, leverage, entry_price, size, margin, liquidation_price,
                                stop_loss_price, initial_stop_loss_price, take_profit_price, status, rules,
                                account_version, created_at, updated_at)
     select id, user_id, '${symbol}', side, leverage, entry, size, margin, liquidation, stop_loss, stop_loss, take_profit,
            'open', 'standard', 11, now() - interval '1 hour', now() - interval '1 hour'
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::numeric[], $6::numeric[], $7::numeric[],
                 $8::numeric[], $9::numeric[], $10::numeric[])
       as p (id, user_id, side, leverage, entry, size, margin, liquidation, stop_loss, take_profit)`,
    [
      column(({ id }) => id),
      column(({ userId }) => userId),
      column(({ side }) => side),
      column(({ leverage }) => leverage),
      column(({ entry }) => text(entry)),
      column(({ size }) => text(size)),
      column(({ margin }) => text(margin)),
      column(({ liquidation }) => text(liquidation)),
      column(({ stopLoss }) => text(stopLoss)),
      column(({ takeProfit }) => text(takeProfit)),
    ],
  );
  await db.query(
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
     select p.group_id, side.account, p.user_id, side.amount, 'open', p.id, p.created_at
     from (select *, gen_random_uuid() as group_id from app.positions offset 0) p
     cross join lateral (values ('user:cash', -p.margin), ('user:margin', p.margin)) as side (account, amount)`,
  );
  await db.query(
    `update app.wallets w set available_balance = available_balance - p.margin, margin = p.margin, version = 11
     from (select user_id, sum(margin) as margin from app.positions group by user_id) p where p.user_id = w.user_id`,
  );
  await db.query(
    `insert into app.daily_totals as t (day, writer, volume, opened)
     select (now() at time zone 'utc')::date, 'engine', sum(round(entry_price * size, 8)), count(*) from app.positions`,
  );
  const balances = new Map(traders.map((userId) => [userId, startBalance + lastResult()]));
  for (const position of all) {
    const { userId } = position;
    balances.set(userId, (balances.get(userId) ?? 0n) + resultOf(position));
  }
  return balances;
}
