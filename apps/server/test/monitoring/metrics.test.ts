/** `/metrics`, `/health/live` and `/health/ready` of the whole server. */
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';

const token = 'of-prometheus-0123456789';
let server: TestServer;
afterEach(() => server.close());

async function scrape(headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${server.url}/metrics`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('version=0.0.4');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return answer.text();
}

/** The value of one line, such as `fulcrum_orders_total{status="FILLED"}`; undefined where it is absent. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('metrics: orders, fills, closes, refusals and ledger entries are counted as they happen', async () => {
  server = await startTestServer();
  server.feed.setPrice('BTCUSDT', '100');
  const trader = await server.signUpTrader();
  const before = await scrape();
  expect(sampleOf(before, 'fulcrum_orders_total{status="FILLED"}')).toBeUndefined();

  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '1', p_leverage: 10 };
  const opened = await trader.client.rpc('open_position', order);
  expect(opened.error).toBeNull();
  const placed = await trader.client.from('orders').insert({
    user_id: trader.userId,
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    price: '60',
    size: '1',
    leverage: 10,
  });
  expect(placed.error).toBeNull();
  const refused = await trader.client.rpc('open_position', { ...order, p_size: '2000' });
  expect(refused.error?.code).toBe('insufficient_balance');
  server.feed.setPrice('BTCUSDT', '50');
  await expect
    .poll(async () => sampleOf(await scrape(), 'fulcrum_closed_positions_total{reason="liquidation"}'))
    .toBe(1);

  const after = await scrape();
  expect(sampleOf(after, 'fulcrum_commands_total{kind="open"}')).toBe(1);
  expect(sampleOf(after, 'fulcrum_commands_total{kind="trigger"}')).toBe(1);
  expect(sampleOf(after, 'fulcrum_refusals_total{code="insufficient_balance"}')).toBe(1);
  expect(sampleOf(after, 'fulcrum_orders_total{status="NEW"}')).toBe(1);
  expect(sampleOf(after, 'fulcrum_orders_total{status="FILLED"}')).toBe(1);
  expect(sampleOf(after, 'fulcrum_batch_seconds_count')).toBe(sampleOf(after, 'fulcrum_batches_total'));
  expect(sampleOf(after, 'fulcrum_tick_to_fill_seconds_count'), 'a liquidation and a fill').toBe(2);
  const { rows } = await server.db.query<{ entries: number; insurance: number }>(
    `select count(*)::int as entries, -coalesce(sum(amount) filter (where account = 'insurance'), 0)::float8 as insurance
     from app.ledger_entries where kind <> 'deposit'`,
  );
  expect(rows[0]?.insurance, 'a gap of half the price costs more than the margin').toBeGreaterThan(0);
  expect(sampleOf(after, 'fulcrum_ledger_entries_total')).toBe(rows[0]?.entries);
  expect(sampleOf(after, 'fulcrum_insurance_paid_usdt_total')).toBe(rows[0]?.insurance);
});

test('metrics: the state of engine, ledger, feed, sockets, disk and database', async () => {
  server = await startTestServer();
  server.feed.setPrice('BTCUSDT', '100');
  await expect.poll(() => server.server.trading.invariants().fullCheckedAt).not.toBeNull();
  const text = await scrape();
  for (const [series, value] of [
    ['fulcrum_halted{cause="ledger"}', 0],
    ['fulcrum_queue_items', 0],
    ['fulcrum_ledger_ok', 1],
    ['fulcrum_invariants_violated', 0],
    ['fulcrum_held_prices', 0],
    ['fulcrum_sockets', 0],
    ['fulcrum_dropped_frames_total', 0],
    ['fulcrum_mails_waiting', 0],
  ] as const) {
    expect(sampleOf(text, series), series).toBe(value);
  }
  for (const series of [
    'fulcrum_disk_free_bytes',
    'fulcrum_database_bytes',
    'process_resident_memory_bytes',
  ]) {
    expect(sampleOf(text, series), series).toBeGreaterThan(0);
  }
  expect(sampleOf(text, 'fulcrum_backup_age_seconds'), 'without a backup').toBeUndefined();
  expect(
    sampleOf(text, 'fulcrum_wal_segments'),
    'of another PostgreSQL, for pg_monitor only',
  ).toBeUndefined();
});

test('metrics: only this machine, or the holder of METRICS_TOKEN, reads them', async () => {
  server = await startTestServer({ config: { metricsToken: token, healthToken: null } });
  const throughProxy = { 'x-forwarded-for': '192.0.2.7' };
  const ask = (headers: Record<string, string>, path = '/metrics') =>
    fetch(`${server.url}${path}`, { headers: { ...throughProxy, ...headers } });
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: token }]) {
    const refused = await ask(headers as Record<string, string>);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refused.text()).not.toContain('fulcrum_');
  }
  expect(await scrape({ ...throughProxy, authorization: `Bearer ${token}` })).toContain(
    'fulcrum_queue_items 0',
  );
  const health = await ask({ authorization: `Bearer ${token}` }, '/health');
  expect(await health.json(), 'another token').not.toHaveProperty('realtime');
});

test('metrics: no user, address or path is a label', async () => {
  server = await startTestServer();
  const trader = await server.signUpTrader();
  await fetch(`${server.url}/of/${trader.userId}`);
  const text = await scrape();
  expect(sampleOf(text, 'fulcrum_http_responses_total{status="404"}')).toBe(1);
  for (const secret of [trader.userId, trader.email, '127.0.0.1', '/of/', server.databaseUrl]) {
    expect(text).not.toContain(secret);
  }
});

test('health: live while the process runs; ready while it may write, and not once another server owns the database', async () => {
  server = await startTestServer();
  const ask = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: { host: 'elsewhere.example' } });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await ask('/health/ready')).toEqual({ status: 200, body: { status: 'ready', reason: null } });

  server.feed.setPrice('BTCUSDT', '100');
  const trader = await server.signUpTrader();
  const other = new pg.Client({ connectionString: server.databaseUrl });
  await other.connect();
  await other.query('update app.engines set ended_at = now()');
  await other.end();
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '1', p_leverage: 10 };
  expect((await trader.client.rpc('open_position', order)).error?.code).toBe('trading_halted');
  const reason = 'another server writes to this database';
  expect(await ask('/health/ready')).toEqual({ status: 503, body: { status: 'unavailable', reason } });
  expect((await ask('/health/live')).status, 'a restart would not help').toBe(200);
  expect(sampleOf(await scrape(), 'fulcrum_halted{cause="epoch"}')).toBe(1);
});
