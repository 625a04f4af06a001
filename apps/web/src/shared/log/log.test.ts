import { expect, test, vi } from 'vitest';
import { createLog, entriesMax, logWindowErrors } from './log.ts';

test('X-06: the log keeps the last 1000 entries', () => {
  const log = createLog(() => {});
  for (let count = 0; count < entriesMax + 2; count += 1) log.info(`entry ${count}`);
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

test('ENT-27: an entry has timestamp, level, category, message and data', () => {
  const log = createLog(() => {});
  log.of('realtime').warn('gap', { version: 7 });
  log.info('plain');
  expect(log.entries).toEqual([
    {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 'warn',
      category: 'realtime',
      message: 'gap',
      data: { version: 7 },
    },
    { timestamp: expect.any(String), level: 'info', category: 'app', message: 'plain' },
  ]);
});

test('X-05: an uncaught error is logged, and is not reported a second time', () => {
  const report = vi.fn();
  const log = createLog(report);
  const page = new EventTarget();
  const stop = logWindowErrors(page as Window, log);
  const error = new Error('boom');
  page.dispatchEvent(Object.assign(new Event('error'), { message: 'Uncaught boom', error }));
  page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: error }));
  stop();
  page.dispatchEvent(Object.assign(new Event('error'), { message: 'later', error }));
  expect(log.entries).toMatchObject([
    { level: 'error', category: 'window', message: 'Uncaught boom', data: error },
    { level: 'error', category: 'window', data: error },
  ]);
  expect(report).not.toHaveBeenCalled();
});
