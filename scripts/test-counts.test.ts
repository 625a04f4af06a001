import { describe, expect, test } from 'vitest';
import { countRun, line, playwrightCounts, sum, vitestCounts } from './test-counts.ts';

const vitest = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 };
const playwright = { stats: { expected: 2, flaky: 1, unexpected: 0, skipped: 1 } };

describe('the counts of a run', () => {
  test('are those of its report', () => {
    expect(countRun(0, vitest, vitestCounts)).toEqual({ passed: 7, failed: 0, skipped: 2, flaky: 0 });
    expect(countRun(0, playwright, playwrightCounts)).toEqual({
      passed: 3,
      failed: 0,
      skipped: 1,
      flaky: 1,
    });
    expect(countRun(1, { ...vitest, numFailedTests: 3 }, vitestCounts).failed).toBe(3);
  });

  test('show a failure when the run failed outside its tests', () => {
    expect(countRun(1, vitest, vitestCounts)).toEqual({ passed: 7, failed: 1, skipped: 2, flaky: 0 });
    expect(countRun(null, playwright, playwrightCounts).failed).toBe(1);
  });

  test('show a failure when there is no report, a broken one, or one without tests', () => {
    const none = { passed: 0, failed: 1, skipped: 0, flaky: 0 };
    expect(countRun(0, undefined, vitestCounts)).toEqual(none);
    expect(countRun(0, null, playwrightCounts)).toEqual(none);
    expect(countRun(0, { numPassedTests: '7' }, vitestCounts)).toEqual(none);
    expect(countRun(0, { ...vitest, numPassedTests: 0 }, vitestCounts).failed).toBe(1);
  });

  test('add up to the last line', () => {
    const counts = { passed: 1, failed: 0, skipped: 0, flaky: 0 };
    expect(line(sum([counts, counts]))).toBe('2 passed, 0 failed');
    expect(line(sum([counts, { passed: 0, failed: 2, skipped: 3, flaky: 0 }]))).toBe(
      '1 passed, 2 failed, 3 skipped',
    );
  });
});
