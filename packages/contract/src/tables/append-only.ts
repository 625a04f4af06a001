/** Append-only tables: the double-entry ledger and the audit log. */
import { ledgerAccounts, ledgerKinds } from '@fulcrum/domain';
import { bigint, json, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, assigned, ofAccountWithUser, type Table } from './table.ts';

export const ledgerEntries = {
  name: 'ledger_entries',
  columns: {
    id: bigint,
    /** Entries of one group add up to 0. */
    group_id: uuid,
    account: oneOf(...ledgerAccounts),
    /** The user of a user's account; null for the house and for external accounts. */
    user_id: nullable(uuid),
    amount: numeric,
    kind: oneOf(...ledgerKinds),
    /** The position, order or transaction that caused the entry. */
    source_id: uuid,
    created_at: timestamp,
  },
  key: ['id'],
  ...ofAccountWithUser,
  access: { manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;

/** The audit log: actor, action and object. A row keeps the ids of deleted users. */
export const auditLog = {
  name: 'audit_log',
  columns: {
    id: bigint,
    at: timestamp,
    /** Null: the operator of the machine, or the server. */
    actor_id: nullable(uuid),
    /** The user that the actor impersonated (A45); null otherwise. */
    on_behalf_of: nullable(uuid),
    subject_id: nullable(uuid),
    action: text,
    /** The position, order, check, conversation or message that the action changed. */
    object_id: nullable(uuid),
    reason: nullable(text),
    /** The id of the request; the answer's `x-request-id` and the server's log contain it as well. */
    request_id: nullable(text),
    /** `before` and `after`, or other details. */
    detail: json,
    /**
     * The row's place in the hash chain and its hash, hexadecimal SHA-256; `npm run audit:verify` recomputes them.
     */
    seq: bigint,
    hash: text,
  },
  key: ['id'],
  owner: 'subject_id',
  relations: [
    { name: 'actor', table: 'users', column: 'actor_id' },
    { name: 'on_behalf', table: 'users', column: 'on_behalf_of' },
    { name: 'subject', table: 'users', column: 'subject_id' },
  ],
  access: { admin: all },
  realtime: false,
} as const satisfies Table;
