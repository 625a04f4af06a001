/** The users. */

import { kycStatuses } from '@fulcrum/domain';
import { nullable, oneOf, text, timestamp, uuid } from '../columns.ts';
import { userRoles } from '../roles.ts';
import { type Access, all, type CommandInsert, type CommandUpdate, own, type Table } from './table.ts';

/** Writes of the documents' own client; the answers follow A100 (CALL-26 … CALL-29). */
const profileInsert = {
  by: 'command',
  columns: ['id', 'email', 'username', 'phone_number', 'role', 'last_login'],
} as const satisfies CommandInsert;
const profileUpdate = {
  by: 'command',
  rows: 'own',
  columns: ['last_login', 'kyc_status', 'kyc_verified_at'],
} as const satisfies CommandUpdate;
const ownProfile = { insert: profileInsert, update: profileUpdate } as const satisfies Access;
export const users = {
  name: 'users',
  columns: {
    id: uuid,
    email: text,
    username: text,
    role: oneOf(...userRoles),
    phone_number: nullable(text),
    created_at: timestamp,
    last_login: nullable(timestamp),
    manager_id: nullable(uuid),
    kyc_status: oneOf(...kycStatuses),
    kyc_verified_at: nullable(timestamp),
    /** A restricted trader opens nothing since then; null is not restricted (A72). */
    restricted_at: nullable(timestamp),
  },
  key: ['id'],
  owner: 'id',
  relations: [{ name: 'manager', table: 'users', column: 'manager_id' }],
  access: {
    trader: { ...own, ...ownProfile },
    manager: { select: { rows: 'own+assigned', columns: '*' }, ...ownProfile },
    /** The agent's own, and those of traders with an open conversation (A103). */
    support: { select: { rows: 'own+attended', columns: '*' }, ...ownProfile },
    admin: { ...all, insert: profileInsert, update: { ...profileUpdate, rows: 'all' } },
  },
  realtime: false,
} as const satisfies Table;
