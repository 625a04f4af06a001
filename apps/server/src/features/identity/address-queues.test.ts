import { describe, expect, test } from 'vitest';
import { defaultLimits, limitsWith } from '../../platform/limits/index.ts';
import { createAddressQueues } from './address-queues.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('queues of an address', () => {
  test('OPS-D1: work of one address runs one at a time, of several addresses side by side, past failures', async () => {
    const withAddressSlot = createAddressQueues(defaultLimits);
    const log: string[] = [];
    const work = (address: string, name: string, fails?: 'fails') =>
      withAddressSlot(address, name, async () => {
        log.push(`${name} begins`);
        await tick();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const done = await Promise.allSettled([work('a', 'a1', 'fails'), work('a', 'a2'), work('b', 'b1')]);
    expect(done.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    const ofA = log.filter((line) => line.startsWith('a'));
    expect(ofA).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
    expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'));
    await work('a', 'a3');
    expect(log.at(-1)).toBe('a3 ends');
  });

  test('OPS-D1: fifty guesses of one account that wait let the next account in after one of them', async () => {
    const withAddressSlot = createAddressQueues(defaultLimits);
    const order: string[] = [];
    const ask = (account: string) =>
      withAddressSlot('a', account, async () => {
        await tick();
        order.push(account);
      });
    await Promise.all([...Array.from({ length: 50 }, () => ask('guessed')), ask('owner')]);
    expect(order.indexOf('owner')).toBe(2);
    expect(order).toHaveLength(51);
  });

  test('AUTH-51: limits waiting sign-ins per account to 60 and per address to the setting; others are still accepted', async () => {
    const withAddressSlot = createAddressQueues(limitsWith({ SIGN_INS_WAITING_PER_ADDRESS: 100 }));
    const refusedOf = async (accountOf: (i: number) => string) => {
      const results = await Promise.allSettled(
        Array.from({ length: 205 }, (_, i) => withAddressSlot('a', accountOf(i), tick)),
      );
      const refused = results.filter((result) => result.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', status: 503 });
      return refused.length;
    };
    expect(await refusedOf(() => 'one')).toBe(205 - 61);
    expect(await refusedOf((i) => `account ${i}`)).toBe(205 - 101);
    let gate = () => {};
    const closed = new Promise<void>((resolve) => {
      gate = resolve;
    });
    const held = Array.from({ length: 101 }, (_, i) => withAddressSlot('a', `account ${i}`, () => closed));
    await expect(withAddressSlot('a', 'late', tick)).rejects.toMatchObject({ code: 'busy' });
    await withAddressSlot('b', 'late', tick);
    gate();
    await Promise.all(held);
    await withAddressSlot('a', 'late', tick);
  });

  test('AUTH-51: many addresses together may not wait without end, and a free one still comes in', async () => {
    const withAddressSlot = createAddressQueues(limitsWith({ SIGN_INS_WAITING_PER_ADDRESS: 1 }));
    const attempts = Array.from({ length: 12 }, (_, i) => [
      withAddressSlot(`address ${i}`, 'one', tick),
      withAddressSlot(`address ${i}`, 'two', tick),
    ]).flat();
    const free = withAddressSlot('a free one', 'one', tick);
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(2);
    await free;
  });
});
