/**
 * Labels and summaries of audit entries: the action, and the values before and after it. An action or column without a label
 * gets one made from its name, so that one of a later version is never hidden.
 */

import { type AuditAction, toPresentAction } from '@fulcrum/contract/audit-actions';
import type { Json } from '@fulcrum/contract/database';
import { isUuid } from '@fulcrum/domain';
import { formatExact, noFigure, usdtDecimals } from '../../../shared/numbers/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';

/** Labels by group, in the order of the filter. */
export const actionGroups = {
  Money: {
    'funds.adjust': 'Funds adjusted',
    'account.reset': 'Account reset',
  },
  'Positions and orders': {
    'position.open': 'Position opened',
    'position.close': 'Position closed',
    'position.reverse': 'Position reversed',
    'position.close_at_reopen': 'Close at next price set',
    'position.protect': 'Take profit or stop loss set',
    'position.adjust_margin': 'Margin added or taken out',
    'position.edit': 'Position edited',
    'leverage.set': 'Leverage of a market set',
    'order.place': 'Order placed',
    'order.amend': 'Order amended',
    'order.cancel': 'Order cancelled',
    'positions.request_export': 'Export of positions requested',
    'positions.export': 'Positions exported',
  },
  Users: {
    'user.create': 'User created',
    'users.import': 'Users imported',
    'user.invite_again': 'User invited again',
    'user.edit': 'User edited',
    'user.set_password': 'Password set',
    'account.restrict': 'Trading restricted',
    'account.lift_restriction': 'Restriction lifted',
    'account.delete': 'User deleted',
    'account.set_own_limits': 'Own limits set',
    'class.create': 'Class created',
    'class.edit': 'Class edited',
    'class.add_member': 'Member of a class added',
    'class.message': 'Message to a class',
    'class.remove_member': 'Member of a class removed',
    'contest.create': 'Contest created',
    'contest.edit': 'Contest edited',
    'contest.withdraw': 'Contest withdrawn',
    'contest.enter': 'Contest entered',
    'contest.commit_market': 'Prices of a contest committed to',
    'contest.end': 'Contest ended',
    'challenge.create': 'Challenge created',
    'challenge.edit': 'Challenge edited',
    'challenge.start': 'Challenge started',
    'challenge.pass': 'Step of a challenge passed',
    'challenge.fail': 'Challenge not passed',
    'challenge.advance': 'Next step of a challenge opened',
    'challenge.complete': 'Challenge passed',
    'invitation.create': 'Invitation created',
    'invitation.revoke': 'Invitation revoked',
    'api_key.create': 'API key created',
    'api_key.revoke': 'API key revoked',
    'impersonation.start': 'Impersonation started',
    'impersonation.enter_account': 'Account entered',
    'impersonation.end': 'Impersonation ended',
  },
  Journal: {
    'journal_entries.insert': 'Journal entry written',
    'journal_entries.update': 'Journal entry changed',
    'journal_entries.delete': 'Journal entry deleted',
    'playbooks.insert': 'Playbook made',
    'playbooks.update': 'Playbook changed',
    'playbooks.delete': 'Playbook deleted',
    'playbook_trades.insert': 'Playbook of a trade chosen',
    'playbook_trades.update': 'Playbook of a trade changed',
    'playbook_trades.delete': 'Playbook of a trade removed',
  },
  'Identity checks': {
    'kyc.submit': 'Check submitted',
    'kyc.view_document': 'Document viewed',
    'kyc.claim': 'Check claimed',
    'kyc.release': 'Check released',
    'kyc.discard_pictures': 'Pictures deleted by retention',
    'kyc.approve': 'Check approved',
    'kyc.reject': 'Check rejected',
  },
  'Support and messages': {
    'chat_session.close': 'Chat closed',
    'chat_session.assign': 'Chat assigned',
    'chat_session.tag': 'Chat tagged',
    'chat_session.snooze': 'Chat snoozed',
    'chat_tag.delete': 'Tag of chats deleted',
    'team_reply.save': 'Reply of the team saved',
    'team_reply.delete': 'Reply of the team deleted',
    'contact_form.read': 'Message read',
    'contact_form.reply': 'Message replied',
    'contact_form.archive': 'Message archived',
  },
  Signals: {
    'signal_hook.create': 'Address for signals made',
    'signal_hook.revoke': 'Address for signals revoked',
  },
  Files: {
    'list.request_export': 'Export of a list requested',
    'list.export': 'List exported',
  },
  Platform: {
    'trading.halt': 'Trading halted',
    'trading.resume': 'Trading resumed',
    'price.accept': 'Price accepted',
    'price.reject': 'Price rejected',
    'price.shock': 'Price moved',
    'replay.set': 'Replay set',
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<AuditAction, string>>>>>;

const actionLabels: ReadonlyMap<string, string> = new Map(
  Object.values(actionGroups).flatMap((group) => Object.entries(group)),
);

/** `margin_call` as `Margin call`. */
const labelFromName = (name: string): string => {
  const label = name.replace(/[._]+/g, ' ').trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
};

export function actionLabel(stored: string): string {
  const action = toPresentAction(stored);
  return actionLabels.get(action) ?? labelFromName(action);
}

const fieldLabels: Readonly<Record<string, string>> = {
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

export const fieldLabel = (name: string): string =>
  fieldLabels[name] ?? labelFromName(name.replace(/_id$/, '_ID').replace(/_at$/, ''));

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** The pseudonym of an email, name or phone number: the log outlives the user. */
const pseudonymPattern = /^#[0-9a-f]{16}$/;
const notStoredText = 'Not stored';

/** Formats one value of an entry's detail. */
export function formatValue(value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return noFigure;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatExact(value, 0);
  if (typeof value === 'string') {
    if (pseudonymPattern.test(value)) return `${notStoredText} (${value})`;
    return instantPattern.test(value) ? `${formatDay(value)} ${formatClock(value)}` : value;
  }
  if (Array.isArray(value)) return value.length === 0 ? noFigure : value.map(formatValue).join(', ');
  const parts = Object.entries(value).map(([name, part]) => `${fieldLabel(name)} ${formatValue(part)}`);
  return parts.length === 0 ? noFigure : parts.join(', ');
}

/** The name of a manager; undefined for a user who is no longer one. */
export type GetManagerName = (id: string) => string | undefined;
const noName: GetManagerName = () => undefined;

const formatChangedValue = (field: string, value: Json | undefined, getManagerName: GetManagerName): string =>
  (field === 'manager_id' && typeof value === 'string' ? getManagerName(value) : undefined) ??
  formatValue(value);

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
const toObject = (value: Json | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;

/** The columns that summarize a position or order, in this order. */
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
/** Columns left out of the facts: the entry itself shows the user and the object. */
const hiddenFields: ReadonlySet<string> = new Set(['id', 'user_id', 'version', 'rules', 'edited_at']);

/** The rank of a column; an unknown one comes last, in the stored order. */
function columnRank(name: string): number {
  const index = rowFields.indexOf(name);
  return index === -1 ? rowFields.length : index;
}

/** The facts of a whole position or order, without empty columns; an unknown column comes last. */
function rowFacts(row: JsonObject): readonly Fact[] {
  return Object.entries(row)
    .filter(([name, value]) => value !== null && !hiddenFields.has(name))
    .sort(([one], [other]) => columnRank(one) - columnRank(other))
    .map(([name, value]) => ({ field: fieldLabel(name), value: formatValue(value) }));
}

/** The trading account besides the main one that an entry is about; null for a main account (A112). */
export function accountIdOf(detail: Json): string | null {
  const id = toObject(detail)?.account_id;
  return typeof id === 'string' && isUuid(id) ? id : null;
}

const isPositionOrOrder = ({ symbol, side, size }: JsonObject): boolean =>
  typeof symbol === 'string' && typeof side === 'string' && typeof size === 'number';

/** `Trader, manager mona, 10,000.00 USDT`: what is known of a new user besides the names, which are not stored. */
function formatCreatedUser(detail: JsonObject, getManagerName: GetManagerName): string {
  const { role, manager_id: manager, initial_balance: balance } = detail;
  const parts = [labelFromName(`${role}`)];
  if (typeof manager === 'string') parts.push(`manager ${getManagerName(manager) ?? manager.slice(0, 8)}`);
  if (typeof balance === 'number' && balance > 0) parts.push(`${formatExact(balance, usdtDecimals)} USDT`);
  return parts.join(', ');
}

/** The one-line summary of an entry in the list; null where the label is enough. */
export function formatSummary(detail: Json, getManagerName: GetManagerName = noName): string | null {
  const detailObject = toObject(detail);
  if (detailObject === null) return null;
  const { amount, symbol, side, size, price, role, entry_price: entry, realized_pnl: pnl } = detailObject;
  if (isPositionOrOrder(detailObject)) {
    const at = typeof entry === 'number' ? entry : price;
    const where = typeof at === 'number' ? ` at ${formatValue(at)}` : '';
    const result = typeof pnl === 'number' ? `, PnL ${formatExact(pnl, usdtDecimals, 'always')}` : '';
    return `${symbol} ${side} ${formatValue(size)}${where}${result}`;
  }
  if (typeof role === 'string' && 'username' in detailObject && !('after' in detailObject)) {
    return formatCreatedUser(detailObject, getManagerName);
  }
  if (typeof amount === 'number') {
    const balance = toObject(detailObject.after)?.balance;
    return `${formatExact(amount, usdtDecimals, 'always')} USDT${typeof balance === 'number' ? `, balance ${formatExact(balance)}` : ''}`;
  }
  const { changes } = parseDetail(detail, getManagerName);
  const [first, ...others] = changes.filter(({ before, after }) => before !== after);
  if (!first || [first.before, first.after].some((value) => isUuid(value) || value.startsWith(notStoredText)))
    return first ? [first, ...others].map(({ field }) => field).join(', ') : null;
  const more = others.length === 0 ? '' : `, ${others.length} more`;
  return `${first.field} ${first.before} → ${first.after}${more}`;
}

/** The changes side by side, and the other facts of the entry. */
export function parseDetail(
  detail: Json,
  getManagerName: GetManagerName = noName,
): {
  /** Whether the entry states before and after, also where both are equal. */
  readonly isChange: boolean;
  readonly changes: readonly Change[];
  readonly facts: readonly Fact[];
} {
  const detailObject = toObject(detail);
  if (detailObject === null)
    return { isChange: false, changes: [], facts: [{ field: 'Detail', value: formatValue(detail) }] };
  if (isPositionOrOrder(detailObject)) return { isChange: false, changes: [], facts: rowFacts(detailObject) };
  const [before, after] = [toObject(detailObject.before), toObject(detailObject.after)];
  const isChange = before !== null || after !== null;
  // The database orders columns by name length, which would put the margin before the leverage that changed it.
  const fields = isChange
    ? [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort(
        (one, other) => columnRank(one) - columnRank(other),
      )
    : [];
  return {
    isChange,
    changes: fields.map((field) => ({
      field: fieldLabel(field),
      before: formatChangedValue(field, before?.[field], getManagerName),
      after: formatChangedValue(field, after?.[field], getManagerName),
    })),
    facts: Object.entries(detailObject)
      .filter(([name]) => !(isChange && (name === 'before' || name === 'after')))
      .map(([name, value]) => ({ field: fieldLabel(name), value: formatValue(value) })),
  };
}
