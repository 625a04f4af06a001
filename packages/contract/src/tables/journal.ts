/** A trader's notes. */
import { nullable, tagList, text, timestamp, uuid, withDefault } from '../columns.ts';
import { own, type Table } from './table.ts';

/** ENT-28: a trader's own notes. Nobody else reads or writes them, staff only while they act as that trader (A45). */
export const journalEntries = {
  name: 'journal_entries',
  columns: {
    /** Made by the client, so that a repeated save is the same entry; else by the server. */
    id: withDefault(uuid),
    user_id: uuid,
    title: text,
    /** Markdown. */
    content: text,
    tags: withDefault(tagList),
    /** As claimed, but never later than now. */
    created_at: withDefault(timestamp),
    /** Set by the server with every change; an edit that names the one it saw cannot overwrite another. */
    updated_at: timestamp,
    /** One of the trader's own positions, open or closed. */
    position_id: nullable(uuid),
  },
  key: ['user_id', 'id'],
  owner: 'user_id',
  relations: { position: { table: 'positions', column: 'position_id' } },
  access: {
    trader: {
      ...own,
      insert: {
        by: 'row',
        rows: 'own',
        columns: ['id', 'title', 'content', 'tags', 'created_at', 'position_id'],
        upsert: true,
      },
      update: { by: 'row', rows: 'own', columns: ['title', 'content', 'tags', 'position_id'] },
      delete: { by: 'row', rows: 'own' },
      writesWhileActing: 'allowed',
    },
  },
  realtime: false,
} as const satisfies Table;
