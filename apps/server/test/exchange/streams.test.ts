/** Sockets of `/fapi`: market streams, the events of an account, requests over a socket. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Bot, type Door, startDoor } from './door.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages are compared with literals
type Message = any;

let door: Door;
const sockets = new Set<WebSocket>();
let nextId = 1_000;

beforeAll(async () => {
  door = await startDoor();
  door.feed.setPrice('BTCUSDT', 60_000);
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await door.close();
});

const alphabetical = ([one]: [string, string], [two]: [string, string]) => (one < two ? -1 : 1);

/** A socket and what it has received. */
async function listen(path: string) {
  const socket = new WebSocket(`${door.server.url.replace(/^http/, 'ws')}${path}`);
  sockets.add(socket);
  const messages: Message[] = [];
  socket.on('message', (bytes) => messages.push(JSON.parse(String(bytes))));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const next = async (matches: (message: Message) => boolean): Promise<Message> => {
    for (let waited = 0; waited < 5_000; waited += 20) {
      const found = messages.find(matches);
      if (found) return found;
      await sleep(20);
    }
    throw new Error(`no such message among ${JSON.stringify(messages)}`);
  };
  const ask = async (message: object): Promise<Message> => {
    const id = nextId++;
    socket.send(JSON.stringify({ id, ...message }));
    return next((answer) => answer.id === id);
  };
  return { socket, messages, next, ask, close: () => socket.terminate() };
}

describe('market streams', () => {
  test('the changes of a book are a chain that leads from one snapshot to the next', async () => {
    const stream = await listen('/public/ws/btcusdt@depth@100ms');
    await sleep(300);
    const first = (await door.send(null, 'GET', '/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 1000 })).body;
    for (const price of [60_010, 60_020, 60_030]) {
      door.feed.setPrice('BTCUSDT', price);
      await sleep(250);
    }
    const last = (await door.send(null, 'GET', '/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 1000 })).body;
    await stream.next(({ u }) => u >= last.lastUpdateId);
    const updates = stream.messages.filter(({ u }) => u > first.lastUpdateId);
    expect(updates.length).toBeGreaterThanOrEqual(3);
    expect(updates[0]).toMatchObject({ e: 'depthUpdate', s: 'BTCUSDT', pu: first.lastUpdateId });
    expect(updates.slice(1).map(({ pu }) => pu)).toEqual(updates.slice(0, -1).map(({ u }) => u));
    const apply = (levels: [string, string][], side: 'b' | 'a') => {
      const book = new Map(levels);
      for (const update of updates)
        for (const [price, size] of update[side]) {
          if (size === '0') book.delete(price);
          else book.set(price, size);
        }
      return Object.fromEntries([...book].sort(alphabetical));
    };
    expect(apply(first.bids, 'b')).toEqual(
      Object.fromEntries([...new Map<string, string>(last.bids)].sort(alphabetical)),
    );
    expect(apply(first.asks, 'a')).toEqual(
      Object.fromEntries([...new Map<string, string>(last.asks)].sort(alphabetical)),
    );
    stream.close();
  });

  test('the chain of a book begins at the latest at the snapshot that its first subscriber reads', async () => {
    for (const price of [3_000, 3_001, 3_002, 3_003]) {
      door.feed.setPrice('ETHUSDT', price);
      const stream = await listen('/public/ws/ethusdt@depth@100ms');
      const { body } = await door.send(null, 'GET', '/fapi/v1/depth', { symbol: 'ETHUSDT', limit: 1000 });
      door.feed.setPrice('ETHUSDT', price + 10);
      const { U, u } = await stream.next(({ u: last }) => last >= body.lastUpdateId);
      expect([U <= body.lastUpdateId, u >= body.lastUpdateId]).toEqual([true, true]);
      stream.close();
      // The source ends with its only socket.
      await sleep(50);
    }
  });

  test('a combined stream names the stream of each message; prices are those of REST', async () => {
    const stream = await listen('/stream?streams=btcusdt@bookTicker/btcusdt@miniTicker/btcusdt@markPrice@1s');
    door.feed.setPrice('BTCUSDT', 61_000);
    const best = (await door.send(null, 'GET', '/fapi/v1/ticker/bookTicker', { symbol: 'BTCUSDT' })).body;
    const { data } = await stream.next(
      ({ stream: name, data: { b } }) => name === 'btcusdt@bookTicker' && b === best.bidPrice,
    );
    expect(data).toMatchObject({ e: 'bookTicker', s: 'BTCUSDT', a: best.askPrice, A: best.askQty });
    await stream.next(
      ({ stream: name, data: { c } }) => name === 'btcusdt@miniTicker' && Number(c) === 61_000,
    );
    await stream.next(({ data: { e, p } }) => e === 'markPriceUpdate' && Number(p) === 61_000);
    stream.close();
  });

  test('trades and candles follow the price', async () => {
    const stream = await listen('/market/stream');
    const names = ['btcusdt@trade', 'btcusdt@aggTrade', 'btcusdt@kline_1m'];
    expect(await stream.ask({ method: 'SUBSCRIBE', params: names })).toMatchObject({ result: null });
    expect((await stream.ask({ method: 'LIST_SUBSCRIPTIONS' })).result).toEqual(names);
    await sleep(300);
    const opened = Math.floor(Date.now() / 60_000) * 60_000;
    const bar = (at: number, close: number) => ({
      ...{ open_time: new Date(at).toISOString(), open: 61_000, high: 61_500, low: 60_900, close },
      ...{ volume: 2, quote_volume: 122_000, gap: false },
    });
    door.feed.setCandles('BTCUSDT', [bar(opened - 60_000, 61_000), bar(opened, 61_200)]);
    await stream.next(({ data }) => data?.e === 'kline' && Number(data.k.c) === 61_200);
    door.feed.setCandles('BTCUSDT', [bar(opened, 61_300), bar(opened + 60_000, 61_500)]);
    const closed = await stream.next(({ data }) => data?.e === 'kline' && data.k.x);
    expect(closed.data.k).toMatchObject({ t: opened, T: opened + 59_999, c: '61300.00', v: '2.00000' });
    door.feed.setPrice('BTCUSDT', 61_500);
    const trade = await stream.next(({ data }) => data?.e === 'trade' && Number(data.p) > 61_400);
    const { body } = await door.send(null, 'GET', '/fapi/v1/trades', { symbol: 'BTCUSDT', limit: 50 });
    expect(body.at(-1)).toMatchObject({ id: trade.data.t, price: trade.data.p, qty: trade.data.q });
    await stream.next(({ data }) => data?.e === 'aggTrade' && data.p === trade.data.p);
    const kline = await stream.next(({ data }) => data?.e === 'kline' && Number(data.k.c) === 61_500);
    expect(kline.data.k).toMatchObject({ i: '1m', s: 'BTCUSDT', x: false });
    expect(await stream.ask({ method: 'UNSUBSCRIBE', params: names })).toMatchObject({ result: null });
    const { length } = stream.messages;
    door.feed.setPrice('BTCUSDT', 61_600);
    await sleep(600);
    expect(stream.messages).toHaveLength(length);
    stream.close();
  });

  test('what is not offered is refused in words, and nothing that a client sends ends the server', async () => {
    const stream = await listen('/ws');
    expect(await stream.ask({ method: 'SUBSCRIBE', params: ['nosuchusdt@trade'] })).toMatchObject({
      error: { code: 2, msg: 'Invalid request: unknown stream nosuchusdt@trade' },
    });
    stream.socket.send('{');
    stream.socket.send(JSON.stringify({ method: 'DESTROY', id: 1 }));
    await stream.next(({ error }) => error?.code === 3);
    expect(await stream.ask({ method: 'LIST_SUBSCRIPTIONS' })).toMatchObject({ result: [] });
    stream.close();
    const plain = await fetch(`${door.server.url}/ws/btcusdt@trade`);
    expect([plain.status, await plain.json()]).toEqual([426, { code: -5000, msg: 'Use a WebSocket.' }]);
  });

  test('a snapshot between two messages leads on to the next one; a name has one source in any spelling', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const stream = await listen('/ws/BTCUSDT@depth@500ms/btcusdt@depth@500ms');
    expect((await stream.ask({ method: 'LIST_SUBSCRIPTIONS' })).result).toEqual(['btcusdt@depth@500ms']);
    const read = async () =>
      (await door.send(null, 'GET', '/fapi/v1/depth', { symbol: 'BTCUSDT', limit: 1000 })).body;
    await sleep(600);
    door.feed.setPrice('BTCUSDT', 60_500);
    const between = await read();
    door.feed.setPrice('BTCUSDT', 60_200);
    const last = await read();
    await stream.next(({ u }) => u >= last.lastUpdateId);
    const book = new Map<string, string>(between.bids);
    for (const { b, u } of stream.messages)
      if (u >= between.lastUpdateId)
        for (const [price, size] of b) {
          if (size === '0') book.delete(price);
          else book.set(price, size);
        }
    expect(Object.fromEntries([...book].sort(alphabetical))).toEqual(
      Object.fromEntries([...new Map<string, string>(last.bids)].sort(alphabetical)),
    );
    stream.close();
  });

  test('binary messages count like text', async () => {
    const stream = await listen('/ws');
    const closed = new Promise((resolve) => stream.socket.once('close', resolve));
    for (let sent = 0; sent < 400; sent += 1) stream.socket.send(Buffer.from([1]));
    await closed;
  });

  test('a client that floods is disconnected', async () => {
    const stream = await listen('/ws');
    const closed = new Promise((resolve) => stream.socket.once('close', resolve));
    for (let sent = 0; sent < 400; sent += 1) stream.socket.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    await closed;
  });
});

describe('the events of an account', () => {
  const events = (messages: Message[]) =>
    messages.map((message) =>
      message.o ? [message.e, message.o.x, message.o.X] : [message.e, message.a?.m],
    );

  async function start(bot: Bot) {
    const { listenKey } = (await door.send(bot.key, 'POST', '/fapi/v1/listenKey')).body;
    return { listenKey, stream: await listen(`/private/ws?listenKey=${listenKey}`) };
  }

  test('are reported in order: new, filled, the account; and the app’s own orders too', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const bot = await door.join();
    const { stream } = await start(bot);
    await sleep(300);
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.5 };
    const placed = (
      await bot.post('v1/order', { ...order, newClientOrderId: 'first', newOrderRespType: 'RESULT' })
    ).body;
    const account = await stream.next(({ e }) => e === 'ACCOUNT_UPDATE');
    expect(events(stream.messages)).toEqual([
      ['ORDER_TRADE_UPDATE', 'NEW', 'NEW'],
      ['ORDER_TRADE_UPDATE', 'TRADE', 'FILLED'],
      ['ACCOUNT_UPDATE', 'ORDER'],
    ]);
    expect(stream.messages[1].o).toMatchObject({
      ...{
        i: placed.orderId,
        c: 'first',
        l: '0.5',
        z: '0.5',
        ap: placed.avgPrice,
        L: placed.avgPrice,
        ps: 'BOTH',
      },
    });
    const [trade] = (await bot.get('v1/userTrades', { symbol: 'BTCUSDT' })).body;
    expect(stream.messages[1].o).toMatchObject({ t: trade.id, n: trade.commission, rp: trade.realizedPnl });
    const [row] = (await bot.get('v3/positionRisk')).body;
    expect(account.a.P).toEqual([expect.objectContaining({ s: 'BTCUSDT', pa: '0.5', ep: row.entryPrice })]);

    // A limit order of the app, amended and canceled there.
    stream.messages.length = 0;
    const { data } = await bot.client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', size: 0.1, leverage: 20, price: 50_000 })
      .select('id')
      .single()
      .throwOnError();
    await stream.next(({ o }) => o?.x === 'NEW');
    await bot.client.rpc('amend_order', { p_order_id: data.id, p_price: 50_100 }).throwOnError();
    await stream.next(({ o }) => o?.x === 'AMENDMENT' && o.p === '50100');
    await bot.client.from('orders').update({ status: 'CANCELED' }).eq('id', data.id).throwOnError();
    await stream.next(({ o }) => o?.x === 'CANCELED');
    expect(events(stream.messages).filter(([e]) => e === 'ACCOUNT_UPDATE')).toEqual([]);
    stream.close();
  });

  test('conditional orders go from new over triggered to finished, with the order that they became', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const bot = await door.join();
    await bot.post('v1/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 1 });
    const { stream } = await start(bot);
    await sleep(300);
    const stop = {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'STOP_MARKET',
      triggerPrice: 59_000,
      algoType: 'CONDITIONAL',
    };
    const { algoId } = (await bot.post('v1/algoOrder', { ...stop, quantity: 1, reduceOnly: true })).body;
    await stream.next(({ e, o }) => e === 'ALGO_UPDATE' && o.X === 'NEW' && o.aid === algoId);
    door.feed.setPrice('BTCUSDT', 58_900);
    await stream.next(({ o }) => o?.X === 'FINISHED');
    await stream.next(({ e }) => e === 'ACCOUNT_UPDATE');
    expect(events(stream.messages)).toEqual([
      ['ALGO_UPDATE', undefined, 'NEW'],
      ['ALGO_UPDATE', undefined, 'TRIGGERED'],
      ['ORDER_TRADE_UPDATE', 'NEW', 'NEW'],
      ['ORDER_TRADE_UPDATE', 'TRADE', 'FILLED'],
      ['ALGO_UPDATE', undefined, 'FINISHED'],
      ['ACCOUNT_UPDATE', 'ORDER'],
    ]);
    const triggered = stream.messages.find(({ o }) => o?.X === 'TRIGGERED');
    const filled = stream.messages.find(({ o }) => o?.x === 'TRADE');
    expect(triggered.o.ai).toBe(String(filled.o.i));
    expect(filled.o).toMatchObject({ ot: 'STOP_MARKET', o: 'MARKET', R: true });
    stream.close();
  });

  test('take profit and stop loss of a position, set in the app, are reported as algo orders', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const bot = await door.join();
    await bot.post('v1/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 1 });
    const { data } = await bot.client.from('positions').select('id').single().throwOnError();
    const { stream } = await start(bot);
    await sleep(300);
    const protect = (p_take_profit_price: number | null, p_stop_loss_price: number | null) =>
      bot.client
        .rpc('set_take_profit_stop_loss', { p_position_id: data.id, p_take_profit_price, p_stop_loss_price })
        .throwOnError();
    await protect(63_000, 59_000);
    await stream.next(({ o }) => o?.o === 'STOP_MARKET' && o.X === 'NEW' && o.tp === '59000' && o.cp);
    await stream.next(({ o }) => o?.o === 'TAKE_PROFIT_MARKET' && o.X === 'NEW' && o.tp === '63000');
    await protect(63_000, null);
    await stream.next(({ o }) => o?.o === 'STOP_MARKET' && o.X === 'CANCELED');
    door.feed.setPrice('BTCUSDT', 63_100);
    await stream.next(({ o }) => o?.o === 'TAKE_PROFIT_MARKET' && o.X === 'FINISHED');
    await stream.next(
      ({ o, e }) => e === 'ORDER_TRADE_UPDATE' && o.ot === 'TAKE_PROFIT_MARKET' && o.X === 'FILLED',
    );
    stream.close();
  });

  test('two listeners get the same; a stranger, a closed and a revoked key get nothing', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const [bot, stranger] = [await door.join(), await door.join()];
    const { listenKey, stream: one } = await start(bot);
    const two = await listen(`/ws/${listenKey}`);
    const other = (await start(stranger)).stream;
    await sleep(300);
    await bot.post('v1/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.1 });
    await one.next(({ e }) => e === 'ACCOUNT_UPDATE');
    await two.next(({ e }) => e === 'ACCOUNT_UPDATE');
    expect(two.messages).toEqual(one.messages);
    expect(other.messages).toEqual([]);

    expect((await door.send(bot.key, 'PUT', '/fapi/v1/listenKey')).body).toEqual({ listenKey });
    await door.send(bot.key, 'DELETE', '/fapi/v1/listenKey');
    await one.next(({ e }) => e === 'listenKeyExpired');
    expect((await door.send(bot.key, 'PUT', '/fapi/v1/listenKey')).body.code).toBe(-1125);
    const late = await listen(`/private/ws?listenKey=${listenKey}`);
    await late.next(({ error }) => error?.code === -1125);

    const guess = await listen('/ws');
    const answers = await Promise.all(
      ['a'.repeat(96), 'b'.repeat(96)].map((name) => guess.ask({ method: 'SUBSCRIBE', params: [name] })),
    );
    expect(answers.map(({ error }) => error.code)).toEqual([2, 2]);
    const again = await start(bot);
    expect(again.listenKey).not.toBe(listenKey);
    await sleep(300);
    await bot.main.rpc('revoke_api_key', { p_key_id: bot.key.id }).throwOnError();
    await again.stream.next(({ e }) => e === 'listenKeyExpired');
  });
});

describe('requests over a socket', () => {
  const signed = ({ key }: Bot, params: Record<string, string | number>) => {
    const all: Record<string, string | number> = { apiKey: key.apiKey, timestamp: Date.now(), ...params };
    const text = Object.keys(all)
      .toSorted((one, two) => (one < two ? -1 : 1))
      .map((name) => `${name}=${all[name]}`)
      .join('&');
    return { ...all, signature: createHmac('sha256', key.secret).update(text).digest('hex') };
  };

  test('place, ask for and cancel an order; refusals are those of HTTP', async () => {
    door.feed.setPrice('BTCUSDT', 60_000);
    const bot = await door.join();
    const socket = await listen('/ws-fapi/v1');
    expect(await socket.ask({ method: 'time' })).toMatchObject({
      status: 200,
      result: { serverTime: expect.any(Number) },
    });
    const order = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: 50_000,
      quantity: 0.1,
    };
    const placed = await socket.ask({ method: 'order.place', params: signed(bot, order) });
    expect(placed).toMatchObject({ status: 200, result: { status: 'NEW', price: '50000', origQty: '0.1' } });
    const named = { symbol: 'BTCUSDT', orderId: placed.result.orderId };
    const canceled = await socket.ask({ method: 'order.cancel', params: signed(bot, named) });
    expect(canceled).toMatchObject({ status: 200, result: { status: 'CANCELED' } });
    const refusals: [string, Record<string, unknown>, number, number][] = [
      ['order.place', { ...signed(bot, order), quantity: 0.2 }, 400, -1022],
      ['order.place', signed(bot, { ...order, timestamp: Date.now() - 60_000 }), 400, -1021],
      ['order.place', { ...signed(bot, order), apiKey: 'mine' }, 401, -2014],
      ['order.place', signed(bot, { ...order, symbol: 'NOPE' }), 400, -1121],
      ['order.fly', {}, 400, -5000],
    ];
    for (const [method, params, status, code] of refusals)
      expect(await socket.ask({ method, params })).toMatchObject({ status, error: { code } });
    expect((await bot.get('v1/openOrders')).body).toEqual([]);
    socket.close();
  });
});
