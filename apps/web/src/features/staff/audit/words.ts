/**
 * What a row of the audit log says, in words: the act, and what was before and after it. An act or a column that has no word
 * here is told by its name, so one of a later version is never hidden.
 */

import type { Json } from '@fulcrum/contract/database';
import { isUuid } from '@fulcrum/domain';
import { noFigure } from '../../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';

/** In the order of the filter. */
export const actionGroups = {
  Money: {
    'funds.adjust': 'Funds adjusted',
    'account.reset': 'Account reset',
  },
  'Positions and orders': {
    'position.open': 'Position opened',
    'position.close': 'Position closed',
    'position.close_at_reopen': 'Close at reopening set',
    'position.protect': 'Take profit or stop loss set',
    'position.edit': 'Position edited',
    'order.place': 'Order placed',
    'order.amend': 'Order amended',
    'order.cancel': 'Order cancelled',
    positions_export_asked: 'Export of positions asked for',
    positions_exported: 'Positions exported',
  },
  People: {
    user_created: 'User created',
    profile_changed: 'User edited',
    password_set: 'Password set',
    'account.restrict': 'Trading restricted',
    'account.lift_restriction': 'Restriction lifted',
    'account.delete': 'User deleted',
    impersonation_started: 'Impersonation started',
    impersonation_ended: 'Impersonation ended',
  },
  'Identity checks': {
    kyc_submitted: 'Check submitted',
    kyc_document_viewed: 'Document viewed',
    kyc_approved: 'Check approved',
    kyc_rejected: 'Check rejected',
  },
  'Support and messages': {
    chat_session_closed: 'Chat closed',
    contact_form_read: 'Message read',
    contact_form_replied: 'Message replied',
    contact_form_archived: 'Message archived',
  },
  Platform: {
    'trading.halt': 'Trading halted',
    'trading.resume': 'Trading resumed',
    'price.accept': 'Price accepted',
    'price.reject': 'Price rejected',
    'price.shock': 'Price moved',
    'replay.set': 'Replay set',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const actionWords: ReadonlyMap<string, string> = new Map(
  Object.values(actionGroups).flatMap((group) => Object.entries(group)),
);

/** `margin_call` as `Margin call`. */
const fromName = (name: string): string => {
  const words = name.replace(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const actionWord = (action: string): string => actionWords.get(action) ?? fromName(action);

const fieldWords: Readonly<Record<string, string>> = {
  id: 'ID',
  pnl: 'PnL',
  realized_pnl: 'Realized PnL',
  unrealized_pnl: 'Unrealized PnL',
  sessions_ended: 'Sessions ended',
  manager_id: 'Manager',
  user_id: 'User',
  from: 'Was',
  answered: 'Answered',
  how: 'How',
};

export const fieldWord = (name: string): string =>
  fieldWords[name] ?? fromName(name.replace(/_id$/, '_ID').replace(/_at$/, ''));

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** What stands for an email, a name or a phone number: the log outlives the person. */
const mark = /^#[0-9a-f]{16}$/;
const notKept = 'Not kept';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 8 });

/** One value of a row's detail. */
export function valueWord(value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return noFigure;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return grouped.format(value).replace('-', '\u2212');
  if (typeof value === 'string') {
    if (mark.test(value)) return `${notKept} (${value})`;
    return instant.test(value) ? `${formatDay(value)} ${formatClock(value)}` : value;
  }
  if (Array.isArray(value)) return value.length === 0 ? noFigure : value.map(valueWord).join(', ');
  const parts = Object.entries(value).map(([name, part]) => `${fieldWord(name)} ${valueWord(part)}`);
  return parts.length === 0 ? noFigure : parts.join(', ');
}

/** The name of a manager; undefined for who is none any more. */
export type NameOf = (id: string) => string | undefined;
const nobody: NameOf = () => undefined;

const changedWord = (field: string, value: Json | undefined, nameOf: NameOf): string =>
  (field === 'manager_id' && typeof value === 'string' ? nameOf(value) : undefined) ?? valueWord(value);

export interface Change {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

export interface Fact {
  readonly field: string;
  readonly value: string;
}

type JsonObject = { readonly [name: string]: Json | undefined };
const objectOf = (value: Json | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;

/** Of a position or order that an act was answered with, what says which one it is and what it is worth, in this order. */
const rowFields: readonly string[] = [
  'symbol',
  'side',
  'type',
  'status',
  'size',
  'leverage',
  'price',
  'stop_price',
  'entry_price',
  'close_price',
  'margin',
  'liquidation_price',
  'take_profit_price',
  'stop_loss_price',
  'realized_pnl',
  'fees',
  'close_reason',
];
/** Of the row and not of what was done: whose it is and which one stand beside the act. */
const inwardFields: ReadonlySet<string> = new Set(['id', 'user_id', 'version', 'rules', 'edited_at']);

/** Where a column stands; what is no column of a position or order comes last, in the order in which it was written. */
function rankOf(name: string): number {
  const place = rowFields.indexOf(name);
  return place === -1 ? rowFields.length : place;
}

/** A whole position or order in the answer to an act, without what is empty; a column of a later version comes last. */
function factsOfRow(row: JsonObject): readonly Fact[] {
  return Object.entries(row)
    .filter(([name, value]) => value !== null && !inwardFields.has(name))
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([name, value]) => ({ field: fieldWord(name), value: valueWord(value) }));
}

const isRow = ({ symbol, side, size }: JsonObject): boolean =>
  typeof symbol === 'string' && typeof side === 'string' && typeof size === 'number';

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 });
const signed = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 8,
  signDisplay: 'exceptZero',
});
const signedWord = (value: number): string => signed.format(value).replace('-', '\u2212');

/** The act in figures, for its line in the list; null where its name says it all. */
export function summaryOf(detail: Json, nameOf: NameOf = nobody): string | null {
  const whole = objectOf(detail);
  if (whole === null) return null;
  const { amount, symbol, side, size, price, entry_price: entry, realized_pnl: pnl } = whole;
  if (isRow(whole)) {
    const at = typeof entry === 'number' ? entry : price;
    const where = typeof at === 'number' ? ` at ${valueWord(at)}` : '';
    const result = typeof pnl === 'number' ? `, PnL ${signedWord(pnl)}` : '';
    return `${symbol} ${side} ${valueWord(size)}${where}${result}`;
  }
  if (typeof amount === 'number') {
    const balance = objectOf(whole.after)?.balance;
    return `${signedWord(amount)} USDT${typeof balance === 'number' ? `, balance ${money.format(balance)}` : ''}`;
  }
  const { changes } = readDetail(detail, nameOf);
  const [first, ...others] = changes.filter(({ before, after }) => before !== after);
  if (!first || [first.before, first.after].some((value) => isUuid(value) || value.startsWith(notKept)))
    return first ? [first, ...others].map(({ field }) => field).join(', ') : null;
  const more = others.length === 0 ? '' : `, ${others.length} more`;
  return `${first.field} ${first.before} → ${first.after}${more}`;
}

/** What changed, side by side, and what else the row has to say. */
export function readDetail(
  detail: Json,
  nameOf: NameOf = nobody,
): {
  /** Whether it says what was before and after, also where that is the same. */
  readonly isChange: boolean;
  readonly changes: readonly Change[];
  readonly facts: readonly Fact[];
} {
  const whole = objectOf(detail);
  if (whole === null)
    return { isChange: false, changes: [], facts: [{ field: 'Detail', value: valueWord(detail) }] };
  if (isRow(whole)) return { isChange: false, changes: [], facts: factsOfRow(whole) };
  const [before, after] = [objectOf(whole.before), objectOf(whole.after)];
  const isChange = before !== null || after !== null;
  // The database keeps the columns by the length of their names, which would put the margin before the leverage that moved it.
  const fields = isChange
    ? [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort(
        (one, other) => rankOf(one) - rankOf(other),
      )
    : [];
  return {
    isChange,
    changes: fields.map((field) => ({
      field: fieldWord(field),
      before: changedWord(field, before?.[field], nameOf),
      after: changedWord(field, after?.[field], nameOf),
    })),
    facts: Object.entries(whole)
      .filter(([name]) => !(isChange && (name === 'before' || name === 'after')))
      .map(([name, value]) => ({ field: fieldWord(name), value: valueWord(value) })),
  };
}
