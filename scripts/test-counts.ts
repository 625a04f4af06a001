/**
 * Reads the reports of the test runners. Invariant: a run that went wrong never counts as nothing: a broken report, a
 * file that did not load or an error outside any test is at least one failure.
 */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that passed: at the second try only. */
  readonly flaky: number;
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
  return { passed, failed, skipped: pending + todo, flaky: 0 };
};

/** Playwright's JSON reporter. A flaky test passed in the end, which is told beside the counts. */
export const playwrightCounts: ReadCounts = (report) => {
  const stats = typeof report === 'object' && report !== null && 'stats' in report ? report.stats : null;
  const found = numbers(stats, ['expected', 'flaky', 'unexpected', 'skipped']);
  if (!found) return null;
  const [expected = 0, flaky = 0, failed = 0, skipped = 0] = found;
  return { passed: expected + flaky, failed, skipped, flaky };
};

/** The counts of a run that ended with `exitCode` and left `report` (undefined: none). */
export function countRun(exitCode: number | null, report: unknown, read: ReadCounts): Counts {
  const counts = read(report) ?? { passed: 0, failed: 0, skipped: 0, flaky: 0 };
  if (exitCode === 0 && counts.passed + counts.failed > 0) return counts;
  return { ...counts, failed: Math.max(1, counts.failed) };
}

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
  flaky: all.reduce((total, { flaky }) => total + flaky, 0),
});

/** `3 passed, 0 failed`, and what was skipped when anything was. */
export function line({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
