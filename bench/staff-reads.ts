/** The requests of `staff.ts`: each list of the staff area with its usual options, its reader, and its limit. */
import { dayMs } from '@fulcrum/domain';

export interface StaffRead {
  readonly name: string;
  readonly as: 'admin' | 'manager';
  readonly path: string;
  /** Null: a GET. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly prefer?: string;
  /** A list has a limit; other staff reads are only reported. */
  readonly isList: boolean;
}

const call = (
  name: string,
  procedure: string,
  body: Readonly<Record<string, unknown>>,
  as: 'admin' | 'manager' = 'admin',
): StaffRead => ({ name, as, path: `/rest/v1/rpc/${procedure}`, body, isList: true });
const table = (name: string, path: string, prefer?: string): StaffRead => ({
  name,
  as: 'admin',
  path: `/rest/v1/${path}`,
  body: null,
  isList: true,
  ...(prefer !== undefined && { prefer }),
});
const unlimitedCall = (
  name: string,
  procedure: string,
  body: Readonly<Record<string, unknown>> = {},
): StaffRead => ({
  ...call(name, procedure, body),
  isList: false,
});

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** The one that the ratios refer to: a row by its key, through the same interface. */
export const baseline = (userId: string): StaffRead =>
  table('a row by its key', `users?select=*&id=eq.${userId}`);

export function staffReads(traderId: string): readonly StaffRead[] {
  const users = (name: string, body: Readonly<Record<string, unknown>>, as?: 'manager') =>
    call(`users, ${name}`, 'list_users', { p_page_size: 50, ...body }, as);
  const positions = (name: string, body: Readonly<Record<string, unknown>>, as?: 'manager') =>
    call(`positions, ${name}`, 'list_positions', { p_page_size: 50, ...body }, as);
  const wallets = (name: string, body: Readonly<Record<string, unknown>>) =>
    call(`wallets, ${name}`, 'list_wallets', { p_page_size: 50, ...body });
  const quick = (name: string, p_text: string, as?: 'manager') =>
    call(`quick search, ${name}`, 'quick_search', { p_text }, as);
  return [
    quick('"a"', 'a'),
    quick('"zoe.mar"', 'zoe.mar'),
    quick('of one user', 'kaito.mori81'),
    quick('without a match', 'nobody-like-this'),
    quick('of an id', traderId),
    quick('of the beginning of an id', traderId.slice(0, 8)),
    quick("a manager's", 'zoe', 'manager'),
    users('newest first', {}),
    users('page 1000', { p_page: 1000 }),
    users('search "zoe.mar"', { p_search: 'zoe.mar' }),
    users('search of one user', { p_search: 'kaito.mori81' }),
    users('search without a match', { p_search: 'nobody-like-this' }),
    users('search "a"', { p_search: 'a' }),
    users('traders, verified, restricted', { p_roles: ['trader'], p_kyc: ['verified'], p_restricted: true }),
    users('without a manager', { p_managers: ['none'] }),
    users('by last login', { p_sort: 'last_login' }),
    users('by manager', { p_sort: 'manager', p_ascending: true }),
    users('by email, page 500', { p_sort: 'email', p_ascending: true, p_page: 500 }),
    users("a manager's", {}, 'manager'),
    users("a manager's, search", { p_search: 'zoe' }, 'manager'),
    call('users, ids of "zoe.mar"', 'find_user_ids', { p_search: 'zoe.mar' }),
    positions('closed, latest', { p_status: 'closed' }),
    positions('closed, page 200', { p_status: 'closed', p_page: 200 }),
    positions('closed, of 30 days', { p_status: 'closed', p_from: daysAgo(30), p_to: daysAgo(0) }),
    positions('closed, BTC', { p_status: 'closed', p_symbol: 'BTC' }),
    positions('closed, no such symbol', { p_status: 'closed', p_symbol: 'NOSUCH' }),
    positions('closed, by PnL', { p_status: 'closed', p_sort: 'pnl' }),
    positions('open, latest', { p_status: 'open' }),
    positions('open, by PnL', { p_status: 'open', p_sort: 'pnl' }),
    positions('open, by symbol', { p_status: 'open', p_sort: 'symbol', p_ascending: true }),
    positions("one trader's closed", { p_status: 'closed', p_user_id: traderId }),
    positions("one trader's closed by size", { p_status: 'closed', p_user_id: traderId, p_sort: 'size' }),
    positions("a manager's closed", { p_status: 'closed' }, 'manager'),
    positions("a manager's open", { p_status: 'open' }, 'manager'),
    positions("a manager's closed by PnL", { p_status: 'closed', p_sort: 'pnl' }, 'manager'),
    wallets('last updated', {}),
    wallets('page 1000', { p_page: 1000 }),
    wallets('by balance', { p_sort: 'balance' }),
    wallets('by balance, page 1000', { p_sort: 'balance', p_page: 1000 }),
    wallets('by balance, page 1900', { p_sort: 'balance', p_page: 1900 }),
    wallets('by username', { p_sort: 'username', p_ascending: true }),
    wallets('by username, page 1000', { p_sort: 'username', p_ascending: true, p_page: 1000 }),
    wallets('search', { p_search: 'zoe.mar' }),
    wallets('search "a"', { p_search: 'a' }),
    wallets('search "a" by balance, page 1000', { p_search: 'a', p_sort: 'balance', p_page: 1000 }),
    table(
      'transactions, newest',
      'transactions?select=*,user:users(username)&order=created_at.desc,id.desc&limit=51',
    ),
    table(
      'transactions, after a year of them',
      `transactions?select=*,user:users(username)&created_at=lte.${encodeURIComponent(daysAgo(365))}&order=created_at.desc,id.desc&limit=51`,
    ),
    table("ledger, one trader's", `ledger_entries?select=*&user_id=eq.${traderId}&order=id.desc&limit=51`),
    table("orders, one trader's", `orders?select=*&user_id=eq.${traderId}&order=created_at.desc&limit=51`),
    table('audit log, newest', 'audit_log?select=*&order=at.desc,id.desc&limit=51'),
    table(
      'audit log, after a year of it',
      `audit_log?select=*&at=lte.${encodeURIComponent(daysAgo(365))}&order=at.desc,id.desc&limit=51`,
    ),
    table(
      'audit log, one action',
      'audit_log?select=*&action=eq.account.restrict&order=at.desc,id.desc&limit=51',
    ),
    table(
      'audit log, of one user',
      `audit_log?select=*&subject_id=eq.${traderId}&order=at.desc,id.desc&limit=51`,
    ),
    unlimitedCall('figures: overview', 'get_admin_overview'),
    unlimitedCall('figures: metrics, 30 days', 'get_house_metrics', { p_from: daysAgo(30), p_to: null }),
    unlimitedCall('figures: metrics, all time', 'get_house_metrics', { p_from: null, p_to: null }),
    unlimitedCall('platform panel', 'get_platform'),
  ];
}
