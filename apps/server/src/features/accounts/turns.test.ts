import { describe, expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('work of one key runs one at a time in order, of several keys side by side, past failures', async () => {
    const inTurn = createTurns();
    const log: string[] = [];
    const work = (key: string, name: string, fails?: 'fails') =>
      inTurn(key, async () => {
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

  test('AUTH-51: at most 200 wait', async () => {
    const inTurn = createTurns();
    const results = await Promise.allSettled(Array.from({ length: 205 }, () => inTurn('a', tick)));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(4);
  });
});
