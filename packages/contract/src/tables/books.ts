/** What is only ever added to: the double-entry ledger and the audit log. */
import { bigint, json, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, assigned, type Table } from './table.ts';

export const ledgerEntries = {
  name: 'ledger_entries',
  columns: {
    id: bigint,
    /** Entries of one group add up to 0. */
    group_id: uuid,
    account: oneOf(
      'user:cash',
      'user:margin',
      'user:order_margin',
      'house:pnl',
      'house:fees',
      'external',
      'insurance',
    ),
    /** Of a user's account; null is the house or the outside. */
    user_id: nullable(uuid),
    amount: numeric,
    kind: oneOf('deposit', 'withdrawal', 'open', 'close', 'adjustment', 'fee', 'reserve', 'release', 'split'),
    /** The position, order or transaction that it is about. */
    source_id: uuid,
    created_at: timestamp,
  },
  key: ['id'],
  owner: 'user_id',
  relations: { user: { table: 'users', column: 'user_id' } },
  access: { manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;

/** Who did what to whom. A row whose people are gone keeps their ids, which then name nobody. */
export const auditLog = {
  name: 'audit_log',
  columns: {
    id: bigint,
    at: timestamp,
    /** Null: the operator of the machine, or the server. */
    actor_id: nullable(uuid),
    /** As whom the actor acted (A45); null in their own name. */
    on_behalf_of: nullable(uuid),
    subject_id: nullable(uuid),
    action: text,
    /** The position, order, check, conversation or letter that it was about. */
    object_id: nullable(uuid),
    reason: nullable(text),
    /** Of the request that did it; the answer's `x-request-id` and the server's log have the same. */
    request_id: nullable(text),
    /** `before` and `after`, or what else there is to say. */
    detail: json,
    /** Its place in the chain and its link, hexadecimal SHA-256; what `npm run audit:verify` recomputes. */
    seq: bigint,
    hash: text,
  },
  key: ['id'],
  owner: 'subject_id',
  relations: {
    actor: { table: 'users', column: 'actor_id' },
    on_behalf: { table: 'users', column: 'on_behalf_of' },
    subject: { table: 'users', column: 'subject_id' },
  },
  access: { admin: all },
  realtime: false,
} as const satisfies Table;
