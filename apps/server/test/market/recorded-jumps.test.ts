/** A recording that waits at a jump, through the whole server: notices, decisions, and what is blocked meanwhile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

const text = 'AAPL moves \u221286 % at 08:00: a split?';

async function call(by: TestUser, procedure: string, args: Record<string, unknown> = {}) {
  const { data, error, status } = await by.client.rpc(procedure, args);
  return { data, code: error?.code, message: error?.message, status };
}

/** Symbols that split at one instant, 40 recorded seconds after the beginning; they play at 60x. */
async function start(symbols: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'fulcrum-split-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = Date.UTC(2014, 5, 9, 8);
  for (const symbol of symbols) {
    const rows = [
      `${symbol},${at},645.57,646,92.23,92.42,1`,
      ...Array.from({ length: 20 }, (_, n) => `${symbol},${at + (n + 1) * 60_000},92.42,92.5,92.3,92.4,1`),
    ];
    await writeFile(
      join(folder, `${symbol}.csv`),
      ['symbol,open_time,open,high,low,close,volume', ...rows, ''].join('\n'),
    );
  }
  const server = await startUserServer({
    feed: null,
    config: {
      allowReset: true,
      priceFeed: { kind: 'replay', folder, speed: 60, loop: false, onJump: 'pause', historyMinutes: 0 },
    },
  });
  onTestFinished(() => server.close());
  const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
  const controls = async () => (await call(admin, 'get_market_controls')).data.replay;
  return {
    ...{ server, admin, trader, controls },
    set: (args: Record<string, unknown>) => call(admin, 'set_replay', { p_reason: 'The split', ...args }),
    async health(headers = {}) {
      const answer = await fetch(`${server.url}/health`, { headers });
      return (await answer.json()) as { readonly status: string; readonly feed: object };
    },
    lastPrice: (symbol: string) =>
      server.server.market.ticks().find((tick) => tick.symbol === symbol)?.price ?? 0,
    async playToSplit() {
      for (let beat = 0; beat < 8; beat += 1) {
        server.clock.advance(250);
        await new Promise((resolve) => setTimeout(resolve, 260));
      }
      await expect
        .poll(controls)
        .toMatchObject({ actual_speed: 0, jump: { symbol: 'AAPL', price: 92.23, text } });
    },
  };
}

test('ENG-5: a recording that waits at a split is reported on the health page and the panel, and an admin resumes it', async () => {
  const { server, admin, trader, set, health, lastPrice, playToSplit } = await start(['AAPL']);
  expect(await set({ p_jump: 'gap' })).toMatchObject({
    code: 'not_found',
    message: 'The recording is not waiting at this jump.',
  });
  const frames: { readonly replay?: unknown }[] = [];
  trader.client
    .channel('prices')
    .on('broadcast', { event: 'tick' }, ({ payload }) => void frames.push(payload))
    .subscribe();
  await playToSplit();
  const reason = 'the recording waits for a decision';
  expect(await health()).toMatchObject({
    status: 'degraded',
    feed: { ok: false, reason, replay: { jump: { symbol: 'AAPL', text } } },
  });
  // A remote reader gets fixed texts.
  const degraded = { status: 'degraded', feed: { ok: false, reason } };
  const { status, feed } = await health({ 'x-forwarded-for': '192.0.2.1' });
  expect({ status, feed }).toEqual(degraded);
  expect((await call(admin, 'get_platform')).data.feeds).toMatchObject([
    { source: 'replay', state: 'idle', trouble: text },
  ]);
  // All users see that it waits, and for what, and none can trade on that knowledge.
  await expect.poll(() => frames.at(-1)?.replay).toEqual({ speed: 0, paused: true, waits_for: 'AAPL' });
  const short = { p_symbol: 'AAPL', p_side: 'SELL', p_size: 10, p_leverage: 100 };
  expect(await call(trader, 'open_position', short)).toMatchObject({ message: 'Market is closed.' });

  expect(await set({ p_jump: 'gap', p_symbol: 'SPX' })).toMatchObject({
    ...{ status: 409, message: 'The recording is not waiting at this jump.' },
  });
  expect(await set({ p_jump: 'sideways' })).toMatchObject({ status: 400 });
  expect(await set({ p_jump: 'gap', p_symbol: 'AAPL' })).toMatchObject({ status: 200 });
  expect((await server.platformAudit()).at(-1)).toMatchObject({
    action: 'replay.set',
    detail: { jump: { symbol: 'AAPL', last_price: 646, price: 92.23, decision: 'gap' } },
  });
  server.clock.advance(1_000);
  await expect.poll(() => lastPrice('AAPL')).toBeLessThan(93);
  expect(await health()).toMatchObject({ status: 'ready', feed: { ok: true, replay: { jump: null } } });
  expect(await call(trader, 'open_position', short)).toMatchObject({ status: 200 });
});

test('ENG-5: of two decisions at once one counts, and only it is audited', async () => {
  const { server, set, controls, playToSplit } = await start(['AAPL']);
  await playToSplit();
  const { at } = (await controls()).jump;
  const before = (await server.platformAudit()).length;
  const seen = { p_symbol: 'AAPL', p_at: at };
  expect(await set({ ...seen, p_jump: 'gap', p_at: '2014-06-09T08:00:39Z' })).toMatchObject({
    ...{ status: 409, message: 'Someone else changed this in the meantime.' },
  });
  const answers: Awaited<ReturnType<typeof set>>[] = [];
  const decide = (args: Record<string, unknown>) =>
    set({ ...seen, ...args }).then((answer) => answers.push(answer));
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  let decided: Promise<unknown>[] = [];
  try {
    // The first one waits for its audit row.
    await owner.query('begin; lock table app.audit_log in share mode');
    decided = ['gap', 'gap', 'without'].map((p_jump) => decide({ p_jump }));
    await expect.poll(() => answers, { timeout: 5_000 }).toHaveLength(2);
  } finally {
    await owner.end();
    await Promise.all(decided);
  }
  const refused = { status: 409, code: 'conflict', message: 'Someone else changed this in the meantime.' };
  expect(answers).toMatchObject([refused, refused, { status: 200 }]);
  expect((await server.platformAudit()).slice(before)).toMatchObject([
    { action: 'replay.set', detail: { jump: { symbol: 'AAPL', at } } },
  ]);
});

test('ENG-5 A110: a reset waits while a jump is being decided and until it is emitted, as for any held price', async () => {
  const { server, trader, set, controls, lastPrice, playToSplit } = await start(['AAPL', 'MSFT']);
  const long = { p_symbol: 'AAPL', p_side: 'BUY', p_size: 1, p_leverage: 1 };
  const { data: position } = await call(trader, 'open_position', long);
  await playToSplit();
  const closed = { status: 409, message: 'Market is closed.' };
  const isShut = async () => {
    expect(await call(trader, 'close_position', { p_position_id: position.id })).toMatchObject(closed);
    expect(await call(trader, 'open_position', long)).toMatchObject(closed);
    expect(await call(trader, 'reset_account')).toMatchObject({
      ...{ status: 409, code: 'price_held' },
      message: 'The price of AAPL is held back. Please try again with its next price.',
    });
  };
  await isShut();
  // The other one splits at the same instant: the first has not been emitted yet.
  expect(await set({ p_jump: 'gap', p_symbol: 'AAPL' })).toMatchObject({ status: 200 });
  server.clock.advance(250);
  await expect.poll(async () => (await controls()).jump).toMatchObject({ symbol: 'MSFT' });
  await isShut();

  expect(await set({ p_jump: 'without', p_symbol: 'MSFT' })).toMatchObject({ status: 200 });
  server.clock.advance(1_000);
  await expect.poll(() => lastPrice('AAPL')).toBeLessThan(93);
  expect(await call(trader, 'reset_account')).toMatchObject({ status: 200 });
});

test('ENG-5: a market whose recording continues without it blocks no reset of an account', async () => {
  const { server, trader, set, playToSplit } = await start(['AAPL', 'MSFT']);
  await call(trader, 'open_position', { p_symbol: 'AAPL', p_side: 'BUY', p_size: 1, p_leverage: 1 });
  await playToSplit();
  expect(await set({ p_jump: 'without', p_symbol: 'AAPL' })).toMatchObject({ status: 200 });
  server.clock.advance(250);
  await expect.poll(() => server.server.market.price('AAPL')).toMatchObject({ held: false });
  expect(await call(trader, 'reset_account')).toMatchObject({ status: 200 });
});
