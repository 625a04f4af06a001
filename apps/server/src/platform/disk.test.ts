import { afterEach, expect, test, vi } from 'vitest';
import { createDiskMonitor, isLow } from './disk.ts';
import { createLog } from './log/index.ts';

afterEach(() => vi.useRealTimers());

const [mb, gb] = [1024 ** 2, 1024 ** 3];

test.each([
  ['a twentieth of a disk', 20 * gb, 0.9 * gb, true],
  ['more than that', 20 * gb, 1.1 * gb, false],
  ['less than a twentieth of a large disk, yet plenty', 4000 * gb, 3 * gb, false],
  ['little of a large disk', 4000 * gb, 1.5 * gb, true],
  ['a quarter of a small disk, and too little to work', 800 * mb, 200 * mb, true],
  ['enough of a small disk', 800 * mb, 300 * mb, false],
])('ENG-6: %s is little or not', (_name, sizeBytes, freeBytes, low) => {
  expect(isLow({ sizeBytes, freeBytes })).toBe(low);
});

test('ENG-6: a disk that does not answer holds nothing up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: string[] = [];
  const log = createLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
  const answered = { freeBytes: 100 * mb, sizeBytes: 20 * gb };
  let checks = 0;
  const monitor = createDiskMonitor('/data', log, async () => {
    checks += 1;
    return checks > 2 ? new Promise<never>(() => {}) : answered;
  });
  await monitor.start();
  expect(monitor.state()).toEqual({ low: true, ...answered });

  await vi.advanceTimersByTimeAsync(60_000);
  // One check of both places at the start, one that hangs, and none beside that.
  expect(checks).toBe(4);
  expect(monitor.state()).toEqual({ low: true, freeBytes: null, sizeBytes: null });
  monitor.stop();
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the disk is nearly full: free some space',
    'the disk does not answer',
  ]);
});
