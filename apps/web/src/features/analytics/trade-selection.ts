/** Which trades stand behind a bar or a row of the analytics: those of a day, of an hour of the day or of a symbol, in local time. */
import type { UrlField } from '../../shared/url-state/index.ts';
import { formatDayLabel, localDay } from './days.ts';

export type TradeSelection =
  | { readonly kind: 'day'; readonly value: string }
  | { readonly kind: 'hour'; readonly value: number }
  | { readonly kind: 'symbol'; readonly value: string };

interface Trade {
  readonly symbol: string;
  /** ISO 8601; null while it is open. */
  readonly closedAt: string | null;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const hourPattern = /^(?:[01]?\d|2[0-3])$/;
const symbolLength = 20;

function parse(text: string | null): TradeSelection | null {
  const [kind, value = ''] = text?.split(' ', 2) ?? [];
  if (kind === 'day' && dayPattern.test(value) && !Number.isNaN(Date.parse(value))) return { kind, value };
  if (kind === 'hour' && hourPattern.test(value)) return { kind, value: Number(value) };
  if (kind === 'symbol' && value !== '' && value.length <= symbolLength) return { kind, value };
  return null;
}

/** In the address: `day 2026-11-20`, `hour 14` or `symbol BTCUSDT`. */
export const tradeSelectionField: UrlField<TradeSelection | null> = {
  parameter: 'trades',
  parse,
  format: (selection) => (selection === null ? null : `${selection.kind} ${selection.value}`),
};

/** Such as `Trades closed on Fri 20 Nov`. */
export function describeSelection(selection: TradeSelection): string {
  switch (selection.kind) {
    case 'day':
      return `Trades closed on ${formatDayLabel(selection.value)}`;
    case 'hour':
      return `Trades closed from ${selection.value}:00 to ${selection.value}:59`;
    case 'symbol':
      return `Trades in ${selection.value}`;
  }
}

/** `from` is the beginning of the analytics' range, ms since the epoch; null for no bound. */
export function isBehind(
  selection: TradeSelection,
  { symbol, closedAt }: Trade,
  from: number | null,
): boolean {
  if (closedAt === null) return false;
  const at = Date.parse(closedAt);
  if (from !== null && at < from) return false;
  switch (selection.kind) {
    case 'day':
      return localDay(at) === selection.value;
    case 'hour':
      return new Date(at).getHours() === selection.value;
    case 'symbol':
      return symbol === selection.value;
  }
}
