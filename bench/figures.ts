/** The figures of a run, and their table. */

export interface Run {
  readonly name: string;
  /** Requests under way at a time. */
  readonly concurrency: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Latencies in ms, unsorted; `seconds` is the length of the measured window. */
export function runOf(
  name: string,
  concurrency: number,
  latenciesMs: readonly number[],
  seconds: number,
): Run {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { name, concurrency, perSecond: sorted.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
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
