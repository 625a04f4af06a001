/** Inbound signals (A119): what each body does in each kind of account, over real HTTP. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { alertMessages, dayMs, signalBodyMax, signalExamples } from '@fulcrum/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteBeyondLimit, deleteExpired } from '../../src/features/signals/store.ts';
import { server, shareTestServer, startTestServer } from '../harness/index.ts';
import {
  deliver,
  type Hooked,
  hookedNetTrader,
  hookedTrader,
  makeHook,
  outcomeOf,
  positionsOf,
  previewOf,
  send,
  signalsOf,
  storePending,
  withDatabase,
} from './signal-server.ts';

shareTestServer();
beforeEach(() => {
  server.feed.setPrice('BTCUSDT', '50000');
  server.feed.setPrice('EUR/USD', '1.1');
  server.feed.setPrice('AAPL', '200');
});

/** As the page "Signals" proposes it, with TradingView's own texts in place of its placeholders. */
const alertOf = (more: Record<string, unknown>) => ({
  ticker: 'BTCUSDT',
  exchange: 'BINANCE',
  action: 'buy',
  contracts: '0.1',
  market_position: 'long',
  market_position_size: '0.1',
  price: '50000',
  time: `${new Date().toISOString()} ${randomUUID()}`,
  ...more,
});
const plain = (more: Record<string, unknown>) => ({ ticker: 'BTCUSDT', note: randomUUID(), ...more });

/** As TradingView sends a message. */
const replaced = (message: string) =>
  Object.entries({
    '{{ticker}}': 'BTCUSDT',
    '{{strategy.order.action}}': 'buy',
    '{{strategy.order.contracts}}': '0.01',
    '{{strategy.market_position}}': 'long',
    '{{strategy.market_position_size}}': '0.01',
    '{{close}}': '50000',
    '{{timenow}}': '2026-11-28T09:30:00Z',
  }).reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), message);

test('A119: the messages of the page are signals once their placeholders are replaced, and the examples as they are', async () => {
  const hooked = await hookedTrader(server);
  for (const message of [...Object.values(alertMessages).map(replaced), ...Object.values(signalExamples)]) {
    expect(message).not.toContain('{{');
    expect(await previewOf(hooked, message)).toMatchObject({ status: 'ready', order: { size: 0.01 } });
  }
  expect(await previewOf(hooked, alertMessages.strategy)).toMatchObject({
    status: 'unreadable',
    message: expect.stringContaining('not replaced'),
  });
});

describe('in an account of the standard rules', () => {
  test('A119: a buy opens under the id of the signal, at leverage 1, and an exit closes it', async () => {
    const hooked = await hookedTrader(server);
    const opened = await deliver(server, hooked, alertOf({}));
    expect(opened).toMatchObject({
      ...{ outcome: 'done', summary: 'Buy 0.1 BTCUSDT at the market, 1x', detail: null },
      hook_id: hooked.hookId,
    });
    const [position] = await positionsOf(hooked);
    expect(position).toMatchObject({ symbol: 'BTCUSDT', side: 'BUY', size: 0.1, leverage: 1 });
    expect(opened.position_ids).toEqual([position?.id]);
    // The id of the signal is that of its command.
    const { rows } = await server.db.query('select procedure from app.commands where client_id = $1', [
      opened.id,
    ]);
    expect(rows).toEqual([{ procedure: 'open_position' }]);

    const closed = await deliver(server, hooked, alertOf({ action: 'sell', market_position: 'flat' }));
    expect(closed).toMatchObject({ outcome: 'done', position_ids: [position?.id], summary: 'Close BTCUSDT' });
    expect(await positionsOf(hooked)).toEqual([]);
    const again = await deliver(server, hooked, plain({ action: 'exit' }));
    expect(again).toMatchObject({
      ...{ outcome: 'refused', summary: 'Close BTCUSDT' },
      detail: 'There is no open position in BTCUSDT to close.',
    });
  });

  test('A119: an exit closes every position of the symbol, one of a side that side, one with a quantity so much', async () => {
    const hooked = await hookedTrader(server);
    for (const [action, quantity] of [
      ['buy', 0.01],
      ['buy', '0.02'],
      ['sell', 0.03],
    ] as const) {
      await deliver(server, hooked, plain({ action, quantity }));
    }
    await deliver(server, hooked, plain({ ticker: 'NASDAQ:AAPL', action: 'buy', quantity: 1 }));
    const sizes = async () => (await positionsOf(hooked)).map(({ side, size }) => [side, size]);
    // The oldest whole, then a part of the next one.
    const partial = await deliver(server, hooked, plain({ action: 'exit_long', quantity: '0.015' }));
    expect(partial).toMatchObject({ outcome: 'done', summary: 'Close 0.015 long BTCUSDT' });
    expect(partial.position_ids).toHaveLength(2);
    expect(await sizes()).toEqual([
      ['BUY', 0.015],
      ['SELL', 0.03],
      ['BUY', 1],
    ]);
    expect(await deliver(server, hooked, plain({ action: 'exit' }))).toMatchObject({ outcome: 'done' });
    expect(await sizes()).toEqual([['BUY', 1]]);
  });

  test('A119: a stated market position closes the other side first, and a plain buy leaves it', async () => {
    const hooked = await hookedTrader(server);
    await deliver(server, hooked, alertOf({}));
    // The contracts of a reversal contain what it closes.
    const reversed = await deliver(
      server,
      hooked,
      alertOf({
        action: 'sell',
        contracts: '0.3',
        market_position: 'short',
        market_position_size: undefined,
      }),
    );
    expect(reversed).toMatchObject({
      outcome: 'done',
      summary: 'Close long BTCUSDT, then sell 0.2 BTCUSDT at the market, 1x',
    });
    expect(await positionsOf(hooked)).toMatchObject([{ side: 'SELL', size: 0.2 }]);
    // The strategy stays short: a buy makes it smaller.
    await deliver(server, hooked, alertOf({ action: 'buy', contracts: '0.05', market_position: 'short' }));
    expect(await positionsOf(hooked)).toMatchObject([{ side: 'SELL', size: 0.15 }]);
    await deliver(server, hooked, plain({ action: 'buy', quantity: '0.05' }));
    expect(await positionsOf(hooked)).toMatchObject([
      { side: 'SELL', size: 0.15 },
      { side: 'BUY', size: 0.05 },
    ]);
  });

  test('A119: limit price, leverage, protection, an amount of money; a cancel ends what waits', async () => {
    const hooked = await hookedTrader(server);
    const placed = await deliver(
      server,
      hooked,
      plain({
        ...{ action: 'buy', orderType: 'limit', limitPrice: '40000', leverage: 10 },
        ...{ quantity: 1000, quantityType: 'dollar_amount' },
        ...{ takeProfit: { limitPrice: 45_000 }, stopLoss: { stopPrice: '39000' } },
      }),
    );
    expect(placed).toMatchObject({ outcome: 'done', position_ids: [], order_ids: [expect.any(String)] });
    const { data: orders } = await hooked.client
      .from('orders')
      .select('client_id, status, type, price, size, leverage, take_profit_price, stop_loss_price')
      .throwOnError();
    expect(orders).toEqual([
      {
        client_id: placed.id,
        ...{ status: 'NEW', type: 'LIMIT', price: 40_000, size: 0.025, leverage: 10 },
        ...{ take_profit_price: 45_000, stop_loss_price: 39_000 },
      },
    ]);
    const canceled = await deliver(server, hooked, plain({ action: 'cancel' }));
    expect(canceled).toMatchObject({ outcome: 'done', order_ids: placed.order_ids });
    expect((await hooked.client.from('orders').select('status').throwOnError()).data).toEqual([
      { status: 'CANCELED' },
    ]);
  });

  test.each([
    ['BINANCE:BTCUSDT', 'BTCUSDT', 0.01],
    ['BTCUSDT.P', 'BTCUSDT', 0.01],
    ['FX:EURUSD', 'EUR/USD', 100],
    ['NASDAQ:AAPL', 'AAPL', 1],
  ])('A119: the ticker %s trades %s', async (ticker, symbol, quantity) => {
    const hooked = await hookedTrader(server);
    const done = await deliver(server, hooked, { ticker, action: 'buy', quantity });
    expect(done).toMatchObject({ outcome: 'done' });
    expect(await positionsOf(hooked)).toMatchObject([{ symbol, size: quantity }]);
  });

  test('A119: a refusal has the text of the order’s own', async () => {
    const hooked = await hookedTrader(server);
    const refused = async (more: Record<string, unknown>) =>
      (await deliver(server, hooked, plain({ action: 'buy', quantity: 1, ...more }))).detail;
    expect(await refused({ ticker: 'NOSUCH' })).toBe(texts.unknownSymbol('NOSUCH'));
    expect(await refused({ quantity: 1000 })).toMatch(/^Insufficient available balance/);
    expect(await refused({ leverage: 1000 })).toMatch(/everage/);
    expect(await refused({ quantity: 0.000001 })).toMatch(/^Amount must be between/);
    expect(await positionsOf(hooked)).toEqual([]);
  });
});

describe('in an account with net positions', () => {
  test('A113, A119: a buy and a sell are orders: they open, reduce and turn over; an exit closes', async () => {
    const hooked = await hookedNetTrader(server);
    await hooked.client.rpc('set_leverage', { p_symbol: 'BTCUSDT', p_leverage: 7 }).throwOnError();
    const held = async () =>
      (await positionsOf(hooked)).map(({ side, size, leverage }) => [side, size, leverage]);
    expect(await deliver(server, hooked, alertOf({ contracts: '0.3' }))).toMatchObject({
      outcome: 'done',
      summary: 'Buy 0.3 BTCUSDT at the market, 7x',
    });
    expect(await held()).toEqual([['BUY', 0.3, 7]]);
    // The strategy stays long.
    await deliver(server, hooked, alertOf({ action: 'sell', contracts: '0.1' }));
    expect(await held()).toEqual([['BUY', 0.2, 7]]);
    await deliver(server, hooked, alertOf({ action: 'sell', contracts: '0.5', market_position: 'short' }));
    expect(await held()).toEqual([['SELL', 0.3, 7]]);
    await deliver(server, hooked, plain({ action: 'buy', quantity: '0.1' }));
    expect(await held()).toEqual([['SELL', 0.2, 7]]);
    expect(await deliver(server, hooked, plain({ action: 'exit' }))).toMatchObject({ outcome: 'done' });
    expect(await held()).toEqual([]);
    // It would open a long position for a strategy that is short.
    const alone = await deliver(server, hooked, alertOf({ contracts: '0.1', market_position: 'short' }));
    expect(alone).toMatchObject({ outcome: 'refused', detail: texts.nothingToReduce('BTCUSDT') });
    expect(await held()).toEqual([]);
  });

  test('A113, A119: without a leverage of the symbol it is 20, or what the account allows', async () => {
    const usual = await hookedNetTrader(server);
    const capped = await hookedNetTrader(server, { p_leverage_max: 5 });
    for (const hooked of [usual, capped]) {
      await deliver(server, hooked, plain({ action: 'buy', quantity: 0.01 }));
    }
    expect(await positionsOf(usual)).toMatchObject([{ leverage: 20 }]);
    expect(await positionsOf(capped)).toMatchObject([{ leverage: 5 }]);
  });
});

describe('at the address', () => {
  test('A119: the same body within a minute is one signal, by another address or with another body it is another', async () => {
    const hooked = await hookedTrader(server);
    const other = await makeHook(hooked.client, hooked.accountId);
    const body = alertOf({ contracts: '0.01' });
    const answers = await Promise.all([1, 2, 3].map(() => send(server.url, hooked.path, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.body.repeated === false)).toHaveLength(1);
    await outcomeOf(hooked, answers[0]?.body.id ?? '');
    const late = await send(server.url, hooked.path, body);
    expect(late.body).toEqual({ id: answers[0]?.body.id, repeated: true });
    expect(await positionsOf(hooked)).toHaveLength(1);
    await deliver(server, other, body);
    expect(await positionsOf(hooked)).toHaveLength(2);
  });

  test('A119: an unknown, a malformed and a revoked secret answer alike', async () => {
    const hooked = await hookedTrader(server);
    const body = alertOf({});
    const unknown = await send(server.url, `/hooks/${'A'.repeat(43)}`, body);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await hooked.client.rpc('revoke_signal_hook', { p_hook_id: hooked.hookId }).throwOnError();
    // A repeat changes nothing.
    await hooked.client.rpc('revoke_signal_hook', { p_hook_id: hooked.hookId }).throwOnError();
    for (const path of [hooked.path, '/hooks/x', `/hooks/${'%00'.repeat(14)}`]) {
      const answer = await send(server.url, path, body);
      expect([path, answer.status, answer.body]).toEqual([path, 404, unknown.body]);
    }
    expect(await signalsOf(hooked)).toEqual([]);
    expect((await fetch(`${server.url}${hooked.path}`, { headers: { accept: 'text/html' } })).status).toBe(
      404,
    );
  });

  test('A119: a body that cannot be read answers 400 with what to do, a large one 413', async () => {
    const hooked = await hookedTrader(server);
    const text = await send(server.url, hooked.path, 'BTCUSDT crossed 50000');
    expect(text).toMatchObject({ status: 400, body: { code: 'invalid_argument' } });
    expect(text.body.message).toMatch(/not JSON/);
    const empty = await send(server.url, hooked.path, '');
    expect(empty.status).toBe(400);
    const nul = await send(server.url, hooked.path, '\0\ud800');
    expect(nul.status).toBe(400);
    const large = await send(server.url, hooked.path, alertOf({ comment: 'x'.repeat(signalBodyMax) }));
    expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect((await signalsOf(hooked)).map(({ outcome, body }) => [outcome, body])).toEqual([
      ['unreadable', '\uFFFD\uFFFD'],
      ['unreadable', ''],
      ['unreadable', 'BTCUSDT crossed 50000'],
    ]);
  });

  test('A119: JSON is read as plain text, as a form and without a type', async () => {
    const hooked = await hookedTrader(server);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
      const body = JSON.stringify(plain({ action: 'buy', quantity: 0.01 }));
      const answer = await send(server.url, hooked.path, body, type);
      expect([type, answer.status]).toEqual([type, 200]);
      expect(await outcomeOf(hooked, answer.body.id ?? '')).toMatchObject({ outcome: 'done', body });
    }
  });

  test('A119: an address takes 30 signals at once and then one a second', async () => {
    const hooked = await hookedTrader(server);
    const statuses: number[] = [];
    let retryAfter: string | null = null;
    for (let n = 0; n < 40; n += 1) {
      const answer = await send(server.url, hooked.path, { n });
      statuses.push(answer.status);
      retryAfter ??= answer.headers.get('retry-after');
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(400));
    expect(statuses).toContain(429);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  });
});

describe('whose account it is', () => {
  test('A72, A119: a restricted account opens nothing; an archived one does nothing; a deleted one has no address', async () => {
    const restricted = await hookedTrader(server);
    await deliver(server, restricted, plain({ action: 'buy', quantity: 0.01 }));
    await server.db.query('update app.users set restricted_at = now() where id = $1', [restricted.accountId]);
    server.server.trading.reload([restricted.accountId]);
    expect(await deliver(server, restricted, plain({ action: 'buy', quantity: 0.01 }))).toMatchObject({
      outcome: 'refused',
      detail: texts.accountRestricted,
    });

    const { client, userId } = await server.signUpTrader();
    const { data } = await client.rpc('create_account', { p_name: 'Bots' }).throwOnError();
    const archived = await makeHook(client, data.id);
    await client.rpc('archive_account', { p_account_id: data.id }).throwOnError();
    expect(await deliver(server, archived, plain({ action: 'buy', quantity: 0.01 }))).toMatchObject({
      outcome: 'refused',
      detail: texts.accountArchived,
    });
    const refused = await client.rpc('create_signal_hook', { p_account_id: data.id, p_name: 'More' });
    expect(refused.error?.code).toBe('account_archived');

    const main = await makeHook(client, userId);
    await server.db.query(`update app.users set role = 'support' where id = $1`, [userId]);
    const exit = () => send(server.url, main.path, plain({ action: 'exit' }));
    expect((await exit()).status).toBe(404);
    // For good: a trader again makes a new one.
    await server.db.query(`update app.users set role = 'trader' where id = $1`, [userId]);
    expect((await exit()).status).toBe(404);

    const admin = await server.server.accounts.createUser(server.db, {
      ...{ email: 'ada@example.test', username: 'ada', password: 'correct-horse-battery-9' },
      ...{ role: 'admin', managerId: null, initialBalance: null },
    });
    const staff = server.client();
    await staff.auth.signInWithPassword({ email: 'ada@example.test', password: 'correct-horse-battery-9' });
    expect(admin.role).toBe('admin');
    await staff
      .rpc('delete_user_with_data', { p_user_id: restricted.accountId, p_reason: 'test' })
      .throwOnError();
    expect((await send(server.url, restricted.path, plain({ action: 'exit' }))).status).toBe(404);
    const { rows } = await server.db.query('select id from app.signals where account_id = $1', [
      restricted.accountId,
    ]);
    expect(rows).toEqual([]);
  });

  test('A119: three addresses an account; making and revoking are audited, and no row has the secret', async () => {
    const { client, userId } = await server.signUpTrader();
    const hooks = [];
    for (const _ of [1, 2, 3]) hooks.push(await makeHook(client, userId));
    const fourth = () => client.rpc('create_signal_hook', { p_account_id: userId, p_name: 'Four' });
    expect((await fourth()).error).toMatchObject({ code: 'conflict', message: expect.stringContaining('3') });
    const secrets = hooks.map(({ path }) => path.split('/').at(-1) ?? '');
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true);
    const { data: listed } = await client.rpc('list_signal_hooks').throwOnError();
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(hooks.map(({ hookId }) => hookId));
    expect(JSON.stringify(listed)).not.toContain(secrets[0]);

    await client.rpc('revoke_signal_hook', { p_hook_id: hooks[0]?.hookId }).throwOnError();
    expect((await fourth()).error).toBeNull();
    const { rows } = await server.db.query(
      `select action, actor_id, object_id from app.audit_log where subject_id = $1 and action like 'signal_hook.%' order by id`,
      [userId],
    );
    expect(rows.slice(0, 4)).toEqual([
      ...hooks.map(({ hookId }) => ({
        ...{ action: 'signal_hook.create', actor_id: userId, object_id: hookId },
      })),
      { action: 'signal_hook.revoke', actor_id: userId, object_id: hooks[0]?.hookId },
    ]);
    const { rows: stored } = await server.db.query(
      `select (select json_agg(h) from app.signal_hooks h)::text || (select json_agg(l) from app.audit_log l)::text as all`,
    );
    for (const secret of secrets) expect(String(stored[0]?.all)).not.toContain(secret);
  });

  test('A119: a user makes at most 30 addresses a day, however many of them are revoked', async () => {
    const { client, userId } = await server.signUpTrader();
    for (let made = 0; made < 30; made += 1) {
      const { hookId } = await makeHook(client, userId);
      await client.rpc('revoke_signal_hook', { p_hook_id: hookId }).throwOnError();
    }
    const { error, status } = await client.rpc('create_signal_hook', {
      p_account_id: userId,
      p_name: 'More',
    });
    expect([status, error?.code]).toEqual([429, 'too_many_attempts']);
  });

  test.each([
    ['', 'Give the address a name.'],
    ['x'.repeat(41), 'A name has at most 40 characters.'],
    ['a\u200bb', 'The name must not contain invisible characters.'],
  ])('the name "%s" is refused', async (name, message) => {
    const { client, userId } = await server.signUpTrader();
    const { error } = await client.rpc('create_signal_hook', { p_account_id: userId, p_name: name });
    expect(error?.message).toBe(message);
  });
});

describe('what has no outcome when its address ends', () => {
  const steps = async (hooked: Hooked) => {
    const { data: orders } = await hooked.client
      .from('orders')
      .select('id')
      .order('created_at')
      .throwOnError();
    return orders.map(({ id }) => ({ kind: 'cancel', orderId: id }));
  };
  const waitWithTwo = async (hooked: Hooked) => {
    for (const quantity of [0.01, 0.02]) {
      await deliver(
        server,
        hooked,
        plain({ action: 'buy', quantity, orderType: 'limit', limitPrice: 40_000 }),
      );
    }
  };
  const cancelFirst = (hooked: Hooked, [first]: readonly { orderId: string }[]) =>
    hooked.client.from('orders').update({ status: 'CANCELED' }).eq('id', first?.orderId).throwOnError();
  const revoke = ({ client, hookId }: Hooked) =>
    client.rpc('revoke_signal_hook', { p_hook_id: hookId }).throwOnError();

  test('A119: it is refused, planned or not', async () => {
    const hooked = await hookedTrader(server);
    await waitWithTwo(hooked);
    const cancels = await steps(hooked);
    await cancelFirst(hooked, cancels);
    await revoke(hooked);
    const body = JSON.stringify(plain({ action: 'buy', quantity: 0.01 }));
    const unplanned = await storePending(server.db, hooked, body);
    const begun = await storePending(server.db, hooked, body, { steps: cancels });
    expect(await outcomeOf(hooked, unplanned)).toMatchObject({
      ...{ outcome: 'refused', detail: 'The address was revoked.', position_ids: [] },
    });
    expect(await outcomeOf(hooked, begun)).toMatchObject({
      ...{ outcome: 'refused', order_ids: [cancels[0]?.orderId] },
      detail: '1 of 2 steps were executed. The address was revoked.',
    });
    expect(await positionsOf(hooked)).toEqual([]);
  });

  test('A119: a late one whose cancels were executed is done', async () => {
    const hooked = await hookedTrader(server);
    await waitWithTwo(hooked);
    const cancels = await steps(hooked);
    await cancelFirst(hooked, cancels);
    const late = (some: readonly unknown[]) =>
      storePending(server.db, hooked, '{}', { steps: some, ageMs: 61_000 });
    expect(await outcomeOf(hooked, await late(cancels.slice(0, 1)))).toMatchObject({
      ...{ outcome: 'done', detail: null, order_ids: [cancels[0]?.orderId] },
    });
    expect(await outcomeOf(hooked, await late(cancels))).toMatchObject({
      ...{ outcome: 'too_late', order_ids: [cancels[0]?.orderId] },
      detail: '1 of 2 steps were executed. It could not be executed within 60 seconds.',
    });
  });

  test('A119: the addresses of a demo account end with the demo, with what waits there', async () => {
    const demo = await startTestServer({ config: { demo: true } });
    demo.feed.setPrice('BTCUSDT', '50000');
    try {
      const client = demo.client();
      const credentials = { email: 'trader@fulcrum.local', password: 'fulcrum-demo' };
      const { data, error } = await client.auth.signInWithPassword(credentials);
      if (error) throw error;
      const published = await makeHook(client, data.user.id);
      const own = await hookedTrader(demo);
      const statuses = async () => [
        (await send(demo.url, published.path, plain({ action: 'cancel' }))).status,
        (await send(demo.url, own.path, plain({ action: 'cancel' }))).status,
      ];
      expect(await statuses()).toEqual([200, 200]);
      await demo.restart();
      expect(await statuses()).toEqual([200, 200]);
      await demo.server.close();
      const body = JSON.stringify(plain({ action: 'buy', quantity: 0.01 }));
      const waiting = await withDatabase(demo.databaseUrl, (db) => storePending(db, published, body));
      await demo.restart({ demo: false });
      expect(await statuses()).toEqual([404, 200]);
      const finished = async () =>
        (await demo.db.query('select outcome, detail from app.signals where id = $1', [waiting])).rows[0];
      await expect
        .poll(finished, { timeout: 20_000 })
        .toEqual({ outcome: 'refused', detail: 'The address was revoked.' });
    } finally {
      await demo.close();
    }
  });
});

describe('the dry run', () => {
  test('A119: states what would be done and changes nothing', async () => {
    const hooked = await hookedTrader(server);
    const ready = await previewOf(hooked, alertOf({ leverage: 2, stopLoss: 49_000 }));
    expect(ready).toMatchObject({
      ...{ status: 'ready', message: null, action: 'buy', symbol: 'BTCUSDT', closes: [], cancels: [] },
      order: { type: 'MARKET', side: 'BUY', size: 0.1, price: null, leverage: 2, stop_loss_price: 49_000 },
    });
    expect(await previewOf(hooked, alertOf({ contracts: 5 }))).toMatchObject({
      status: 'refused',
      message: expect.stringMatching(/^Insufficient available balance/),
    });
    expect(await previewOf(hooked, plain({ action: 'exit' }))).toMatchObject({
      ...{ status: 'refused', action: 'exit', symbol: 'BTCUSDT' },
      message: 'There is no open position in BTCUSDT to close.',
    });
    expect(await previewOf(hooked, 'buy')).toMatchObject({ status: 'unreadable', action: null });
    expect(await positionsOf(hooked)).toEqual([]);
    expect(await signalsOf(hooked)).toEqual([]);

    await deliver(server, hooked, plain({ action: 'buy', quantity: 0.01 }));
    const [position] = await positionsOf(hooked);
    // What it closes first pays for what it opens.
    const reversal = await previewOf(
      hooked,
      alertOf({ action: 'sell', market_position: 'short', market_position_size: '0.19' }),
    );
    expect(reversal).toMatchObject({
      status: 'ready',
      closes: [{ position_id: position?.id, size: null }],
      order: { side: 'SELL', size: 0.19 },
    });
    expect(await positionsOf(hooked)).toEqual([position]);
  });

  test('A113, A119: of an account with net positions and a latency', async () => {
    const hooked = await hookedNetTrader(server, { p_fill_profile: 'retail' });
    expect(await previewOf(hooked, alertOf({}))).toMatchObject({
      status: 'ready',
      order: { leverage: 20, reduce_only: false },
    });
    expect(await previewOf(hooked, alertOf({ market_position: 'short' }))).toMatchObject({
      ...{ status: 'refused', message: texts.nothingToReduce('BTCUSDT') },
      order: { reduce_only: true },
    });
    const done = await deliver(server, hooked, alertOf({}));
    const [position] = await positionsOf(hooked);
    expect(position).toMatchObject({ side: 'BUY', size: 0.1 });
    expect(done).toMatchObject({ outcome: 'done', position_ids: [position?.id] });
  });
});

test('A119: an account retains its last 1,000 signals, and none for more than 30 days', async () => {
  const hooked = await hookedTrader(server);
  const insert = (count: number, ageMs: number) =>
    server.db.query(
      `insert into app.signals (id, hook_id, account_id, received_at, body, body_hash, outcome, finished_at)
       select gen_random_uuid(), $1, $2, $3, '', sha256('x'), 'refused', now() from generate_series(1, $4)`,
      [hooked.hookId, hooked.accountId, new Date(Date.now() - ageMs), count],
    );
  await insert(5, 31 * dayMs);
  await insert(1_100, dayMs);
  const count = async () =>
    (
      await server.db.query('select count(*)::int as n from app.signals where account_id = $1', [
        hooked.accountId,
      ])
    ).rows[0]?.n;
  await deleteExpired(server.db, Date.now());
  expect(await count()).toBe(1_100);
  await deleteBeyondLimit(server.db, hooked.accountId);
  expect(await count()).toBe(1_000);
  expect(await signalsOf(hooked)).toHaveLength(100);
  // A body that cannot be read counts as well.
  await send(server.url, hooked.path, 'x');
  expect(await count()).toBe(1_000);
});
