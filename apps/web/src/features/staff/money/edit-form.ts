/**
 * The typed values of a position, and the changes in them. Invariants: an untouched field is never sent, however it is
 * formatted; decimals are exact; times are UTC, as the fields state.
 */
import { texts as sentences } from '@fulcrum/contract/texts';
import { DecimalError, isLeverage, MAX_LEVERAGE, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { toPlainMinus } from '../../../shared/numbers/index.ts';
import type { EditChanges, EditedPosition } from './requests.ts';

export const editFields = [
  'side',
  'entry_price',
  'close_price',
  'size',
  'leverage',
  'realized_pnl',
  'liquidation_price',
  'created_at',
  'closed_at',
] as const;
export type EditField = (typeof editFields)[number];
export type EditTexts = Readonly<Record<EditField, string>>;
type Edited = Pick<EditedPosition, EditField | 'status'>;

interface FieldSpec {
  readonly label: string;
  readonly kind: 'side' | 'price' | 'pnl' | 'leverage' | 'time';
  /** The step of the arrow keys (ADMIN-65 to ADMIN-69); typed values need not be multiples of it (A26). */
  readonly step: string;
  /**
   * An empty PnL is 0 and an empty liquidation price is computed; a closed position needs a price and a time (ADMIN-70, A09).
   */
  readonly mayBeEmpty: boolean;
  /** An open position has no such value (A09). */
  readonly closedOnly: boolean;
}
const required = { mayBeEmpty: false, closedOnly: false } as const;
const requiredOnceClosed = { mayBeEmpty: false, closedOnly: true } as const;
export const fieldSpecs = {
  side: { label: 'Side', kind: 'side', step: '1', ...required },
  entry_price: { label: 'Entry Price', kind: 'price', step: '0.000001', ...required },
  close_price: { label: 'Close Price', kind: 'price', step: '0.000001', ...requiredOnceClosed },
  size: { label: 'Size', kind: 'price', step: '0.01', ...required },
  leverage: { label: 'Leverage', kind: 'leverage', step: '1', ...required },
  realized_pnl: { label: 'Realized PnL', kind: 'pnl', step: '0.01', mayBeEmpty: true, closedOnly: true },
  liquidation_price: {
    label: 'Liquidation Price',
    kind: 'price',
    step: '0.000001',
    mayBeEmpty: true,
    closedOnly: false,
  },
  created_at: { label: 'Created At', kind: 'time', step: '1', ...required },
  closed_at: { label: 'Closed At', kind: 'time', step: '1', ...requiredOnceClosed },
} as const satisfies Record<EditField, FieldSpec>;

/** The texts that the fields show. */
export function toEditTexts(position: Edited): EditTexts {
  const decimal = (value: number | null) => (value === null ? '' : toDecimalString(parseDecimal(value)));
  return {
    side: position.side,
    entry_price: decimal(position.entry_price),
    close_price: decimal(position.close_price),
    size: decimal(position.size),
    leverage: String(position.leverage),
    realized_pnl: decimal(position.realized_pnl),
    liquidation_price: decimal(position.liquidation_price),
    created_at: formatUtcSeconds(position.created_at),
    closed_at: formatUtcSeconds(position.closed_at),
  };
}

/** Formats a time to the second, in UTC. */
const formatUtcSeconds = (iso: string | null): string =>
  iso === null || Number.isNaN(Date.parse(iso))
    ? ''
    : new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

type ParsedField =
  | { readonly kind: 'same' }
  | { readonly kind: 'change'; readonly value: string | number | null }
  | { readonly kind: 'wrong'; readonly text: string };
const unchanged: ParsedField = { kind: 'same' };
const invalid = (text: string): ParsedField => ({ kind: 'wrong', text });

function parseField(field: EditField, text: string, shown: string): ParsedField {
  const { label, kind, mayBeEmpty } = fieldSpecs[field];
  const typed = text.trim();
  if (typed === shown) return unchanged;
  if (typed === '')
    return mayBeEmpty ? { kind: 'change', value: null } : invalid(`${label} cannot be empty.`);
  if (kind === 'side') return { kind: 'change', value: typed };
  if (kind === 'time') return parseTime(label, typed);
  if (kind === 'leverage') {
    const leverage = Number(typed);
    return isLeverage(leverage) ? { kind: 'change', value: leverage } : invalid(sentences.leverageInvalid);
  }
  const units = parseUnits(typed);
  if (units === null) return invalid(`${label} must be a number with at most 8 decimals.`);
  if (kind === 'price' && units <= 0n) return invalid(`${label} must be above 0.`);
  const value = toDecimalString(units);
  return value === shown ? unchanged : { kind: 'change', value };
}

function parseUnits(text: string): bigint | null {
  const plain = text.startsWith('+') ? text.slice(1) : toPlainMinus(text);
  try {
    return parseDecimal(plain.replace(/^(-?)\./, '$10.'));
  } catch (cause) {
    if (cause instanceof DecimalError) return null;
    throw cause;
  }
}

const timePattern = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)Z?$/;
function parseTime(label: string, text: string): ParsedField {
  const [, day, clock] = timePattern.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${clock}Z`);
  // Some engines roll over a day that the month does not have.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) {
    return invalid(`${label} must be a time such as 2026-11-18 09:06.`);
  }
  return { kind: 'change', value: new Date(at).toISOString() };
}

export interface ParsedForm {
  readonly changes: EditChanges;
  readonly changed: readonly EditField[];
  readonly errors: Readonly<Partial<Record<EditField, string>>>;
}

/** Parses the texts into changes of `position`, whose values the fields showed initially. */
export function parseForm(position: Edited, texts: EditTexts): ParsedForm {
  const shown = toEditTexts(position);
  const changes: Record<string, string | number | null> = {};
  const changed: EditField[] = [];
  const errors: Partial<Record<EditField, string>> = {};
  for (const field of editFields) {
    if (fieldSpecs[field].closedOnly && position.status === 'open') continue;
    const parsed = parseField(field, texts[field], shown[field]);
    if (parsed.kind === 'same') continue;
    changed.push(field);
    if (parsed.kind === 'change') changes[field] = parsed.value;
    else errors[field] = parsed.text;
  }
  return { changes, changed, errors };
}

/** The text after one step of an arrow key; a text that is no number stays. */
export function stepFieldText(field: EditField, text: string, steps: bigint): string {
  const { step, kind } = fieldSpecs[field];
  const units = parseUnits(text.trim() === '' ? '0' : text.trim());
  if (units === null) return text;
  const one = parseDecimal(step);
  const next = units + steps * one;
  if (kind === 'pnl') return toDecimalString(next);
  const stepped = next < one ? one : next;
  const max = parseDecimal(MAX_LEVERAGE);
  return toDecimalString(kind === 'leverage' && stepped > max ? max : stepped);
}

/** The fields that another user changed since `seen`. */
export function changedFields(seen: Edited, now: Edited): readonly EditField[] {
  const [before, after] = [toEditTexts(seen), toEditTexts(now)];
  return editFields.filter((field) => before[field] !== after[field]);
}

/** Applies the user's changes to the newer version; untouched fields take its values. */
export function rebase(seen: Edited, now: Edited, texts: EditTexts): EditTexts {
  const [before, after] = [toEditTexts(seen), toEditTexts(now)];
  const next: Record<string, string> = {};
  for (const field of editFields)
    next[field] = texts[field].trim() === before[field] ? after[field] : texts[field];
  return { ...after, ...next };
}
