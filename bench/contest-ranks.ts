/**
 * The rank reads of `bench -- contest`: a live contest of 10,000 entrants on an embedded PostgreSQL, each with an open position whose price moves. Who reads
 * comes fifty times a second for a while in which the ranking is read anew several times.
 */
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { asPrice, parseDecimal } from '@fulcrum/domain';
import { createContestRanking } from '../apps/server/src/features/programs/ranking.ts';
import { realTimers, systemClock } from '../apps/server/src/platform/clock/index.ts';
import { openDatabase } from '../apps/server/src/platform/database/index.ts';
import { benchLog, withClient, withCluster } from './cluster.ts';

const readsMs = 20;
const lastsMs = 30_000;

const fill = (entrants: number): readonly string[] => [
  'set session_replication_role = replica',
  `insert into app.users (id, email, username, role)
   select (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-000000000001')::uuid, n || '@example.test', 'entrant' || n,
          case when n = 0 then 'admin' else 'trader' end from generate_series(0, ${entrants}) n`,
  `insert into app.programs (id, face, name, description, registration_opens_at, registration_ends_at, begins_at, ends_at, rules, created_at, updated_at)
   values ('00000000-0000-4000-8000-00000000c0de', 'contest', 'Bench', '', now() - interval '2 days', now() + interval '1 day',
     now() - interval '1 day', now() + interval '1 day', '{"v": 1, "startBalance": 10000, "ruleSet": "standard", "leverageMax": 10, "symbols": null,
     "positionsMax": null, "score": "return", "tieBreaks": ["drawdown", "trades", "entry"], "tradesMin": 0, "names": "shown"}', now(), now())`,
  `insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate, start_balance, program_id, program_number, created_at, updated_at)
   select replace(u.id::text, '-000000000001', '-0000000c0001')::uuid, u.id, 'contest', 'Bench', 'standard', 10, 0, 10000, '00000000-0000-4000-8000-00000000c0de',
          row_number() over (order by u.id), now(), now() from app.users u where u.role = 'trader'`,
  `insert into app.wallets (id, user_id, available_balance, margin, order_margin, version, last_updated)
   select gen_random_uuid(), id, 9000, 1000, 0, 1, now() from app.trading_accounts where kind = 'contest'`,
  `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status, created_at, updated_at, rules,
     version, account_version, fee_rate, fees)
   select gen_random_uuid(), a.id, 'BTCUSDT', case when a.program_number % 2 = 0 then 'BUY' else 'SELL' end, 100, 10 + a.program_number % 90, 10, 1000,
          case when a.program_number % 2 = 0 then 1 else 1000 end, 'open', now(), now(), 'standard', 1, 1, 0, 0
   from app.trading_accounts a where a.kind = 'contest'`,
  'analyze',
];

/** Milliseconds of each read, the least first. */
export const timedRankReads = (entrants: number): Promise<Float64Array> =>
  withCluster(async (cluster) => {
    const databaseUrl = await cluster.createDatabase('ranks');
    await withClient(databaseUrl, async (filler) => {
      for (const sql of fill(entrants)) await filler.query(sql);
    });
    const db = await openDatabase({ databaseUrl, dataDir: tmpdir() }, benchLog);
    try {
      return await readRanks(db);
    } finally {
      await db.close();
    }
  });

async function readRanks(db: Awaited<ReturnType<typeof openDatabase>>): Promise<Float64Array> {
  const clock = systemClock;
  const price = () => ({ price: asPrice(parseDecimal((100 + Math.random()).toFixed(2))), marketOpen: true });
  const ranking = createContestRanking({
    ...{ db, clock, timers: realTimers(clock), market: { price } },
    secrets: { certificatesKey: Buffer.alloc(32, 1).toString('base64url') },
  } as never);
  const { rows } = await db.query<{ id: string }>(`select id from app.users where role = 'admin'`);
  const userId = rows[0]?.id ?? '';
  const caller = { role: 'admin', userId, accountId: userId, actorId: userId } as never;
  const took: number[] = [];
  const reads: Promise<void>[] = [];
  const failures: unknown[] = [];
  const read = async (offset: number): Promise<void> => {
    const from = performance.now();
    const { ranks } = await ranking.get_contest_ranking(caller, {
      p_contest_id: '00000000-0000-4000-8000-00000000c0de',
      p_offset: offset,
    } as never);
    took.push(performance.now() - from);
    if (ranks.length === 0) throw new Error('no ranks were read');
  };
  // The very first reader waits for the whole ranking.
  await read(0);
  took.length = 0;
  for (let at = 0; at < lastsMs; at += readsMs) {
    // One that fails must not end the process before its PostgreSQL.
    reads.push(read(at % 9_000).catch((error: unknown) => void failures.push(error)));
    await sleep(readsMs);
  }
  await Promise.all(reads);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} reads of ranks failed`);
  return Float64Array.from(took).sort();
}
