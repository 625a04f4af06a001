import { expect, test } from 'vitest';
import { createProbe } from '../../src/platform/database/probe.ts';
import { testLog } from '../harness/index.ts';

type Answer = { rows: never[]; rowCount: number };

test('a frozen PostgreSQL gets one query, however many callers there are, and the next one after its answer', async () => {
  const waiting: ((answer: Answer) => void)[] = [];
  const frozen = { query: () => new Promise<never>((resolve) => waiting.push(resolve as never)) };
  const answers = createProbe(frozen, 20, testLog);
  expect(await Promise.all(Array.from({ length: 50 }, answers))).toEqual(Array(50).fill(false));
  expect(await answers()).toBe(false);
  expect(waiting).toHaveLength(1);

  waiting[0]!({ rows: [], rowCount: 0 });
  await new Promise(setImmediate);
  const next = answers();
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]!({ rows: [], rowCount: 0 });
  expect(await next).toBe(true);
});

test('one that refuses does not answer', async () => {
  const away = createProbe({ query: () => Promise.reject(new Error('away')) }, 1_000, testLog);
  expect(await away()).toBe(false);
});
