/** A recorded day for a server that replays one. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Half an hour of Apple whose fifth minute is the split of 2014, beside a quiet index. */
export function recordedSplit(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-split-'));
  const begin = Date.UTC(2014, 5, 9, 8);
  const lines = ['symbol,open_time,open,high,low,close,volume'];
  for (let minute = 0; minute < 30; minute += 1) {
    const [open, low, close] = minute < 5 ? [645, 644, 645] : minute > 5 ? [92, 91.9, 92] : [645, 91.9, 92];
    lines.push(`AAPL,${begin + minute * 60_000},${open},${open},${low},${close},10`);
  }
  for (let minute = 0; minute < 30; minute += 1)
    lines.push(`SPX,${begin + minute * 60_000},1950,1951,1949,1950,0`);
  writeFileSync(join(folder, 'split.csv'), `${lines.join('\n')}\n`);
  return folder;
}

/** A day of one-minute candles in the recorded files' form; a seesaw, so that every minute moves. */
export function recordedDay(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-recorded-'));
  const midnight = Date.UTC(2022, 11, 13);
  const lines = ['symbol,open_time,open,high,low,close,volume'];
  for (let minute = 0; minute < 1440; minute += 1) {
    const open = 17_000 + (minute % 60) * 5;
    const close = 17_000 + ((minute + 1) % 60) * 5;
    const [low, high] = [Math.min(open, close) - 3, Math.max(open, close) + 3];
    lines.push(`BTCUSDT,${midnight + minute * 60_000},${open},${high},${low},${close},${1 + (minute % 7)}`);
  }
  writeFileSync(join(folder, 'BTCUSDT-2022-12-13.csv'), `${lines.join('\n')}\n`);
  return folder;
}
