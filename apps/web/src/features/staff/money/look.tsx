/** How values of a position look in this window. */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import { formatAmount, formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { invalidDateText, neverText } from '../../../shared/time/dates.ts';
import { type EditField, looks } from './edit-form.ts';

const utcDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
});
const utcClock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** In UTC, as the fields are: `Nov 18, 2026 09:06`. */
function utcMoment(iso: string | null): string {
  if (iso === null) return neverText;
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? invalidDateText : `${utcDay.format(at)} ${utcClock.format(at)}`;
}

const minDecimals = 2;
const decimalsOf = (value: number): number =>
  Math.max(minDecimals, toDecimalString(parseDecimal(value)).split('.')[1]?.length ?? 0);

/** A price or size with all the decimals that it has. */
export const exact = (value: number | null): string =>
  value === null ? noFigure : formatFigure(value, decimalsOf(value));

/** USDT with two decimals, and with more where two would hide it. */
export function money(value: number, sign: 'negative' | 'always' = 'negative'): string {
  const text = formatAmount(value, sign);
  return value !== 0 && /^[+\u2212]?0\.00$/.test(text) ? formatFigure(value, decimalsOf(value), sign) : text;
}

/** Of a stored value, under the column's name. */
export function valueText(column: string, value: string | number | boolean | null): string {
  if (column === 'leverage') return `${value}×`;
  if (column === 'realized_pnl') return value === null ? noFigure : money(Number(value), 'always');
  if (column === 'margin') return value === null ? noFigure : money(Number(value));
  if (column.endsWith('_at')) return utcMoment(value === null ? null : String(value));
  if (typeof value === 'number' || value === null) return exact(value);
  return String(value);
}

const followers: Readonly<Record<string, string>> = {
  margin: 'Margin',
  take_profit_price: 'Take profit',
  stop_loss_price: 'Stop loss',
  initial_stop_loss_price: 'First stop loss',
};
export const columnName = (column: string): string =>
  column in looks ? looks[column as EditField].label : (followers[column] ?? column.replaceAll('_', ' '));
