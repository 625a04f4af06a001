import { describe, expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

describe('passwords', () => {
  test('AUTH-10: are hashed with argon2id, 19 MiB and two passes, and told apart', async () => {
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
    const results = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.verify(null, 'x')));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(102);
    expect(results.at(-1)).toMatchObject({ reason: { code: 'busy', status: 503 } });
    expect(await passwords.verify(null, 'x')).toBe(false);
  });
});
