/** Staff who trade during impersonation (A45): allowed, and in the audit log with both names. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { desk, shareEngine } from './database-engine.ts';

shareEngine();

const auditOf = async (userId: string) =>
  (
    await desk.db.query<Record<'actor_id' | 'on_behalf_of' | 'action' | 'object_id', string>>(
      `select actor_id, on_behalf_of, action, object_id from app.audit_log where subject_id = $1 order by id`,
      [userId],
    )
  ).rows;

test('AUTH-52, X-20: an order during impersonation is in the audit log with both names', async () => {
  const trader = await desk.addTrader('1000');
  const actorId = randomUUID();
  const impersonated = { ...trader, caller: { ...trader.caller, actorId, impersonationId: randomUUID() } };
  const position = await desk.open(impersonated);
  await desk.close(impersonated, position.id);
  expect(position.user_id).toBe(trader.userId);
  const names = { actor_id: actorId, on_behalf_of: trader.userId };
  expect(await auditOf(trader.userId)).toEqual([
    { ...names, action: 'position.open', object_id: position.id },
    { ...names, action: 'position.close', object_id: position.id },
  ]);
});

test('X-20: refusals and traders’ own commands are not in the audit log', async () => {
  const trader = await desk.addTrader('1');
  const impersonated = {
    ...trader,
    caller: { ...trader.caller, actorId: randomUUID(), impersonationId: randomUUID() },
  };
  await expect(desk.open(impersonated)).rejects.toThrow('Insufficient available balance');
  await desk.open(trader, { p_size: 0.01 });
  expect(await auditOf(trader.userId)).toEqual([]);
});
