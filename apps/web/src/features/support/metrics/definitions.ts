/**
 * The definition of each figure with its present components. The server calculates the figures (docs/support.md);
 * this module only describes them. Invariant: a figure without data is empty, never zero.
 */
import type { Measured, Rate, SupportMetrics } from '@fulcrum/contract';
import { formatFigure, formatPercent, noFigure } from '../../../shared/numbers/index.ts';
import { formatDuration } from '../../../shared/time/duration.ts';

export interface Figure {
  readonly term: string;
  readonly meaning: string;
  readonly value: string;
  readonly beneath: string;
}

const durationText = (seconds: number | null): string =>
  seconds === null ? noFigure : formatDuration(seconds);
export const shareText = ({ share }: Rate): string =>
  share === null ? noFigure : formatPercent(share * 100, 'negative', 1);

const count = (figure: number): string => formatFigure(figure, 0);
const spread = ({ p90, mean, n }: Measured, nothing: string): string =>
  n === 0 ? nothing : `p90 ${durationText(p90)}, mean ${durationText(mean)}, n ${count(n)}`;
const part = ({ n, of }: Rate): string => `${count(n)} of ${count(of)}`;

export const getFirstResponse = ({ first_response }: SupportMetrics): Figure => ({
  term: 'First response',
  meaning:
    'Median time from a trader’s first message to the first answer, of the sessions first answered in the range. The clock runs day and night.',
  value: durationText(first_response.median),
  beneath: spread(first_response, 'No answers'),
});

export const getSatisfaction = ({ satisfied, rated }: SupportMetrics): Figure => ({
  term: 'Satisfaction',
  meaning:
    'Ratings of 4 and 5 among all ratings of the sessions closed in the range. Beneath it, how many of those sessions were rated.',
  value: shareText(satisfied),
  beneath: satisfied.of === 0 ? 'No ratings' : `${part(satisfied)}, ${shareText(rated)} rated`,
});

export function getFigures(metrics: SupportMetrics): readonly Figure[] {
  const { response, resolution, resolved, abandoned, active_chats, unanswered, longest_wait_s } = metrics;
  return [
    getFirstResponse(metrics),
    {
      term: 'Response time',
      meaning:
        'Median time a trader waits for each answer. Messages in a row are one wait, from the first of them; waits that still go on do not count.',
      value: durationText(response.median),
      beneath: spread(response, 'No answers'),
    },
    {
      term: 'Resolution time',
      meaning: 'Median time from a trader’s first message to the close, of the sessions closed in the range.',
      value: durationText(resolution.median),
      beneath: spread(resolution, 'No closed sessions'),
    },
    {
      term: 'Resolution rate',
      meaning:
        'Of the sessions that began in the range, those closed after an answer. Abandoned ones were closed without any.',
      value: shareText(resolved),
      beneath: resolved.of === 0 ? 'No sessions' : `${part(resolved)}, ${count(abandoned.n)} abandoned`,
    },
    getSatisfaction(metrics),
    {
      term: 'Active chats',
      meaning:
        'Open sessions with a message in the last 24 hours. Unanswered ones wait for support now, whatever the range.',
      value: count(active_chats),
      beneath:
        unanswered === 0
          ? 'No one is waiting'
          : `${count(unanswered)} unanswered, longest ${durationText(longest_wait_s)}`,
    },
  ];
}
