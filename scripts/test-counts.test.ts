import { describe, expect, test } from 'vitest';
import {
  addCounts,
  countRun,
  countSecondTry,
  failedFiles,
  formatCounts,
  playwrightCounts,
  vitestCounts,
} from './test-counts.ts';

const vitest = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 };
const spec = (file: string, line: number, title: string, status: string) => ({
  ...{ file, line, title },
  tests: [{ status }],
});
const playwright = {
  stats: { expected: 2, flaky: 1, unexpected: 0, skipped: 1 },
  suites: [
    {
      specs: [spec('phone.spec.ts', 7, 'the sheet closes', 'expected')],
      suites: [{ specs: [spec('sizes.spec.ts', 45, 'every page fits', 'flaky')] }],
    },
  ],
};

describe('the counts of a run', () => {
  test('are those of its report', () => {
    expect(countRun(0, vitest, vitestCounts)).toEqual({ passed: 7, failed: 0, skipped: 2, flaky: [] });
    expect(countRun(0, playwright, playwrightCounts)).toEqual({
      passed: 3,
      failed: 0,
      skipped: 1,
      flaky: ['sizes.spec.ts:45 › every page fits'],
    });
    expect(countRun(1, { ...vitest, numFailedTests: 3 }, vitestCounts).failed).toBe(3);
  });

  test('name a journey that needed a second try, even in a report of another layout', () => {
    expect(playwrightCounts({ ...playwright, suites: [] })?.flaky).toEqual(['a test without a name']);
    expect(addCounts([{ passed: 1, failed: 0, skipped: 0, flaky: ['a:1 › b'] }]).flaky).toEqual(['a:1 › b']);
  });

  test('are a failure when there are none, but where a change may concern no test', () => {
    const none = { ...vitest, numPassedTests: 0 };
    expect(countRun(0, none, vitestCounts).failed).toBe(1);
    expect(countRun(0, none, vitestCounts, true).failed).toBe(0);
    expect(countRun(1, none, vitestCounts, true).failed).toBe(1);
  });

  test('show a failure when the run failed outside its tests', () => {
    expect(countRun(1, vitest, vitestCounts)).toEqual({ passed: 7, failed: 1, skipped: 2, flaky: [] });
    expect(countRun(null, playwright, playwrightCounts).failed).toBe(1);
  });

  test('show a failure when there is no report, a broken one, or one without tests', () => {
    const none = { passed: 0, failed: 1, skipped: 0, flaky: [] };
    expect(countRun(0, undefined, vitestCounts)).toEqual(none);
    expect(countRun(0, null, playwrightCounts)).toEqual(none);
    expect(countRun(0, { numPassedTests: '7' }, vitestCounts)).toEqual(none);
    expect(countRun(0, { ...vitest, numPassedTests: 0 }, vitestCounts).failed).toBe(1);
  });

  test('name what passed at a second try, and stay failed when that run failed too', () => {
    const failures = failedFiles({
      testResults: [
        { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'adds' }] },
        {
          ...{ name: 'b.test.ts', status: 'failed' },
          assertionResults: [
            { status: 'passed', fullName: 'opens' },
            { status: 'failed', fullName: 'closes', failureMessages: ['Error: it is open\n    at b.ts:7'] },
          ],
        },
      ],
    });
    expect(failures).toEqual([{ file: 'b.test.ts', tests: ['closes: Error: it is open'] }]);
    const counts = { passed: 2, failed: 1, skipped: 1, flaky: [] };
    const second = { passed: 2, failed: 0, skipped: 0, flaky: [] };
    expect(countSecondTry({ counts, failures }, second)).toEqual({
      ...{ passed: 3, failed: 0, skipped: 1 },
      flaky: ['b.test.ts › closes: Error: it is open'],
    });
    expect(countSecondTry({ counts, failures }, { ...second, failed: 1 })).toBeUndefined();
    expect(countSecondTry({ counts: { ...counts, failed: 2 }, failures }, second)).toBeUndefined();
    const unloaded = [{ file: 'c.test.ts', tests: [] }];
    expect(countSecondTry({ counts, failures: unloaded }, second)).toBeUndefined();
    expect(failedFiles({ testResults: 'many' })).toEqual([]);
  });

  test('add up to the last line', () => {
    const counts = { passed: 1, failed: 0, skipped: 0, flaky: [] };
    expect(formatCounts(addCounts([counts, counts]))).toBe('2 passed, 0 failed');
    expect(formatCounts(addCounts([counts, { passed: 0, failed: 2, skipped: 3, flaky: [] }]))).toBe(
      '1 passed, 2 failed, 3 skipped',
    );
  });
});
