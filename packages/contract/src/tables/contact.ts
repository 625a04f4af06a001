/** Messages of visitors (ENT-38, ENT-39). */
import { int, nullable, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, type CommandInsert, type Table } from './table.ts';

/** CALL-82: from anybody; `status` can only be `new`, and `website` is left empty by people. */
const contactInsert = {
  by: 'command',
  columns: ['name', 'email', 'subject', 'message', 'status', 'website', 'client_id'],
} as const satisfies CommandInsert;

export const contactForms = {
  name: 'contact_forms',
  columns: {
    id: uuid,
    name: text,
    email: text,
    subject: text,
    message: text,
    status: oneOf('new', 'read', 'replied', 'archived'),
    created_at: timestamp,
    updated_at: timestamp,
    /** The account with the same email, if there is one: whoever wrote may be somebody else. */
    user_id: nullable(uuid),
    /** What was answered by mail, and by whom. */
    reply: nullable(text),
    replied_by: nullable(uuid),
    replied_at: nullable(timestamp),
    version: int,
  },
  claims: { website: nullable(text), client_id: nullable(text) },
  key: ['id'],
  owner: null,
  relations: { user: { table: 'users', column: 'user_id' } },
  access: {
    anon: { insert: contactInsert },
    trader: { insert: contactInsert },
    manager: { insert: contactInsert },
    support: { insert: contactInsert },
    admin: {
      ...all,
      insert: contactInsert,
      /** CALL-81: along the stated transitions. */
      update: { by: 'command', rows: 'all', columns: ['status'] },
    },
  },
  realtime: true,
} as const satisfies Table;
