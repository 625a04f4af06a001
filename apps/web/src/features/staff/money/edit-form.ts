/**
 * The figures of a position as they are typed, and what of them is a change. Invariants: what was not touched is sent as
 * nothing, however the field shows it; a decimal is exact; times are UTC, as the field says.
 */
import { texts as sentences } from '@fulcrum/contract/texts';
import { DecimalError, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { EditChanges, EditedPosition } from './requests.ts';

export const fields = [
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
export type EditField = (typeof fields)[number];
export type EditTexts = Readonly<Record<EditField, string>>;
type Edited = Pick<EditedPosition, EditField | 'status'>;

interface FieldLook {
  readonly label: string;
  readonly kind: 'side' | 'price' | 'pnl' | 'leverage' | 'time';
  /** Of the arrow keys (ADMIN-65 to ADMIN-69); nothing is held to it (A26). */
  readonly step: string;
  /** ADMIN-70, A09: empty is a PnL of 0 and a liquidation price that is worked out; closed is at a price and a time. */
  readonly mayBeEmpty: boolean;
  /** A09: an open position has none yet. */
  readonly closedOnly: boolean;
}
const needed = { mayBeEmpty: false, closedOnly: false } as const;
const ofClosed = { mayBeEmpty: false, closedOnly: true } as const;
export const looks = {
  side: { label: 'Side', kind: 'side', step: '1', ...needed },
  entry_price: { label: 'Entry Price', kind: 'price', step: '0.000001', ...needed },
  close_price: { label: 'Close Price', kind: 'price', step: '0.000001', ...ofClosed },
  size: { label: 'Size', kind: 'price', step: '0.01', ...needed },
  leverage: { label: 'Leverage', kind: 'leverage', step: '1', ...needed },
  realized_pnl: { label: 'Realized PnL', kind: 'pnl', step: '0.01', mayBeEmpty: true, closedOnly: true },
  liquidation_price: {
    label: 'Liquidation Price',
    kind: 'price',
    step: '0.000001',
    mayBeEmpty: true,
    closedOnly: false,
  },
  created_at: { label: 'Created At', kind: 'time', step: '1', ...needed },
  closed_at: { label: 'Closed At', kind: 'time', step: '1', ...ofClosed },
} as const satisfies Record<EditField, FieldLook>;

export const maxLeverage = 125;

/** As a field shows it. */
export function textsOf(position: Edited): EditTexts {
  const decimal = (value: number | null) => (value === null ? '' : toDecimalString(parseDecimal(value)));
  return {
    side: position.side,
    entry_price: decimal(position.entry_price),
    close_price: decimal(position.close_price),
    size: decimal(position.size),
    leverage: String(position.leverage),
    realized_pnl: decimal(position.realized_pnl),
    liquidation_price: decimal(position.liquidation_price),
    created_at: utcText(position.created_at),
    closed_at: utcText(position.closed_at),
  };
}

/** To the second, in UTC. */
const utcText = (iso: string | null): string =>
  iso === null || Number.isNaN(Date.parse(iso))
    ? ''
    : new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

type ReadField =
  | { readonly kind: 'same' }
  | { readonly kind: 'change'; readonly value: string | number | null }
  | { readonly kind: 'wrong'; readonly text: string };
const same: ReadField = { kind: 'same' };
const wrong = (text: string): ReadField => ({ kind: 'wrong', text });

function readField(field: EditField, text: string, shown: string): ReadField {
  const { label, kind, mayBeEmpty } = looks[field];
  const typed = text.trim();
  if (typed === shown) return same;
  if (typed === '') return mayBeEmpty ? { kind: 'change', value: null } : wrong(`${label} cannot be empty.`);
  if (kind === 'side') return { kind: 'change', value: typed };
  if (kind === 'time') return readTime(label, typed);
  if (kind === 'leverage') {
    const leverage = Number(typed);
    return Number.isInteger(leverage) && leverage >= 1 && leverage <= maxLeverage
      ? { kind: 'change', value: leverage }
      : wrong(sentences.leverageInvalid);
  }
  const units = unitsOf(typed);
  if (units === null) return wrong(`${label} must be a number with at most 8 decimals.`);
  if (kind === 'price' && units <= 0n) return wrong(`${label} must be above 0.`);
  const value = toDecimalString(units);
  return value === shown ? same : { kind: 'change', value };
}

function unitsOf(text: string): bigint | null {
  const plain = text.replace(/^\u2212/, '-').replace(/^\+/, '');
  try {
    return parseDecimal(plain.replace(/^(-?)\./, '$10.'));
  } catch (cause) {
    if (cause instanceof DecimalError) return null;
    throw cause;
  }
}

const timeForm = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)Z?$/;
function readTime(label: string, text: string): ReadField {
  const [, day, clock] = timeForm.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${clock}Z`);
  // A day that no month has rolls over in some engines.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) {
    return wrong(`${label} must be a time such as 2026-11-18 09:06.`);
  }
  return { kind: 'change', value: new Date(at).toISOString() };
}

export interface ReadForm {
  readonly changes: EditChanges;
  readonly changed: readonly EditField[];
  readonly wrong: Readonly<Partial<Record<EditField, string>>>;
}

/** What is asked of `position`, which the fields showed before they were typed in. */
export function readForm(position: Edited, texts: EditTexts): ReadForm {
  const shown = textsOf(position);
  const changes: Record<string, string | number | null> = {};
  const changed: EditField[] = [];
  const faults: Partial<Record<EditField, string>> = {};
  for (const field of fields) {
    if (looks[field].closedOnly && position.status === 'open') continue;
    const read = readField(field, texts[field], shown[field]);
    if (read.kind === 'same') continue;
    changed.push(field);
    if (read.kind === 'change') changes[field] = read.value;
    else faults[field] = read.text;
  }
  return { changes, changed, wrong: faults };
}

/** One step of the arrow keys; a text that is no number stays. */
export function stepText(field: EditField, text: string, steps: bigint): string {
  const { step, kind } = looks[field];
  const units = unitsOf(text.trim() === '' ? '0' : text.trim());
  if (units === null) return text;
  const one = parseDecimal(step);
  const next = units + steps * one;
  if (kind === 'pnl') return toDecimalString(next);
  const stepped = next < one ? one : next;
  const most = parseDecimal(maxLeverage);
  return toDecimalString(kind === 'leverage' && stepped > most ? most : stepped);
}

/** Fields that somebody else changed since `seen`. */
export function changedBetween(seen: Edited, now: Edited): readonly EditField[] {
  const [before, after] = [textsOf(seen), textsOf(now)];
  return fields.filter((field) => before[field] !== after[field]);
}

/** My changes upon their version: a field that I left alone becomes theirs. */
export function rebased(seen: Edited, now: Edited, texts: EditTexts): EditTexts {
  const [before, after] = [textsOf(seen), textsOf(now)];
  const next: Record<string, string> = {};
  for (const field of fields)
    next[field] = texts[field].trim() === before[field] ? after[field] : texts[field];
  return { ...after, ...next };
}
