/** The position list of staff: filters, orders, pages, counts, and owners. */
import type { listPositions } from '@fulcrum/contract';
import { beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

type Listed = z.output<typeof listPositions.result>;

let manager: TestUser;
/** Of `manager`, and of nobody. */
let mine: TestUser;
let other: TestUser;
let openOfMine: { id: string };

shareTradingServer();
beforeAll(async () => {
  floor.feed.setPrice('ETHUSDT', '50');
  manager = await floor.addUser('manager');
  [mine, other] = (await Promise.all([
    floor.addUser('trader', { managerId: manager.id }),
    floor.addUser('trader'),
  ])) as [TestUser, TestUser];
  const closed = await Promise.all(
    [1, 2, 3].map((size) => floor.open(mine, { p_size: size, p_side: size === 2 ? 'SELL' : 'BUY' })),
  );
  await floor.open(other, { p_symbol: 'ETHUSDT', p_size: 4, p_leverage: 25 });
  floor.clock.advance(1_000);
  floor.feed.setPrice('BTCUSDT', '100');
  openOfMine = await floor.open(mine, { p_size: 5, p_leverage: 50 });
  floor.clock.advance(1_000);
  floor.feed.setPrice('BTCUSDT', '101');
  for (const { id } of closed) {
    floor.clock.advance(60_000);
    floor.feed.setPrice('BTCUSDT', '101');
    const { code } = await floor.call(mine, 'close_position', { p_position_id: id });
    expect(code).toBeUndefined();
  }
  floor.feed.setPrice('ETHUSDT', '49');
});

async function list(by: TestUser, args: Record<string, unknown>): Promise<Listed> {
  const { data, error } = await by.client.rpc('list_positions', args);
  if (error) throw error;
  return data as Listed;
}
const sizes = ({ positions }: Listed) => positions.map(({ size }) => size);

test('ADMIN-77, RULE-05: an open position has the value of its mark; a closed one the booked value', async () => {
  const open = await list(floor.admin, { p_status: 'open' });
  expect(open).toMatchObject({ total: 2, is_more: false, realized_pnl: null });
  expect(
    open.positions.map(({ username, mark_price, unrealized_pnl }) => ({
      username,
      mark_price,
      unrealized_pnl,
    })),
  ).toEqual([
    { username: mine.username, mark_price: 101, unrealized_pnl: 5 },
    { username: other.username, mark_price: 49, unrealized_pnl: -4 },
  ]);
  const closed = await list(floor.admin, { p_status: 'closed' });
  expect(closed).toMatchObject({ total: 3, is_more: false, realized_pnl: 2 });
  expect(closed.positions[0]).toMatchObject({
    user_id: mine.id,
    side: 'BUY',
    close_price: 101,
    realized_pnl: 3,
    mark_price: null,
    unrealized_pnl: null,
    close_reason: 'manual',
    version: 2,
  });
  expect(Date.parse(closed.positions[0]!.closed_at!)).toBeGreaterThan(0);
});

test('the latest first; by each of its orders both ways; in pages', async () => {
  const closed = { p_status: 'closed' };
  expect(sizes(await list(floor.admin, closed))).toEqual([3, 2, 1]);
  expect(sizes(await list(floor.admin, { ...closed, p_ascending: true }))).toEqual([1, 2, 3]);
  expect(sizes(await list(floor.admin, { ...closed, p_sort: 'pnl' }))).toEqual([3, 1, 2]);
  const ofOne = { ...closed, p_user_id: mine.id };
  expect(sizes(await list(floor.admin, { ...ofOne, p_sort: 'size', p_ascending: true }))).toEqual([1, 2, 3]);
  for (const p_sort of ['size', 'leverage', 'symbol']) {
    expect(await floor.call(floor.admin, 'list_positions', { ...closed, p_sort })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      message: "Invalid argument p_sort: everybody's closed positions are listed by time or pnl",
    });
  }
  const open = { p_status: 'open' };
  expect(sizes(await list(floor.admin, { ...open, p_sort: 'pnl' }))).toEqual([5, 4]);
  expect(sizes(await list(floor.admin, { ...open, p_sort: 'pnl', p_ascending: true }))).toEqual([4, 5]);
  expect(sizes(await list(floor.admin, { ...open, p_sort: 'leverage', p_ascending: true }))).toEqual([4, 5]);
  expect(sizes(await list(floor.admin, { ...open, p_sort: 'symbol' }))).toEqual([4, 5]);

  const pages = await Promise.all(
    [1, 2, 3].map((page) => list(floor.admin, { ...closed, p_page: page, p_page_size: 2 })),
  );
  expect(pages.map(sizes)).toEqual([[3, 2], [1], []]);
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([3]));
  const beyond = await floor.call(floor.admin, 'list_positions', {
    ...closed,
    p_page: 101,
    p_page_size: 100,
  });
  expect(beyond).toMatchObject({ status: 400, code: 'invalid_argument' });
});

test('ADMIN-74, ADMIN-75, A78: from and to, by closing or by opening; a part of a symbol, never a pattern', async () => {
  const { positions } = await list(floor.admin, { p_status: 'closed' });
  const [third, second] = positions.map(({ closed_at }) => closed_at!) as [string, string];
  expect(sizes(await list(floor.admin, { p_status: 'closed', p_from: third }))).toEqual([3]);
  expect(sizes(await list(floor.admin, { p_status: 'closed', p_from: second, p_to: third }))).toEqual([2]);
  expect(sizes(await list(floor.admin, { p_status: 'closed', p_from: third, p_to: second }))).toEqual([]);
  const [latest] = (await list(floor.admin, { p_status: 'open' })).positions;
  expect(sizes(await list(floor.admin, { p_status: 'open', p_from: latest!.created_at }))).toEqual([5]);

  expect(sizes(await list(floor.admin, { p_status: 'open', p_symbol: ' eth' }))).toEqual([4]);
  for (const p_symbol of ['%', '_', 'ET_', '\\', "'"]) {
    expect(sizes(await list(floor.admin, { p_status: 'open', p_symbol }))).toEqual([]);
  }
  // The audit log could not say of a file what it was of.
  for (const p_symbol of ['\0', '\ud800']) {
    for (const [name, more] of [
      ['list_positions', {}],
      ['export_positions', { p_time_zone: 'UTC' }],
    ] as const) {
      const refused = await floor.call(floor.admin, name, { p_status: 'open', p_symbol, ...more });
      expect(refused).toMatchObject({ status: 400, code: 'invalid_argument' });
    }
  }
});

test('MGR-08, MGR-17: a manager lists the own traders’ positions; another manager’s trader does not exist', async () => {
  expect(sizes(await list(manager, { p_status: 'open' }))).toEqual([5]);
  expect(await list(manager, { p_status: 'open', p_user_id: mine.id })).toMatchObject({
    total: 1,
    positions: [{ id: openOfMine.id }],
  });
  const foreign = await floor.call(manager, 'list_positions', { p_status: 'open', p_user_id: other.id });
  const unknown = await floor.call(manager, 'list_positions', {
    p_status: 'open',
    p_user_id: crypto.randomUUID(),
  });
  expect(foreign).toMatchObject({ status: 404, code: 'not_found', message: 'User not found' });
  expect(unknown).toEqual(foreign);
  expect(await floor.call(mine, 'list_positions', { p_status: 'open' })).toMatchObject({ status: 403 });
});
