/** One market over several processes: leader, mirrors, and what they do when messages, processes or the connection are lost. */
import type { SignedIn } from '@fulcrum/contract';
import { asPrice, asSize, minuteMs, toNumber } from '@fulcrum/domain';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Frame } from '../../src/features/market/cluster/wire.ts';
import { writeLastPrices } from '../../src/features/market/store.ts';
import { withTerm } from '../../src/platform/duties/index.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualFeed } from '../harness/index.ts';
import { type ClusterProcess, openCluster } from './cluster-server.ts';

const symbol = 'BTCUSDT';
const priceAt = ({ market }: Pick<ClusterProcess, 'market'>, of = symbol) => {
  const price = market.price(of);
  return price && toNumber(price.price);
};
const isStaleAt = ({ market }: ClusterProcess) => market.isStale(symbol, Date.now());
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function openManual() {
  const cluster = await openCluster();
  const feed = createManualFeed();
  feed.setPrice(symbol, 50_000);
  const leader = await cluster.start({ feed });
  const mirror = await cluster.start({ mayLead: false });
  const admin: SignedIn = await addAdmin(cluster.db);
  return { cluster, feed, leader, mirror, admin };
}

/** How often this process has asked the leader for a fresh price. */
function countFreshened({ link }: ClusterProcess): () => number {
  const requests = vi.spyOn(link, 'request');
  return () => requests.mock.calls.filter(([subject]) => subject.endsWith('.freshen')).length;
}

/** Of one symbol, so that a start costs little. */
function feedAt(price: number) {
  const feed = createManualFeed();
  feed.setPrice(symbol, price);
  return feed;
}

async function addAdmin(db: Awaited<ReturnType<typeof openCluster>>['db']): Promise<SignedIn> {
  const [row] = await db.asOwner(
    `insert into app.users (email, username, role) values ('admin@example.com', 'admin', 'admin') returning id`,
  );
  const userId = String(row?.id);
  return {
    ...{ role: 'admin', userId, accountId: userId, actorId: userId, sessionId: userId },
    impersonationId: null,
  } as SignedIn;
}

test('simulated prices are the same at every process, in the same order', async () => {
  const cluster = await openCluster();
  const first = await cluster.start();
  const second = await cluster.start();
  const third = await cluster.start({ mayLead: false });
  const all = [first, second, third];
  expect(first.market.leads()).not.toBeNull();
  expect(second.market.leads()).toBeNull();
  third.market.followAll();
  const from = third.ticks.length;
  await eventually(() => expect(third.ticks.length - from).toBeGreaterThan(500));
  const number = third.market.priceNumber()!;
  for (const { market } of all) expect(await market.reach(number, 5_000)).toBe(true);
  const tail = (process: ClusterProcess) =>
    process.ticks.slice(-5_000).map(({ symbol: of, price, priced_at }) => `${of} ${price} ${priced_at}`);
  const seen = third.ticks
    .slice(from, from + 400)
    .map((tick) => `${tick.symbol} ${tick.price} ${tick.priced_at}`);
  for (const process of all) {
    const text = tail(process).join('\n');
    expect(text).toContain(seen.join('\n'));
  }
  expect(first.market.pairs()).toEqual(third.market.pairs());
  expect(third.market.state()).toMatchObject({ source: 'simulated', live: true });
  expect(third.market.sourceStates()).toMatchObject([{ source: 'simulated' }]);
});

test('books are modelled alike at every process', async () => {
  const cluster = await openCluster();
  const feed = feedAt(50_000);
  await cluster.start({ feed });
  for (let i = 1; i < 5; i += 1) feed.setPrice(symbol, 50_000 + i);
  const [second, third] = [await cluster.start({ mayLead: false }), await cluster.start({ mayLead: false })];
  feed.setPrice(symbol, 50_100);
  await eventually(() => {
    const now = Date.now();
    const [one, other] = [second, third].map(({ market }) => market.quotes.book(symbol, 'retail', now));
    expect(one?.quoteId).toBeDefined();
    expect(one).toEqual(other);
  });
  const book = third.market.quotes.book(symbol, 'retail', Date.now())!;
  expect(second.market.quotes.rebuild(symbol, book.quoteId)).toEqual(book);
});

test('the loss of any single frame changes nothing in the end, and nothing is applied before it is filled', async () => {
  const { feed, mirror } = await openManual();
  let toLose = 1;
  mirror.link.lose((subject, payload) => {
    if (subject !== 'price' || (payload as Frame).ticks.length === 0) return false;
    toLose -= 1;
    return toLose === 0;
  });
  for (let i = 1; i <= 40; i += 1) {
    // Each third frame with a price is lost.
    if (i % 3 === 0) toLose = 1;
    feed.setPrice(symbol, 50_000 + i);
    await pause(30);
  }
  await eventually(() => expect(priceAt(mirror)).toBe(50_040));
  const seen = mirror.ticks.filter((tick) => tick.symbol === symbol).map(({ price }) => price);
  expect(seen.slice(-40)).toEqual(Array.from({ length: 40 }, (_, i) => 50_001 + i));
});

test('a mirror that missed more than the leader keeps goes on from a snapshot', async () => {
  const { feed, mirror } = await openManual();
  mirror.link.lose((subject) => subject === 'price');
  feed.setPrice(symbol, 51_000);
  await eventually(() => expect(isStaleAt(mirror)).toBe(true));
  await pause(10_500);
  mirror.link.lose(null);
  feed.setPrice(symbol, 52_000);
  await eventually(() => expect(priceAt(mirror)).toBe(52_000));
  expect(isStaleAt(mirror)).toBe(false);
});

test('without a frame for 2 s every price is stale at once, is published as stale, and trades again with the next one', async () => {
  const { feed, leader, mirror } = await openManual();
  expect([isStaleAt(mirror), mirror.market.isDeaf()]).toEqual([false, false]);
  mirror.link.cut(true);
  const from = mirror.ticks.length;
  await eventually(() => expect(isStaleAt(mirror)).toBe(true));
  await eventually(() => expect(mirror.ticks.slice(from).at(-1)).toMatchObject({ symbol, state: 'stale' }));
  expect(mirror.market.price(symbol)).toMatchObject({ state: 'stale' });
  expect(mirror.market.state().live).toBe(false);
  // The leader goes on, as PostgreSQL says: it is this process that is cut off.
  await eventually(() => expect(mirror.market.isCutOff()).toBe(true));
  expect(isStaleAt(leader)).toBe(false);
  mirror.link.mend();
  feed.setPrice(symbol, 50_100);
  await eventually(() => expect(priceAt(mirror)).toBe(50_100));
  await eventually(() => expect(mirror.market.isCutOff()).toBe(false));
  expect(mirror.ticks.at(-1)).toMatchObject({ symbol, state: 'simulated' });
});

test('A106: a hold is seen everywhere, and accepted through a mirror by one row and one audit row', async () => {
  const { cluster, feed, leader, mirror, admin } = await openManual();
  feed.setPrice(symbol, 80_000, { breaks: false });
  await eventually(() => expect(mirror.market.price(symbol)).toMatchObject({ held: true, state: 'stale' }));
  expect(isStaleAt(mirror)).toBe(true);
  expect((await mirror.market.controls.get_market_controls()).holds).toMatchObject([
    { symbol, price: 80_000 },
  ]);
  const args = { p_symbol: symbol, p_reason: 'the exchange confirms it', p_price: 80_000 };
  expect(await mirror.market.controls.accept_price(admin, args)).toEqual({ symbol, price: 80_000 });
  for (const process of [leader, mirror]) {
    await eventually(() => expect(priceAt(process)).toBe(80_000));
    expect(isStaleAt(process)).toBe(false);
  }
  await expect(mirror.market.controls.accept_price(admin, args)).rejects.toMatchObject({ code: 'not_found' });
  const { rows } = await cluster.db.query(`select action from app.audit_log where action like 'price.%'`);
  expect(rows).toEqual([{ action: 'price.accept' }]);
});

test('a leader that is killed is followed by another one with the next term', async () => {
  const cluster = await openCluster();
  const first = await cluster.start({ feed: feedAt(50_000) });
  const second = await cluster.start({ feed: feedAt(50_001) });
  const mirror = await cluster.start({ mayLead: false });
  const term = first.market.leads()!;
  await first.kill();
  await eventually(() => expect(second.market.leads()).toBe(term + 1));
  await eventually(() => expect(mirror.market.priceNumber()).toMatchObject({ term: term + 1 }));
  await eventually(() => expect(isStaleAt(mirror)).toBe(false));
  expect(priceAt(mirror)).toBe(50_001);
  // The former one, which is cut off, trades at nothing.
  await eventually(() => expect(first.market.leads()).toBeNull());
  await eventually(() => expect(isStaleAt(first)).toBe(true));
});

test('the first frame of a term has all prices that it begins with', async () => {
  const cluster = await openCluster();
  const first = await cluster.start({ feed: feedAt(50_000) });
  await cluster.start({ feed: feedAt(50_001) });
  const mirror = await cluster.start({ mayLead: false });
  const term = first.market.leads()!;
  const frames: Frame[] = [];
  mirror.link.subscribe('price', (frame) => frames.push(frame as Frame));
  await first.kill();
  await eventually(() => expect(frames.at(-1)?.term).toBe(term + 1));
  const [begin] = frames.filter((frame) => frame.term === term + 1);
  expect(begin).toMatchObject({ seq: 1, ticks: [{ symbol, price: 50_001 * 1e8 }] });
});

test('a leader without the others for 2 s gives the duty back', async () => {
  const cluster = await openCluster();
  const first = await cluster.start({ feed: feedAt(50_000) });
  const second = await cluster.start({ feed: feedAt(50_001) });
  const term = first.market.leads()!;
  first.link.cut();
  await eventually(() => expect(second.market.leads()).toBe(term + 1));
  expect(first.market.leads()).toBeNull();
  first.link.mend();
  await eventually(() => expect(first.market.priceNumber()).toMatchObject({ term: term + 1 }));
});

test('a leader that is stopped is followed at once', async () => {
  const cluster = await openCluster();
  const [first, second] = [
    await cluster.start({ feed: feedAt(50_000) }),
    await cluster.start({ feed: feedAt(50_001) }),
  ];
  const term = first.market.leads()!;
  await first.market.stop();
  await eventually(() => expect(second.market.leads()).toBe(term + 1));
  await eventually(() => expect(isStaleAt(second)).toBe(false));
});

test('what a former leader writes late changes nothing', async () => {
  const { cluster, leader } = await openManual();
  const term = leader.market.leads()!;
  const former = withTerm(cluster.db, { name: 'market', term });
  const read = async () =>
    (await cluster.db.query('select price from app.last_prices where symbol = $1', [symbol])).rows;
  await eventually(async () => expect(await read()).toMatchObject([{ price: '50000.00000000' }]));
  await cluster.db.asOwner(`update app.duties set term = term + 1 where name = 'market'`);
  const late = { ...leader.market.price(symbol)!, price: 100n as never };
  await expect(writeLastPrices(former, [late])).rejects.toMatchObject({ code: 'busy' });
  expect(await read()).toEqual([{ price: '50000.00000000' }]);
  // It learns of the other term by its beat.
  await eventually(() => expect(leader.market.leads()).not.toBe(term));
});

test('a fresh price is asked for through a mirror, which has it when the answer is there', async () => {
  const { cluster, feed, leader, mirror } = await openManual();
  let asked = 0;
  Object.assign(feed, {
    emitCurrent: (of: string) => {
      asked += 1;
      if (of === symbol) feed.setPrice(symbol, 50_000 + asked);
    },
  });
  const requests = countFreshened(mirror);
  await mirror.market.ensureFresh(symbol);
  expect(asked).toBe(1);
  expect(priceAt(mirror)).toBe(50_001);
  // The leader goes on with it: the next trades of this second ask nothing.
  await mirror.market.ensureFresh(symbol);
  await mirror.market.ensureFresh('NOSUCHUSDT');
  expect(requests()).toBe(1);
  // What opens on the price finds it stored.
  expect(
    (await cluster.db.query('select price from app.last_prices where symbol = $1', [symbol])).rows,
  ).toEqual([{ price: '50001.00000000' }]);
  await eventually(() => expect(priceAt(leader)).toBe(50_001));
});

test('a mirror that lacks the fresh price, or has it of a former leader, asks again', async () => {
  const cluster = await openCluster();
  const feeds = [feedAt(50_000), feedAt(50_001)];
  const first = await cluster.start({ feed: feeds[0]! });
  const second = await cluster.start({ feed: feeds[1]! });
  const mirror = await cluster.start({ mayLead: false });
  const requests = countFreshened(mirror);
  Object.assign(feeds[0]!, { emitCurrent: () => feeds[0]!.setPrice(symbol, 50_002) });
  mirror.link.lose((subject) => subject === 'price' || subject === 'price.since');
  await mirror.market.ensureFresh(symbol);
  expect(priceAt(mirror)).toBe(50_000);
  mirror.link.lose(() => false);
  await mirror.market.ensureFresh(symbol);
  expect(requests()).toBe(2);
  // Its answer may come before the price: `ensureFresh` waits 0.2 s for that (`reachMsMax`).
  await eventually(() => expect(priceAt(mirror)).toBe(50_002));

  const term = first.market.leads()!;
  await first.kill();
  await eventually(() => expect(second.market.leads()).toBe(term + 1));
  await eventually(() => expect(mirror.market.priceNumber()).toMatchObject({ term: term + 1 }));
  await mirror.market.ensureFresh(symbol);
  expect(requests()).toBe(3);
});

test('FEED-07: a mirror asks for a polled price that is two seconds old, or as far ahead of its clock', async () => {
  const cluster = await openCluster();
  const feed = createManualFeed();
  feed.changeSource('yahoo');
  await cluster.start({ feed });
  const mirror = await cluster.start({ mayLead: false });
  const requests = countFreshened(mirror);
  feed.setPrice(symbol, 50_001);
  await eventually(() => expect(priceAt(mirror)).toBe(50_001));
  await mirror.market.ensureFresh(symbol);
  expect(requests()).toBe(0);
  await pause(2_000);
  await mirror.market.ensureFresh(symbol);
  expect(requests()).toBe(1);
});

test('a symbol that a mirror shows is followed by the leader, until its process is gone', async () => {
  const { leader, mirror } = await openManual();
  const end = mirror.market.follow(symbol);
  await eventually(() => expect(leader.market.state().symbols.shown).toBe(1));
  end();
  await eventually(() => expect(leader.market.state().symbols.shown).toBe(0));
  mirror.market.follow(symbol);
  await eventually(() => expect(leader.market.state().symbols.shown).toBe(1));
  mirror.link.cut(true);
  await eventually(() => expect(leader.market.state().symbols.shown).toBe(0));
});

test('A114: a book that the exchange streams is the same at a mirror, once its symbol is looked at', async () => {
  const { feed, leader, mirror } = await openManual();
  const level = (price: number) => ({
    price: asPrice(BigInt(price) * 100_000_000n),
    size: asSize(100_000_000n),
  });
  const trade = { ...level(50_001), side: 'BUY', at: Date.now() } as const;
  const sides = { bids: [level(50_000), level(49_999)], asks: [level(50_001), level(50_002)] };
  const streamed = { book: { ...sides, isBestOnly: false, receivedAt: Date.now() } };
  // As an exchange that sends a book ten times a second.
  const timer = setInterval(() => {
    streamed.book = { ...streamed.book, receivedAt: Date.now() };
  }, 100);
  onTestFinished(() => clearInterval(timer));
  Object.assign(feed, {
    book: (of: string) => (of === symbol ? streamed.book : undefined),
    trades: (of: string) => (of === symbol ? [trade] : []),
  });
  feed.changeSource('binance');
  feed.setPrice(symbol, 50_000.5);
  await eventually(() => expect(mirror.market.price(symbol)).toMatchObject({ state: 'live' }));
  await eventually(() => {
    const [book, trades] = [
      mirror.market.quotes.book(symbol, 'pro', Date.now()),
      mirror.market.quotes.trades(symbol),
    ];
    expect(book).toMatchObject({ source: 'live', bids: sides.bids, asks: sides.asks });
    expect(trades).toEqual({ source: 'live', trades: [trade] });
  });
  expect(leader.market.quotes.book(symbol, 'pro', Date.now())?.source).toBe('live');
});

test('bars come through a mirror, and so do refusals', async () => {
  const { feed, mirror } = await openManual();
  const openTime = Math.floor(Date.now() / minuteMs) * minuteMs;
  feed.setCandles(symbol, [
    {
      open_time: new Date(openTime).toISOString(),
      ...{ open: 1, high: 2, low: 1, close: 2, volume: 3, quote_volume: 4 },
    },
  ]);
  const query = { limit: 10, before: null };
  expect(await mirror.market.candles(symbol, '1m', query)).toMatchObject([{ close: 2 }]);
  const args = { p_symbol: symbol, p_timeframe: '1m' } as never;
  expect(await mirror.market.procedures.get_candles({ role: 'anon' }, args)).toMatchObject([{ close: 2 }]);
  await expect(mirror.market.candles('NONE', '1m', query)).rejects.toMatchObject({ code: 'unknown_symbol' });
});

test('without a leader a call is refused as busy, and every price is stale', async () => {
  const { leader, mirror } = await openManual();
  await leader.market.stop();
  await expect(mirror.market.candles(symbol, '1h', { limit: 1, before: null })).rejects.toMatchObject({
    code: 'busy',
  });
  await mirror.market.ensureFresh(symbol);
  await eventually(() => expect(isStaleAt(mirror)).toBe(true));
});
