/** Formats the values of a position for the edit dialog. */
import {
  formatAmount,
  formatExact,
  noFigure,
  type Sign,
  usdtDecimals,
} from '../../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import { type EditField, fieldSpecs } from './edit-form.ts';

/** UTC, like the fields: `Nov 18, 2026 09:06`. */
const formatUtc = (iso: string | null): string =>
  iso === null || Number.isNaN(Date.parse(iso))
    ? formatDay(iso)
    : `${formatDay(iso, 'UTC')} ${formatClock(iso, 'UTC')}`;

/** USDT with two decimals, or more where two would hide a difference. */
export function formatMoney(value: number, sign: Sign = 'negative'): string {
  const text = formatAmount(value, sign);
  return value !== 0 && /^[+\u2212]?0\.00$/.test(text) ? formatExact(value, usdtDecimals, sign) : text;
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
