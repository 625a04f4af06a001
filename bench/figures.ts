/** The figures of a run, and their table. */
import { availableParallelism, cpus, loadavg } from 'node:os';

/** What a figure was measured on. */
export const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`;
export const loadAverage = (): string => `load average ${(loadavg()[0] ?? 0).toFixed(1)}`;

/** Of a limit or an aim. */
export const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

export interface Run {
  readonly name: string;
  /** Requests under way at a time. */
  readonly concurrency: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The value that so large a share is below; the values in any order. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Latencies in ms, unsorted; `seconds` is the length of the measured window. */
export function runOf(
  name: string,
  concurrency: number,
  latenciesMs: readonly number[],
  seconds: number,
): Run {
  const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  return { name, concurrency, perSecond: latenciesMs.length / seconds, p50Ms, p99Ms };
}

export const best = (runs: readonly Run[]): Run => {
  const [fastest] = runs.toSorted((a, b) => b.perSecond - a.perSecond);
  if (!fastest) throw new Error('nothing was measured');
  return fastest;
};

/** @throws Error without a value */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new Error('nothing was measured');
  return (low + high) / 2;
};

const columns = [
  { title: 'orders by', width: 44, of: (run: Run) => run.name },
  { title: 'at once', width: 8, of: (run: Run) => String(run.concurrency) },
  { title: 'orders/s', width: 9, of: (run: Run) => run.perSecond.toFixed(0) },
  { title: 'p50 ms', width: 8, of: (run: Run) => run.p50Ms.toFixed(1) },
  { title: 'p99 ms', width: 8, of: (run: Run) => run.p99Ms.toFixed(1) },
] as const;

const line = (cells: readonly string[]) =>
  columns
    .map(({ width }, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width)))
    .join(' ');

/** The column titles; `what` is what is counted. */
export const heading = (what = 'orders'): string =>
  line(columns.map(({ title }) => title.replace('orders', what)));
export const row = (run: Run): string => line(columns.map((column) => column.of(run)));
