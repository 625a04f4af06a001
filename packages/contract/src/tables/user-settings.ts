/**
 * What traders chose for their screens, one JSON object per group; the web validates its shape on reading. The last write wins.
 */
import { json, oneOf, timestamp, uuid } from '../columns.ts';
import type { Table } from './table.ts';

/** The groups of choices. */
export const settingKeys = ['layout', 'watchlists', 'ticket', 'shortcuts'] as const;
export type SettingKey = (typeof settingKeys)[number];

export const userSettings = {
  name: 'user_settings',
  columns: { user_id: uuid, key: oneOf(...settingKeys), value: json, updated_at: timestamp },
  key: ['user_id', 'key'],
  owner: 'user_id',
  relations: {},
  access: {
    trader: {
      select: { rows: 'own', columns: '*' },
      insert: { by: 'row', rows: 'own', columns: ['key', 'value'], upsert: true },
      update: { by: 'row', rows: 'own', columns: ['value'] },
    },
  },
  realtime: false,
} as const satisfies Table;
