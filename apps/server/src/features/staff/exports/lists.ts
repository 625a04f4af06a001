/**
 * `export_list`: the lists of the admin console as files, each with the filter of its list. Invariant: a file has no column that
 * the console hides: no document number, no picture, no hash of a password. Amounts are exact decimals, times UTC.
 *
 * Known limitation: the order is the list's own default, not the one on the screen.
 */
import { type ArgsOf, auditActionNames, type ExportedListName, type SignedIn } from '@fulcrum/contract';
import { type Cell, parseDecimal } from '@fulcrum/domain';
import { substringPattern } from '../../../platform/database/like-patterns.ts';
import { Parameters } from '../../../platform/database/parameters.ts';
import { isMainSql } from '../../../platform/database/row-scope.ts';
import { kycFilterFrom, kycFilterSql } from '../../kyc/index.ts';
import { facetSql, userColumns, visibleToSql } from '../users/filter.ts';
import { walletFilterSql } from '../wallets/filter.ts';
import type { FileExports } from './file-stream.ts';

type Args = ArgsOf<'export_list'>;

/** A column of a file: its head, its SQL, and whether it is an amount, which stays a number in the file. */
type FileColumn = readonly [head: string, sql: string, kind?: 'amount'];

interface ExportableList {
  readonly columns: readonly FileColumn[];
  readonly from: string;
  readonly where: (caller: SignedIn, args: Args, parameters: Parameters) => string;
  readonly order: string;
  /** What the audit log says of the filter. */
  readonly detail: (args: Args) => Readonly<Record<string, unknown>>;
}

const utc = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The conditions that are given, joined. */
const all = (conditions: readonly (string | null)[]): string =>
  conditions.filter((condition) => condition !== null).join(' and ') || 'true';

const timeRange = (column: string, { p_from: from, p_to: to }: Args, parameters: Parameters) => [
  from == null ? null : `${column} >= ${parameters.bind(from, 'timestamptz')}`,
  to == null ? null : `${column} < ${parameters.bind(to, 'timestamptz')}`,
];

const lists: Readonly<Record<ExportedListName, ExportableList>> = {
  users: {
    columns: [
      ['User Id', 'u.id'],
      ['Username', 'u.username'],
      ['Email', 'u.email'],
      ['Phone', 'u.phone_number'],
      ['Role', 'u.role'],
      ['Manager', 'm.username'],
      ['KYC', 'u.kyc_status'],
      ['Restricted At (UTC)', utc('u.restricted_at')],
      ['Balance', 'w.balance', 'amount'],
      ['Available', 'w.available_balance', 'amount'],
      ['Created At (UTC)', utc('u.created_at')],
      ['Last Login (UTC)', utc('u.last_login')],
    ],
    from: `app.users u left join app.users m on m.id = u.manager_id left join app.wallets w on w.user_id = u.id`,
    where: (caller, { p_users: filter }, parameters) =>
      all([
        visibleToSql(caller, filter?.p_search, parameters),
        ...Object.values(facetSql(filter ?? {}, userColumns, parameters)),
      ]),
    order: 'u.created_at desc, u.id desc',
    detail: ({ p_users: filter }) => ({
      roles: filter?.p_roles ?? null,
      kyc: filter?.p_kyc ?? null,
      searched: Boolean(filter?.p_search),
    }),
  },
  wallets: {
    columns: [
      ['User Id', 'w.user_id'],
      ['Username', 'u.username'],
      ['Email', 'u.email'],
      ['Balance', 'w.balance', 'amount'],
      ['Available', 'w.available_balance', 'amount'],
      ['Margin', 'w.margin + w.order_margin', 'amount'],
      ['Currency', 'w.currency'],
      ['Last Updated (UTC)', utc('w.last_updated')],
    ],
    from: 'app.wallets w join app.users u on u.id = w.user_id',
    where: (caller, { p_search: search }, parameters) =>
      walletFilterSql(caller, search?.trim() ?? '', parameters),
    order: 'w.last_updated desc, w.id desc',
    detail: ({ p_search: search }) => ({ searched: Boolean(search) }),
  },
  transactions: {
    columns: [
      ['Transaction Id', 't.id'],
      ['User Id', 't.user_id'],
      ['Username', 'u.username'],
      ['Email', 'u.email'],
      ['Type', 't.type'],
      ['Amount', 't.amount', 'amount'],
      ['Status', 't.status'],
      ['Description', 't.description'],
      ['Created At (UTC)', utc('t.created_at')],
      ['Completed At (UTC)', utc('t.completed_at')],
    ],
    from: 'app.transactions t left join app.users u on u.id = t.user_id',
    where: (_caller, args, parameters) =>
      all([
        isMainSql('t.user_id'),
        args.p_user_id == null ? null : `t.user_id = ${parameters.bind(args.p_user_id, 'uuid')}`,
        ...timeRange('t.created_at', args, parameters),
      ]),
    order: 't.created_at desc, t.id desc',
    detail: ({ p_from, p_to }) => ({ from: p_from ?? null, to: p_to ?? null }),
  },
  audit: {
    columns: [
      ['Entry', 'a.id'],
      ['Time (UTC)', utc('a.at')],
      ['Actor Id', 'a.actor_id'],
      ['Actor', 'actor.username'],
      ['On Behalf Of Id', 'a.on_behalf_of'],
      ['Action', 'a.action'],
      ['About Id', 'a.subject_id'],
      ['About', 'subject.username'],
      ['Object Id', 'a.object_id'],
      ['Reason', 'a.reason'],
      ['Request Id', 'a.request_id'],
      ['Detail', 'a.detail::text'],
      ['Place In Chain', 'a.seq'],
      ['Hash', 'a.hash'],
    ],
    from: `api.audit_log a left join app.users actor on actor.id = a.actor_id
      left join app.users subject on subject.id = a.subject_id`,
    where: (_caller, args, parameters) =>
      all([
        args.p_actor_id == null ? null : `a.actor_id = ${parameters.bind(args.p_actor_id, 'uuid')}`,
        args.p_user_id == null ? null : `a.subject_id = ${parameters.bind(args.p_user_id, 'uuid')}`,
        args.p_object_id == null ? null : `a.object_id = ${parameters.bind(args.p_object_id, 'uuid')}`,
        args.p_request_id == null ? null : `a.request_id = ${parameters.bind(args.p_request_id, 'text')}`,
        args.p_action == null
          ? null
          : `a.action = any(${parameters.bind(auditActionNames(args.p_action), 'text[]')})`,
        ...timeRange('a.at', args, parameters),
      ]),
    order: 'a.at desc, a.id desc',
    detail: ({ p_actor_id, p_user_id, p_object_id, p_action, p_from, p_to }) => ({
      actor_id: p_actor_id ?? null,
      about_id: p_user_id ?? null,
      object_id: p_object_id ?? null,
      action: p_action ?? null,
      from: p_from ?? null,
      to: p_to ?? null,
    }),
  },
  kyc: {
    columns: [
      ['Check Id', 'v.id'],
      ['User Id', 'v.user_id'],
      ['Username', 'u.username'],
      ['Email', 'u.email'],
      ['Attempt', 'v.attempt'],
      ['Country', 'v.country'],
      ['Document', 'v.document_type'],
      ['Status', 'v.status'],
      ['Submitted At (UTC)', utc('v.submitted_at')],
      ['Reviewed At (UTC)', utc('v.reviewed_at')],
      ['Reviewer', 'reviewer.username'],
      ['Reject Type', 'v.reject_type'],
    ],
    from: `${kycFilterFrom} left join app.users reviewer on reviewer.id = v.reviewer_id`,
    where: (_caller, { p_kyc: filter }, parameters) =>
      kycFilterSql(filter ?? { p_status: 'pending' }, parameters),
    order: 'v.submitted_at desc, v.id desc',
    detail: ({ p_kyc: filter }) => ({
      status: filter?.p_status ?? 'pending',
      searched: Boolean(filter?.p_search),
    }),
  },
  contact: {
    columns: [
      ['Message Id', 'c.id'],
      ['Name', 'c.name'],
      ['Email', 'c.email'],
      ['Subject', 'c.subject'],
      ['Message', 'c.message'],
      ['Status', 'c.status'],
      ['Created At (UTC)', utc('c.created_at')],
      ['Reply', 'c.reply'],
      ['Replied By', 'replier.username'],
      ['Replied At (UTC)', utc('c.replied_at')],
    ],
    from: 'app.contact_forms c left join app.users replier on replier.id = c.replied_by',
    where: (_caller, { p_status: status, p_search: search }, parameters) => {
      const text = search?.trim() ?? '';
      const part = text === '' ? null : parameters.bind(substringPattern(text), 'text');
      return all([
        status == null ? null : `c.status = ${parameters.bind(status, 'text')}`,
        part === null
          ? null
          : `(lower(c.name) like ${part} or lower(c.email) like ${part} or lower(c.subject) like ${part})`,
      ]);
    },
    order: 'c.created_at desc, c.id desc',
    detail: ({ p_status: status, p_search: search }) => ({
      status: status ?? null,
      searched: Boolean(search),
    }),
  },
};

export const createListExport = (exports: Pick<FileExports, 'define'>) =>
  exports.define('list', async (_caller, args: Args, at) => {
    const { columns, from, where, order, detail } = lists[args.p_list];
    const stamp = at.toISOString().slice(0, 10).replaceAll('-', '');
    return {
      fileName: `${args.p_list}_${stamp}.csv`,
      actions: { request: 'list.request_export', end: 'list.export' },
      subjectId: null,
      detail: { list: args.p_list, ...detail(args) },
      head: columns.map(([head]) => head),
      query: async (_tx, holder) => {
        const parameters = new Parameters();
        const condition = where(holder, args, parameters);
        const cells = columns.map(([, sql], index) => `(${sql})::text as c${index}`).join(', ');
        return {
          text: `select ${cells} from ${from} where ${condition} order by ${order}`,
          values: parameters.values,
        };
      },
      toCells: (row: Readonly<Record<string, string | null>>) =>
        columns.map(([, , kind], index): Cell => {
          const text = row[`c${index}`] ?? null;
          return text !== null && kind === 'amount' ? parseDecimal(text) : text;
        }),
    };
  });
