/** Staff who trade while they act as somebody else (A45): allowed, and on record with both names. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from './support.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.dispose());

const auditOf = async (userId: string) =>
  (
    await desk.db.query<Record<'actor_id' | 'on_behalf_of' | 'action' | 'object_id', string>>(
      `select actor_id, on_behalf_of, action, object_id from app.audit_log where subject_id = $1 order by id`,
      [userId],
    )
  ).rows;

test('AUTH-52, X-20: an order that staff place as the trader is in the audit log with both names', async () => {
  const trader = await desk.addTrader('1000');
  const actorId = randomUUID();
  const acting = { ...trader, caller: { ...trader.caller, actorId, actingId: randomUUID() } };
  const position = await desk.open(acting);
  await desk.close(acting, position.id);
  expect(position.user_id).toBe(trader.userId);
  const names = { actor_id: actorId, on_behalf_of: trader.userId };
  expect(await auditOf(trader.userId)).toEqual([
    { ...names, action: 'position.open', object_id: position.id },
    { ...names, action: 'position.close', object_id: position.id },
  ]);
});

test('X-20: what is refused, and what traders do themselves, is not in the audit log', async () => {
  const trader = await desk.addTrader('1');
  const acting = { ...trader, caller: { ...trader.caller, actorId: randomUUID(), actingId: randomUUID() } };
  await expect(desk.open(acting)).rejects.toThrow('Insufficient available balance');
  await desk.open(trader, { p_size: 0.01 });
  expect(await auditOf(trader.userId)).toEqual([]);
});
