/** A trader's notes and playbooks. */
import { nullable, tagList, text, textList, timestamp, uuid, withDefault } from '../columns.ts';
import { type Access, ofAccount, own, type Table } from './table.ts';

/** Own rows, written and deleted as they are sent, also by staff during impersonation. */
const writable = <
  const Inserted extends readonly string[],
  const Updated extends readonly string[],
>(columns: {
  readonly insert: Inserted;
  readonly update: Updated;
}) =>
  ({
    ...own,
    insert: { by: 'row', rows: 'own', columns: columns.insert, upsert: true },
    update: { by: 'row', rows: 'own', columns: columns.update },
    delete: { by: 'row', rows: 'own' },
    writesWhileImpersonating: 'allowed',
  }) as const satisfies Access;

/**
 * A trader's own notes (ENT-28). Only the trader reads or writes them, and staff who impersonate that trader (A45).
 */
export const journalEntries = {
  name: 'journal_entries',
  columns: {
    /** The client makes it, so that a repeated save is the same entry; else the server does. */
    id: withDefault(uuid),
    user_id: uuid,
    title: text,
    /** Markdown. */
    content: text,
    tags: withDefault(tagList),
    /** As the client states it, but never later than now. */
    created_at: withDefault(timestamp),
    /** The server sets it with every change; an edit that names the value it saw cannot overwrite another one. */
    updated_at: timestamp,
    /** One of the trader's own positions, open or closed. */
    position_id: nullable(uuid),
  },
  key: ['user_id', 'id'],
  ...ofAccount,
  relations: [{ name: 'position', table: 'positions', column: 'position_id' }],
  access: {
    trader: writable({
      insert: ['id', 'title', 'content', 'tags', 'created_at', 'position_id'],
      update: ['title', 'content', 'tags', 'position_id'],
    }),
  },
  realtime: false,
} as const satisfies Table;

/** A setup of the trader by name, with the criteria that its trades meet or not. As private as the notes. */
export const playbooks = {
  name: 'playbooks',
  columns: {
    /** The client makes it, so that a repeated save is the same playbook; else the server does. */
    id: withDefault(uuid),
    user_id: uuid,
    name: text,
    criteria: withDefault(textList),
    created_at: timestamp,
    updated_at: timestamp,
  },
  key: ['user_id', 'id'],
  ...ofAccount,
  relations: [],
  access: {
    trader: writable({ insert: ['id', 'name', 'criteria'], update: ['name', 'criteria'] }),
  },
  realtime: false,
} as const satisfies Table;

/** The playbook of a trade, with the criteria that it met and those that it did not: one for each position. */
export const playbookTrades = {
  name: 'playbook_trades',
  columns: {
    user_id: uuid,
    /** One of the trader's own positions, open or closed. */
    position_id: uuid,
    playbook_id: uuid,
    met: withDefault(textList),
    unmet: withDefault(textList),
    updated_at: timestamp,
  },
  key: ['user_id', 'position_id'],
  ...ofAccount,
  relations: [{ name: 'playbook', table: 'playbooks', column: 'playbook_id' }],
  access: {
    trader: writable({
      insert: ['position_id', 'playbook_id', 'met', 'unmet'],
      update: ['playbook_id', 'met', 'unmet'],
    }),
  },
  realtime: false,
} as const satisfies Table;
