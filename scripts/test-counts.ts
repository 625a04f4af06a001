/**
 * Parses the reports of the test runners. Invariant: a run that went wrong never counts as zero tests: a broken report, a
 * file that did not load or an error outside any test is at least one failure.
 */
import { z } from 'zod';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that passed: what needed another try, as `file:line › title`. */
  readonly flaky: readonly string[];
}

/** Reads the counts of a JSON report; null when it is not one of this runner. */
export type ReadCounts = (report: unknown) => Counts | null;

const numbers = (value: unknown, names: readonly string[]): number[] | null => {
  if (typeof value !== 'object' || value === null) return null;
  const fields: Partial<Record<string, unknown>> = { ...value };
  const found = names.map((name) => fields[name]).filter((field) => typeof field === 'number');
  return found.length === names.length ? found : null;
};

/** Vitest's JSON reporter. */
export const vitestCounts: ReadCounts = (report) => {
  const found = numbers(report, ['numPassedTests', 'numFailedTests', 'numPendingTests', 'numTodoTests']);
  if (!found) return null;
  const [passed = 0, failed = 0, pending = 0, todo = 0] = found;
  return { passed, failed, skipped: pending + todo, flaky: [] };
};

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

/** The test files of Vitest's JSON report that failed, with their failed tests as `name: first line of the error`. */
export function failedFiles(report: unknown): { file: string; tests: string[] }[] {
  const read = vitestReport.safeParse(report);
  if (!read.success) return [];
  return read.data.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: name,
      tests: assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages: [error = 'no error'] }) => `${fullName}: ${error.split('\n')[0]}`),
    }));
}

/**
 * The counts of a run whose failed files passed in a second one: nothing failed, and what had failed is named. Undefined
 * when the first run also failed outside its tests, or the second did not pass.
 */
export function countSecondTry(
  first: { readonly counts: Counts; readonly failures: ReturnType<typeof failedFiles> },
  second: Counts,
): Counts | undefined {
  const flaky = first.failures.flatMap(({ file, tests }) => tests.map((test) => `${file} › ${test}`));
  if (flaky.length === 0 || flaky.length < first.counts.failed || second.failed > 0) return undefined;
  return {
    passed: first.counts.passed + flaky.length,
    failed: 0,
    skipped: first.counts.skipped,
    flaky,
  };
}

/** Playwright's JSON reporter. A flaky test passed in the end, and the run names it. */
export const playwrightCounts: ReadCounts = (report) => {
  const stats = typeof report === 'object' && report !== null && 'stats' in report ? report.stats : null;
  const found = numbers(stats, ['expected', 'flaky', 'unexpected', 'skipped']);
  if (!found) return null;
  const [expected = 0, flaky = 0, failed = 0, skipped = 0] = found;
  const named = flakyTests(report);
  // A report whose layout has changed must not hide them.
  const unnamed = Array.from({ length: Math.max(0, flaky - named.length) }, () => 'a test without a name');
  return { passed: expected + flaky, failed, skipped, flaky: [...named, ...unnamed] };
};

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(z.object({ status: z.string() })),
});
const playwrightSuite = z.object({
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
  specs: z.array(playwrightSpec).default([]),
});

function flakyTests(report: unknown): string[] {
  const root = playwrightSuite.safeParse(report);
  if (!root.success) return [];
  const specsOf = (suite: z.infer<typeof playwrightSuite>): z.infer<typeof playwrightSpec>[] => [
    ...suite.specs,
    ...suite.suites.flatMap(specsOf),
  ];
  return specsOf(root.data)
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, line, title }) => `${file}:${line} › ${title}`);
}

/**
 * The counts of a run that ended with `exitCode` and left `report` (undefined: none). A run without a test went wrong,
 * unless it looked for the tests of a change.
 */
export function countRun(
  exitCode: number | null,
  report: unknown,
  read: ReadCounts,
  mayBeEmpty = false,
): Counts {
  const counts = read(report) ?? { passed: 0, failed: 0, skipped: 0, flaky: [] };
  if (exitCode === 0 && (mayBeEmpty || counts.passed + counts.failed > 0)) return counts;
  return { ...counts, failed: Math.max(1, counts.failed) };
}

export const addCounts = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
  flaky: all.flatMap(({ flaky }) => flaky),
});

/** `3 passed, 0 failed`, and what was skipped when anything was. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
