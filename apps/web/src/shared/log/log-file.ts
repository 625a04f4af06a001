/**
 * Formats the log as a file for error reports (A105): one JSON object a line, the newest last, without secrets. Limit: half a
 * million characters; the oldest entries are left out, and the first line states how many.
 */
import type { Entry } from './log.ts';
import { redact, redactText } from './redact.ts';

const charactersMax = 500_000;

interface LogContext {
  readonly now: Date;
  /** Path of the page, without its query. */
  readonly path: string;
  readonly browser: string;
}

const formatEntry = ({ timestamp, level, category, message, data }: Entry): string =>
  JSON.stringify({
    timestamp,
    level,
    category,
    message: redactText(message),
    ...(data !== undefined && { data: redact(data) }),
  });

/** Returns the file's text. */
export function formatLog(entries: readonly Entry[], { now, path, browser }: LogContext): string {
  const newestFirst: string[] = [];
  let length = 0;
  for (const entry of entries.toReversed()) {
    const line = formatEntry(entry);
    length += line.length + 1;
    if (length > charactersMax) break;
    newestFirst.push(line);
  }
  const head = {
    app: 'Fulcrum',
    written: now.toISOString(),
    path: redactText(path),
    browser,
    entries: newestFirst.length,
    left_out: entries.length - newestFirst.length,
  };
  return `${[JSON.stringify(head), ...newestFirst.toReversed()].join('\n')}\n`;
}

/** `fulcrum-log-20261121-0930.txt`, in UTC (A78). */
export function logFileName(now: Date): string {
  const [day, time] = now.toISOString().split('T');
  return `fulcrum-log-${day?.replaceAll('-', '')}-${time?.slice(0, 5).replace(':', '')}.txt`;
}
