import * as argon2 from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { createPasswords } from './passwords.ts';

// The real library, watched: equal work is counted, not timed.
vi.mock('@node-rs/argon2', { spy: true });

describe('passwords', () => {
  test('are hashed with argon2id, 19 MiB and two passes, and distinguished', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('correct-horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.hash('correct-horse')).not.toBe(hash);
    expect(await passwords.verify(hash, 'correct-horse')).toBe(true);
    expect(await passwords.verify(hash, 'Correct-horse')).toBe(false);
    expect(await passwords.verify(null, 'correct-horse')).toBe(false);
  });

  test('AUTH-51: beyond two at work and a hundred waiting the service is busy, and recovers', async () => {
    const passwords = createPasswords();
    const results = await Promise.allSettled(
      Array.from({ length: 110 }, (_, i) => passwords.verify(null, 'x', `visitor ${i}`)),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(102);
    expect(results.at(-1)).toMatchObject({ reason: { code: 'busy', status: 503 } });
    expect(await passwords.verify(null, 'x')).toBe(false);
  });

  test('AUTH-51: a caller with sixty hashes at once does not delay others, and cannot queue more', async () => {
    const passwords = createPasswords();
    const order: string[] = [];
    const ask = async (asker: string) => {
      await passwords.verify(null, 'x', asker);
      order.push(asker);
    };
    const crowd = Array.from({ length: 62 }, () => ask('crowd'));
    await expect(ask('crowd')).rejects.toMatchObject({ code: 'busy' });
    await Promise.all([...crowd, ask('ada'), ask('bob')]);
    // Two were running already, and one more of the crowd had its slot before them; on a busy machine one of the two
    // threads may rest while the other one continues with the crowd.
    expect(order.slice(0, 12)).toEqual(expect.arrayContaining(['ada', 'bob']));
    expect(order).toHaveLength(64);
  });

  test('an unknown account costs the same hash as a known one', async () => {
    const passwords = createPasswords();
    const known = await passwords.hash('correct-horse');
    const verify = vi.mocked(argon2.verify).mockClear();
    await passwords.verify(known, 'wrong');
    await passwords.verify(null, 'wrong');
    expect(verify).toHaveBeenCalledTimes(2);
    const costs = verify.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
    expect(costs[1]).toBe(costs[0]);
  });
});
