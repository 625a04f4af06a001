import { asMoney, type Effects, type Position, type PositionChange } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { positionAt, price } from '../../../../test/trading/waiting-rows.ts';
import { type CommittedAccount, Draft } from './draft.ts';

const open = positionAt();
const closedWith = (realizedPnl: bigint): Position => ({
  ...open,
  closing: {
    ...{ price: price('99'), priceSource: 'live', reason: 'manual', at: 1_000 },
    realizedPnl: asMoney(realizedPnl),
  },
});
const [closed, corrected] = [closedWith(-1n), closedWith(1n)];

/** After these changes of its position, each in a decision of one batch. */
function hasCorrected(...changes: readonly PositionChange[]): boolean {
  const wallet = { accountId: open.accountId, version: 1 };
  const committed = { wallet, positions: new Map(), orders: new Map(), terms: {} };
  const draft = new Draft(committed as unknown as CommittedAccount, {
    positions: new Map(),
    orders: new Map(),
  });
  for (const change of changes)
    draft.apply({ wallet, positions: [change], orders: [], executions: [] } as unknown as Effects, 1_000);
  return draft.hasCorrected;
}

test('a corrected close is noticed, also where the same batch has closed the position', () => {
  const close = { before: open, after: closed };
  const correction = { before: closed, after: corrected };
  expect(hasCorrected(close)).toBe(false);
  expect(hasCorrected(correction)).toBe(true);
  expect(hasCorrected(close, correction)).toBe(true);
});
