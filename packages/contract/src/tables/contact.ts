/** The table of the messages that visitors send by the contact form (ENT-38, ENT-39). */
import { contactStatuses } from '@fulcrum/domain';
import { int, nullable, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, type CommandInsert, type Table } from './table.ts';

/** Any caller may send it (CALL-82). `status` can only be `new`; `website` is a trap for bots and stays empty. */
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
    status: oneOf(...contactStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    /** The account with the same email, if one exists; the sender may be another person. */
    user_id: nullable(uuid),
    /** The answer that was sent by mail, and its author. */
    reply: nullable(text),
    replied_by: nullable(uuid),
    replied_at: nullable(timestamp),
    version: int,
  },
  inputs: { website: nullable(text), client_id: nullable(text) },
  key: ['id'],
  owner: null,
  relations: [{ name: 'user', table: 'users', column: 'user_id' }],
  access: {
    anon: { insert: contactInsert },
    trader: { insert: contactInsert },
    manager: { insert: contactInsert },
    support: { insert: contactInsert },
    admin: {
      ...all,
      insert: contactInsert,
      /** The status moves along the stated transitions only (CALL-81). */
      update: { by: 'command', rows: 'all', columns: ['status'] },
    },
  },
  realtime: true,
} as const satisfies Table;
