import { weekMs } from '@fulcrum/domain';
import pg from 'pg';
import { ask, stop } from './children.ts';
import { post, type ServerReady } from './endpoint.ts';
import { heading, machine, quantile, row, runOf, verdict } from './figures.ts';
import { withRig } from './rig.ts';
import type { ServerJob } from './server.ts';

const weeks = 25;
const tradesOfWeek = 200;
const times = { warmUp: 5, measured: 100 };
/** Of a week of 200 trades, the median. */
const aimMs = 100;
/** A Monday. */
const lastWeek = Date.UTC(2026, 10, 16);

const weekOf = (n: number) => {
  const from = lastWeek - (n % weeks) * weekMs;
  return { from: new Date(from).toISOString(), to: new Date(from + weekMs).toISOString() };
};

/** Closed trades of each week, half of them with a stop loss, a tenth with a journal entry; an equity snapshot each hour of a week. */
async function addTrades(client: pg.Client, userId: string): Promise<readonly string[]> {
  const first = new Date(lastWeek - (weeks - 1) * weekMs);
  const { rows } = await client.query<{ id: string }>(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status, rules, account_version,
         created_at, closed_at, updated_at, close_price, realized_pnl, fees, close_reason, close_price_source, initial_stop_loss_price, stop_loss_price)
     select gen_random_uuid(), $1, (array['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])[1 + n % 3], case n % 2 when 0 then 'BUY' else 'SELL' end, 60000, 0.01, 10, 60,
            54000, 'closed', 'standard', n, at, at + interval '20 minutes', at + interval '20 minutes', 60000 + (n % 7 - 3) * 100,
            (n % 7 - 3) * case n % 2 when 0 then 1 else -1 end, 0.6, 'manual', 'live', stop, stop
     from (select n, $2::timestamptz + n * (interval '7 days' / $3::integer) as at,
                  case when n % 4 < 2 then case n % 2 when 0 then 59000 else 61000 end end as stop
           from generate_series(0, $4::integer - 1) n) as made
     returning id`,
    [userId, first, tradesOfWeek, weeks * tradesOfWeek],
  );
  await client.query(
    `insert into app.trade_prices (position_id, opened_at, closed_at, high_during, low_during, high_after, low_after)
     select id, created_at, closed_at, 60500, 59500, 60700, 59300 from app.positions where user_id = $1`,
    [userId],
  );
  await client.query(
    `insert into app.equity_snapshots (user_id, at, balance, equity)
     select $1, at, 10000, 10000 from generate_series($2::timestamptz, $2::timestamptz + $3 * interval '7 days', interval '1 hour') at
     on conflict do nothing`,
    [userId, first, weeks],
  );
  await client.query(
    `insert into app.journal_entries (user_id, title, content, tags, position_id)
     select $1, 'A trade', 'Why.', array['setup ' || (row_number() over ()) % 5], id from app.positions where user_id = $1 limit 500`,
    [userId],
  );
  await client.query('vacuum analyze');
  return rows.map(({ id }) => id);
}

async function timesOf(name: string, once: (n: number) => Promise<void>): Promise<number> {
  for (let n = 0; n < times.warmUp; n += 1) await once(n);
  const latenciesMs: number[] = [];
  const begunAt = performance.now();
  for (let n = 0; n < times.measured; n += 1) {
    const startedAt = performance.now();
    await once(times.warmUp + n);
    latenciesMs.push(performance.now() - startedAt);
  }
  console.log(row(runOf(name, 1, latenciesMs, (performance.now() - begunAt) / 1000)));
  return quantile(latenciesMs, 0.5);
}

export async function benchReview(): Promise<void> {
  await withRig(async ({ cluster, dataDir, begin }) => {
    const server = begin('./server.ts');
    const databaseUrl = await cluster.createDatabase('review');
    const endpoint = await ask<ServerReady>(server, {
      databaseUrl,
      dataDir,
      traders: 1,
    } satisfies ServerJob);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('select id from app.users');
    const userId = rows[0]?.id ?? '';
    const ids = await addTrades(client, userId);
    const call = (procedure: string, args: object) =>
      post(endpoint, `/rest/v1/rpc/${procedure}`, endpoint.tokens[0] ?? null, args);
    console.log(`${machine}, PostgreSQL ${cluster.version}`);
    console.log(`${ids.length} closed trades of one user, ${tradesOfWeek} a week\n`);
    console.log(heading('reviews'));
    const trade = 'select * from app.positions where id = $1';
    const week =
      'select * from app.positions where user_id = $1 and closed_at >= $2 and closed_at < $3 order by closed_at desc';
    const idOf = (n: number) => ids[(n * 37) % ids.length];
    const plainTrade = await timesOf(
      'plain read of a trade',
      async (n) => void (await client.query(trade, [idOf(n)])),
    );
    const oneTrade = await timesOf(
      'review_trade',
      async (n) => void (await call('review_trade', { p_position_id: idOf(n) })),
    );
    const plainWeek = await timesOf('plain read of a week', async (n) => {
      const { from, to } = weekOf(n);
      await client.query(week, [userId, from, to]);
    });
    const oneWeek = await timesOf('review_period of a week', async (n) => {
      const { from, to } = weekOf(n);
      const { trades, pending } = await call('review_period', { p_from: from, p_to: to });
      if (trades !== tradesOfWeek || pending !== 0)
        throw new Error(`a week of ${trades} trades, ${pending} pending`);
    });
    await client.end();
    const ratio = (one: number, other: number) => (one / other).toFixed(1);
    console.log(
      `\nmedian by plain read: trade ${ratio(oneTrade, plainTrade)} times, week ${ratio(oneWeek, plainWeek)} times`,
    );
    console.log(
      `aim: a week of ${tradesOfWeek} trades in ${aimMs} ms: ${verdict(oneWeek <= aimMs)} (${oneWeek.toFixed(1)} ms)`,
    );
    await stop(server);
  });
}
