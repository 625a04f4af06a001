import { expect, test } from 'vitest';
import type { Arrivals } from '../exchange/orders/arrivals.ts';
import type { RestClient } from './rest-client.ts';
import { toolHandlers } from './tools.ts';

/** What `positions` answers to an account with so many open positions and waiting orders. */
function answerOf(counts: Readonly<Record<string, number>>) {
  const select: RestClient['select'] = (table, { limit }) =>
    Promise.resolve(
      Array.from({ length: Math.min(counts[table] ?? 0, Number(limit)) }, (_, index) => ({ id: index })),
    );
  return toolHandlers.positions({ select } as RestClient, { status: 'open', limit: 20 }, {} as Arrivals);
}

test('A119: open positions and orders beyond 200 are left out, and the answer states it', async () => {
  expect(await answerOf({ positions: 200, orders: 200 })).toEqual({
    positions: expect.objectContaining({ length: 200 }),
    waiting_orders: expect.objectContaining({ length: 200 }),
  });
  expect(await answerOf({ positions: 201, orders: 3 })).toEqual({
    positions: expect.objectContaining({ length: 200 }),
    waiting_orders: expect.objectContaining({ length: 3 }),
    truncated: true,
  });
  expect(await answerOf({ orders: 500 })).toMatchObject({
    positions: [],
    waiting_orders: expect.objectContaining({ length: 200 }),
    truncated: true,
  });
});
