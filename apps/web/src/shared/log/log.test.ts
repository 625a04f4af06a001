import { expect, test, vi } from 'vitest';
import { capacity, createLog } from './log.ts';

test('X-06: the log keeps the last 1000 entries', () => {
  const log = createLog(() => {});
  for (let count = 0; count < capacity + 2; count += 1) log.info(`entry ${count}`);
  expect(log.entries).toHaveLength(1000);
  expect(log.entries[0]?.message).toBe('entry 2');
  expect(log.entries.at(-1)?.message).toBe('entry 1001');
});

test('X-07: levels are info, warn and error, and an error is reported with its cause', () => {
  const report = vi.fn();
  const log = createLog(report);
  const cause = new Error('boom');
  log.info('a');
  log.warn('b', cause);
  log.error('c', cause);
  expect(log.entries.map((entry) => entry.level)).toEqual(['info', 'warn', 'error']);
  expect(report).toHaveBeenCalledExactlyOnceWith(cause);
});
