/**
 * What traders and admins chose for their screens, one JSON object per group; the web validates its shape on reading. The last write wins.
 */
import { json, oneOf, timestamp, uuid } from '../columns.ts';
import type { Table } from './table.ts';

/** The groups of choices. */
export const settingKeys = [
  'layout',
  'watchlists',
  'ticket',
  'shortcuts',
  'columns',
  'users-views',
  'coach',
  'mails',
] as const;
export type SettingKey = (typeof settingKeys)[number];

const ownSettings = {
  select: { rows: 'own', columns: '*' },
  insert: { by: 'row', rows: 'own', columns: ['key', 'value'], upsert: true },
  update: { by: 'row', rows: 'own', columns: ['value'] },
} as const;

export const userSettings = {
  name: 'user_settings',
  columns: { user_id: uuid, key: oneOf(...settingKeys), value: json, updated_at: timestamp },
  key: ['user_id', 'key'],
  owner: 'user_id',
  relations: [],
  access: { trader: ownSettings, admin: ownSettings },
  realtime: false,
} as const satisfies Table;
