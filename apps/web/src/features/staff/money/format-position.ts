/** Formats the values of a position for the edit dialog. */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import { formatAmount, formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { invalidDateText, neverText } from '../../../shared/time/dates.ts';
import { type EditField, fieldSpecs } from './edit-form.ts';

const utcDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
});
const utcClock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** UTC, like the fields: `Nov 18, 2026 09:06`. */
function formatUtc(iso: string | null): string {
  if (iso === null) return neverText;
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? invalidDateText : `${utcDay.format(at)} ${utcClock.format(at)}`;
}

const minDecimals = 2;
const countDecimals = (value: number): number =>
  Math.max(minDecimals, toDecimalString(parseDecimal(value)).split('.')[1]?.length ?? 0);

/** A price or size with all its decimals. */
export const formatExact = (value: number | null): string =>
  value === null ? noFigure : formatFigure(value, countDecimals(value));

/** USDT with two decimals, or more where two would hide a difference. */
export function formatMoney(value: number, sign: 'negative' | 'always' = 'negative'): string {
  const text = formatAmount(value, sign);
  return value !== 0 && /^[+\u2212]?0\.00$/.test(text)
    ? formatFigure(value, countDecimals(value), sign)
    : text;
}

/** Formats a stored value by its column name. */
export function formatValue(column: string, value: string | number | boolean | null): string {
  if (column === 'leverage') return `${value}×`;
  if (column === 'realized_pnl') return value === null ? noFigure : formatMoney(Number(value), 'always');
  if (column === 'margin') return value === null ? noFigure : formatMoney(Number(value));
  if (column.endsWith('_at')) return formatUtc(value === null ? null : String(value));
  if (typeof value === 'number' || value === null) return formatExact(value);
  return String(value);
}

const derivedColumnLabels: Readonly<Record<string, string>> = {
  margin: 'Margin',
  take_profit_price: 'Take profit',
  stop_loss_price: 'Stop loss',
  initial_stop_loss_price: 'First stop loss',
};
export const columnLabel = (column: string): string =>
  column in fieldSpecs
    ? fieldSpecs[column as EditField].label
    : (derivedColumnLabels[column] ?? column.replaceAll('_', ' '));
