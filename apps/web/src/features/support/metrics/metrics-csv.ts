/** Support's figures of a range as a CSV file: to six decimals, times in seconds, a rate as its share; an empty cell is no data. */
import type { Measured, Rate, SupportMetrics } from '@fulcrum/contract';
import { type Cell, toCsv } from '@fulcrum/domain';

const head = [
  'From (UTC)',
  'To (UTC)',
  'Figure',
  'Count',
  'Of',
  'Share',
  'Median s',
  'Mean s',
  'P90 s',
] as const;

/** A CSV cell has fewer digits than a binary fraction. */
const toCell = (figure: number | null): number | null => (figure === null ? null : Number(figure.toFixed(6)));

type Figure = readonly Cell[];
const counted = (name: string, count: number): Figure => [name, count, null, null, null, null, null];
const rated = (name: string, { n, of, share }: Rate): Figure => [
  name,
  n,
  of,
  toCell(share),
  null,
  null,
  null,
];
const measured = (name: string, { n, median, mean, p90 }: Measured): Figure => [
  name,
  n,
  null,
  null,
  toCell(median),
  toCell(mean),
  toCell(p90),
];

/** `bounds` are ISO 8601 UTC; the last three figures are of now, whatever the range. */
export function metricsCsv(
  metrics: SupportMetrics,
  bounds: { readonly from: string; readonly to: string },
): string {
  const figures: readonly Figure[] = [
    counted('Sessions', metrics.sessions),
    counted('Messages', metrics.interactions),
    measured('First response', metrics.first_response),
    measured('Response time', metrics.response),
    measured('Resolution time', metrics.resolution),
    rated('Resolution rate', metrics.resolved),
    rated('Abandoned', metrics.abandoned),
    rated('Satisfaction', metrics.satisfied),
    rated('Rated', metrics.rated),
    counted('Active chats now', metrics.active_chats),
    counted('Unanswered now', metrics.unanswered),
    ['Longest wait now', null, null, null, metrics.longest_wait_s, null, null],
  ];
  return toCsv(
    head,
    figures.map((figure) => [bounds.from, bounds.to, ...figure]),
  );
}
