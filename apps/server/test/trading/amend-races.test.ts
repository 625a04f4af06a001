/** Amendments concurrent with every other change of the same order: the ledger stays exact. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTradingServer, type TestUser } from './trading-server.ts';

interface Row {
  readonly id: string;
  readonly price: number;
  readonly reserved: number;
  readonly status: string;
}

const variants = [
  ['the standard rules', {}],
  ['the standard rules with a fee', { tradingFeeRate: 60_000n }],
  ['the stated rules with a fee', { rules: 'as-specified', tradingFeeRate: 60_000n }],
] as const;

describe.each(variants)('under %s', (_name, config) => {
  test('A20: an order that is amended, cancelled and filled by many requests at once ends once, with its reserve released', async () => {
    const floor = await startTradingServer(config);
    try {
      floor.feed.setPrice('BTCUSDT', '100', { breaks: false });
      const trader = await floor.addUser('trader');
      const placeOrder = async (): Promise<Row> => {
        const order = {
          symbol: 'BTCUSDT',
          type: 'LIMIT',
          side: 'BUY',
          price: 90,
          size: 1,
          leverage: 10,
        } as const;
        const { data, error } = await trader.client.from('orders').insert(order).select().single();
        if (error) throw error;
        return data as Row;
      };
      const amend = (id: string, to: unknown, clientId: string = randomUUID(), by: TestUser = trader) =>
        by.client.rpc('amend_order', { p_order_id: id, p_price: to as number, p_client_id: clientId });
      const orders = await Promise.all(Array.from({ length: 6 }, placeOrder));

      const attacks = orders.flatMap((order, nth) => [
        ...Array.from({ length: 12 }, (_, i) => () => amend(order.id, 80 + ((i * 7 + nth) % 19))),
        () => trader.client.from('orders').update({ status: 'CANCELED' }).eq('id', order.id),
        () => trader.client.from('orders').update({ status: 'CANCELED' }).eq('id', order.id),
        // One id for two prices: at most one of them is taken.
        () => amend(order.id, 70, `same-${nth}`),
        () => amend(order.id, 71, `same-${nth}`),
      ]);
      const answers = attacks.map((attack) => Promise.resolve(attack()));
      for (const price of ['95', '91', '88', '85', '99']) {
        floor.clock.advance(1_000);
        floor.feed.setPrice('BTCUSDT', price, { breaks: false });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);

      await eventually(async () => {
        const held = await floor.rowsOf<Row>('orders', trader);
        expect(held.filter(({ status }) => status === 'NEW')).toEqual([]);
      });
      const ended = await floor.rowsOf<Row>('orders', trader);
      const positions = await floor.rowsOf<{ margin: number }>('positions', trader);
      expect(positions).toHaveLength(ended.filter(({ status }) => status === 'FILLED').length);
      expect(await checkInvariants(floor.db)).toMatchObject({ ok: true, violations: [] });
    } finally {
      await floor.close();
    }
  });
});

test('A20: only a price on the grid is accepted, for any input', async () => {
  const floor = await startTradingServer();
  try {
    const trader = await floor.addUser('trader');
    const { data, error } = await trader.client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 })
      .select()
      .single();
    if (error) throw error;
    const bad: readonly unknown[] = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e300,
      1e-12,
      -90,
      0,
      90.005,
      '1e9',
      '1,5',
      '٣',
      '0x5a',
      ' 90 ',
      '9'.repeat(5_000),
      '90; drop table app.orders',
      true,
      [95],
      { '>': 95 },
      '',
    ];
    for (const price of bad) {
      const { status } = await trader.client.rpc('amend_order', {
        p_order_id: data.id,
        p_price: price as number,
      });
      expect([400, 422], `${String(price).slice(0, 40)}: ${status}`).toContain(status);
    }
    expect(await floor.rowsOf('orders', trader)).toEqual([
      expect.objectContaining({ price: 90, version: 1 }),
    ]);
  } finally {
    await floor.close();
  }
});
