/** The whole journal as a file: Markdown to be read, CSV to be counted (X-17). */
import { toCsv } from '@fulcrum/domain';
import { closedRoe, sideName } from '../../shared/account/index.ts';
import { formatAmount, formatPercent } from '../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../shared/time/dates.ts';
import type { JournalEntry } from './entries.ts';

const head = ['Created At', 'Title', 'Tags', 'Content', 'Symbol', 'Side', 'Position', 'PnL'] as const;

export const journalCsv = (entries: readonly JournalEntry[]): string =>
  toCsv(
    head,
    entries.map(({ createdAt, title, tags, content, position }) => [
      createdAt,
      title,
      tags.join(', '),
      content,
      position?.symbol ?? null,
      position ? sideName(position.side) : null,
      position?.status ?? null,
      position?.realizedPnl ?? null,
    ]),
  );

/** What would begin or end something in a heading's line. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#]/gu, '\\$&');

function tradeLine(position: NonNullable<JournalEntry['position']>): string {
  const { symbol, side, leverage, status, realizedPnl } = position;
  const what = `${symbol} ${sideName(side).toLowerCase()} ${leverage}×`;
  if (status === 'open') return `Trade: ${what}, open`;
  return `Trade: ${what}, ${formatAmount(realizedPnl, 'always')} USDT (${formatPercent(closedRoe(position))})`;
}

function section({ createdAt, title, tags, content, position }: JournalEntry): string {
  const facts = [
    `${formatDay(createdAt)} ${formatClock(createdAt)}`,
    ...(tags.length > 0 ? [`Tags: ${escaped(tags.join(', '))}`] : []),
    ...(position ? [tradeLine(position)] : []),
  ];
  return `## ${escaped(title)}\n\n${facts.map((fact) => `*${fact}*`).join('  \n')}\n\n${content}\n`;
}

export const journalMarkdown = (entries: readonly JournalEntry[]): string =>
  `# Trading Journal\n\n${entries.map(section).join('\n---\n\n')}`;
