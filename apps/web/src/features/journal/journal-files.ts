/** Exports the whole journal: Markdown for reading, CSV for calculations (X-17). */
import { toCsv } from '@fulcrum/domain';
import { sideLabel, toClosedRoe, toNetPnl, toRMultiple } from '../../shared/account/index.ts';
import { formatAmount, formatPercent } from '../../shared/numbers/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { formatClock, formatDay } from '../../shared/time/dates.ts';
import type { JournalEntry } from './entries.ts';

const entryHead = ['Created At', 'Title', 'Tags', 'Content'] as const;
/** Each column with its value of the linked position. */
const tradeColumns = {
  Symbol: ({ symbol }) => symbol,
  Side: ({ side }) => sideLabel(side),
  Leverage: ({ leverage }) => leverage,
  Size: ({ size }) => size,
  Position: ({ status }) => status,
  'Entry Price': ({ entryPrice }) => entryPrice,
  'Close Price': ({ closePrice }) => closePrice,
  'Opened At': ({ createdAt }) => createdAt,
  'Closed At': ({ closedAt }) => closedAt,
  PnL: ({ realizedPnl }) => realizedPnl,
  Fees: ({ fees }) => fees,
  'Net PnL': toNetPnl,
  R: toRMultiple,
} as const satisfies Record<string, (position: Position) => string | number | null>;
const tradeHead = Object.keys(tradeColumns);

export const journalCsv = (entries: readonly JournalEntry[]): string =>
  toCsv(
    [...entryHead, ...tradeHead],
    entries.map(({ createdAt, title, tags, content, position }) => [
      createdAt,
      title,
      tags.join(', '),
      content,
      ...Object.values(tradeColumns).map((cellOf) => (position ? cellOf(position) : null)),
    ]),
  );

/** Escapes the characters that Markdown interprets in a heading. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#]/gu, '\\$&');

function tradeLine(position: Position): string {
  const { symbol, side, leverage, status } = position;
  const what = `${symbol} ${sideLabel(side).toLowerCase()} ${leverage}×`;
  if (status === 'open') return `Trade: ${what}, open`;
  const net = `${formatAmount(toNetPnl(position), 'always')} USDT after fees`;
  return `Trade: ${what}, ${net} (ROE ${formatPercent(toClosedRoe(position))})`;
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
