import { expect, test } from 'vitest';
import type { Position } from '../../shared/supabase/index.ts';
import type { JournalEntry } from './entries.ts';
import { journalCsv, journalMarkdown } from './journal-files.ts';

const entry = (over: Partial<JournalEntry>): JournalEntry => ({
  id: 'e',
  userId: 'u',
  title: 'No trade',
  content: 'Flat.',
  tags: [],
  createdAt: '2026-11-19T12:00:00+00:00',
  updatedAt: '2026-11-19T12:00:00+00:00',
  positionId: null,
  position: null,
  ...over,
});
const position = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  leverage: 10,
  status: 'closed',
  realizedPnl: -12.5,
  fees: 0.6,
  funding: 0,
  rules: 'standard',
  entryPrice: 50_000,
  closePrice: 51_250,
  createdAt: '2026-11-18T09:00:00+00:00',
  closedAt: '2026-11-18T10:00:00+00:00',
  initialStopLossPrice: 50_500,
  size: 0.01,
  margin: 50,
} as Position;

test('CSV: one row per entry, and no text that a program interprets as a formula', () => {
  const csv = journalCsv([
    entry({ title: '=1+1', content: 'a\n"b"', tags: ['x', 'y'], position }),
    entry({}),
  ]);
  expect(csv).toBe(
    'Created At,Title,Tags,Content,Symbol,Side,Leverage,Size,Position,' +
      'Entry Price,Close Price,Opened At,Closed At,PnL,Fees,Net PnL,R\r\n' +
      `2026-11-19T12:00:00+00:00,'=1+1,"x, y","a\n""b""",BTCUSDT,Short,10,0.01,closed,` +
      // The stop risked 500 × 0.01 = 5: −13.1 / 5.
      '50000,51250,2026-11-18T09:00:00+00:00,2026-11-18T10:00:00+00:00,-12.5,0.6,-13.1,-2.62\r\n' +
      '2026-11-19T12:00:00+00:00,No trade,,Flat.,,,,,,,,,,,,,\r\n',
  );
});

test('Markdown: one section per entry, with its trade', () => {
  const text = journalMarkdown([
    entry({ title: '# <b>', tags: ['x'], position }),
    entry({ content: '**Flat.**' }),
  ]);
  expect(text).toContain('## \\# \\<b\\>\n');
  expect(text).toContain('*Trade: BTCUSDT short 10×, −13.10 USDT after fees (ROE −25.00%)*\n\nFlat.\n');
  expect(text).toMatch(/\n---\n\n## No trade\n\n\*Nov \d\d, 2026 \d\d:\d\d\*\n\n\*\*Flat\.\*\*\n$/);
});
