/** Times on the wire, whatever zone the database has been given: the official client reads one form everywhere. */
import { tables } from '@fulcrum/contract';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { done, floor, reason, shareTradingServer } from '../trading/trading-server.ts';

shareTradingServer();
beforeAll(async () => {
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name');
  await owner.query(`alter database ${rows[0]?.name} set timezone to 'Asia/Kolkata'`);
  await owner.end();
  await floor.restart({});
  floor.feed.setPrice('BTCUSDT', '100');
});

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(\+00:00|Z)$/;

test('X-16, A78: every timestamp is ISO in UTC: of rows, of answers to commands, of lists', async () => {
  const trader = await floor.addUser('trader');
  await floor.closedAt(trader, '101');
  const opened = await floor.call(trader, 'open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'SELL',
    p_size: 1,
    p_leverage: 10,
  });
  done(
    await floor.admin.client.rpc('adjust_wallet_balance', {
      p_user_id: trader.id,
      p_amount: 5,
      p_reason: reason,
    }),
  );

  const reported = new Map<string, unknown>([['answer of open_position', opened.data?.created_at]]);
  for (const [procedure, list, args] of [
    ['list_users', 'users', {}],
    ['list_wallets', 'wallets', {}],
    ['list_positions', 'positions', { p_status: 'closed' }],
    ['list_ledger_entries', 'rows', { p_user_id: trader.id }],
  ] as const) {
    const { data } = await floor.call(floor.admin, procedure, args);
    const [row] = (data?.[list] ?? []) as Record<string, unknown>[];
    for (const column of ['created_at', 'closed_at', 'last_updated'])
      if (row && column in row) reported.set(`${procedure}.${column}`, row[column]);
  }
  for (const { name, columns } of tables) {
    const timed = Object.entries(columns).flatMap(([column, { type }]) =>
      type === 'timestamptz' ? column : [],
    );
    const { data } = await floor.admin.client.from(name).select('*').limit(20);
    for (const row of (data ?? []) as Record<string, unknown>[])
      for (const column of timed)
        if (row[column] !== null && row[column] !== undefined) reported.set(`${name}.${column}`, row[column]);
  }
  expect([...reported.keys()]).toEqual(
    expect.arrayContaining([
      'list_users.created_at',
      'list_wallets.last_updated',
      'list_positions.closed_at',
      'list_ledger_entries.created_at',
      'users.created_at',
      'positions.closed_at',
      'transactions.created_at',
      'wallets.last_updated',
      'audit_log.at',
    ]),
  );
  for (const [where, value] of reported) expect(value, where).toMatch(utc);
  // And it is the moment itself, not its digits in another zone.
  const [at] = [...reported].find(([where]) => where === 'positions.created_at')?.slice(1) ?? [];
  expect(Math.abs(Date.parse(String(at)) - floor.clock.now())).toBeLessThan(60_000);
});
