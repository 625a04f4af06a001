import { minuteMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

let target: TestServer;
beforeAll(async () => {
  target = await startTestServer({
    config: {
      demo: true,
      demoHistory: true,
      priceFeed: { kind: 'simulated', seed: 'the demo has a past' },
    },
    feed: null,
  });
}, 300_000);
afterAll(() => target.close());

interface PositionRow {
  readonly id: string;
  readonly symbol: string;
  readonly entry_price: string;
  readonly close_price: string | null;
  readonly realized_pnl: string | null;
  readonly initial_stop_loss_price: string | null;
  readonly created_at: Date;
  readonly closed_at: Date | null;
}

const traderPositions = async (): Promise<PositionRow[]> => {
  const { rows } = await target.db.query<PositionRow>(
    `select p.* from app.positions p join app.users u on u.id = p.user_id
     where u.email = 'trader@fulcrum.local' order by p.created_at`,
  );
  return rows;
};

test('demo: a stop in the middle leaves nothing half-written, and the next start writes it', async () => {
  // The first start has just begun with it.
  await target.restart();
  await target.server.demo.done();
  const { rows } = await target.db.query<{ step: string }>(`select step from app.demo_steps order by step`);
  expect(rows.map(({ step }) => step)).toContain('trader');
}, 300_000);

test("demo: the trader has six weeks of trades in the shape of the pictures, on the chart's own prices", async () => {
  const rows = await traderPositions();
  const closed = rows.filter(({ closed_at }) => closed_at !== null);
  expect(closed.length).toBeGreaterThanOrEqual(55);
  // One was meant as a lesson.
  expect(closed.filter(({ initial_stop_loss_price }) => initial_stop_loss_price === null)).toHaveLength(1);
  const wins = closed.filter(({ realized_pnl }) => Number(realized_pnl) > 0).length;
  expect(wins / closed.length).toBeGreaterThan(0.45);
  expect(wins / closed.length).toBeLessThan(0.65);
  expect(rows.filter(({ closed_at }) => closed_at === null).map(({ symbol }) => symbol)).toEqual(
    expect.arrayContaining(['BTCUSDT', 'ETHUSDT', 'NVDA']),
  );
  const { rows: counts } = await target.db.query(
    `select (select count(*)::int from app.orders o where o.user_id = u.id and o.status = 'NEW') as waiting,
       (select count(*)::int from app.journal_entries e where e.user_id = u.id) as entries,
       (select count(*)::int from app.journal_entries e where e.user_id = u.id and e.position_id is not null) as linked,
       (select count(*)::int from app.notifications n where n.user_id = u.id and n.read_at is null) as unread,
       (select count(*)::int > 100 from app.equity_snapshots s where s.user_id = u.id) as curve
     from app.users u where u.email = 'trader@fulcrum.local'`,
  );
  expect(counts).toEqual([{ waiting: 2, entries: 14, linked: 11, unread: 3, curve: true }]);

  for (const { symbol, entry_price, close_price, created_at, closed_at } of closed) {
    for (const [price, at] of [
      [entry_price, created_at],
      [close_price, closed_at],
    ] as const) {
      const minute = Math.floor((at?.getTime() ?? 0) / minuteMs) * minuteMs;
      const [bar] = await target.server.market.candles(symbol, '1m', { limit: 1, before: minute + minuteMs });
      expect(bar).toBeDefined();
      expect(Number(price)).toBeGreaterThanOrEqual(bar?.low ?? Infinity);
      expect(Number(price)).toBeLessThanOrEqual(bar?.high ?? -Infinity);
    }
  }
}, 300_000);

test('demo: the ledger verifies, and the engine holds what is open', async () => {
  const { violations } = await checkInvariants(target.db);
  expect(violations).toEqual([]);
  const { positions, orders, staleAccounts, halted } = target.server.trading.state();
  expect({ staleAccounts, halted }).toEqual({ staleAccounts: 0, halted: null });
  const { rows } = await target.db.query(
    `select (select count(*)::int from app.positions where status = 'open') as positions,
       (select count(*)::int from app.orders where status = 'NEW') as orders`,
  );
  expect(rows).toEqual([{ positions, orders }]);
});

test('demo: another start adds nothing', async () => {
  const before = await traderPositions();
  await target.restart();
  await target.server.demo.done();
  expect((await traderPositions()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
}, 300_000);
