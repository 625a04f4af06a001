/** A well-formed value for every column, so that only the caller decides on the result. */
import { randomUUID } from 'node:crypto';
import { type Column, type PgType, settingKeys, type Table } from '@fulcrum/contract';
import { conversationOf, playbookOf, type World } from './world.ts';

const samples: Record<PgType, unknown> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  text: 'ETHUSDT',
  'text[]': ['a'],
  numeric: 1,
  int4: 1,
  int8: 1,
  bool: true,
  date: '2026-11-21',
  timestamptz: '2026-11-21T00:00:00Z',
  jsonb: {},
};
/** What a command takes only as it is already: nobody in this world has been verified. */
const asItIs: Readonly<Record<string, unknown>> = { kyc_verified_at: null };
/** Unique per user, and tried at the same time: each gets another one. The world itself stores `shortcuts`. */
const freeSettings = settingKeys.filter((key) => key !== 'shortcuts');
let settingsTaken = 0;
let positionsTaken = 0;
/** What has a form of its own, or refers to a row. */
const wellFormed: Readonly<Record<string, (world: World) => unknown>> = {
  // Unique per user.
  shortcut: () => `walk-${randomUUID().slice(0, 8)}`,
  key: () => freeSettings[settingsTaken++ % freeSettings.length],
  session_id: (world) => conversationOf(world, 'alice'),
  playbook_id: (world) => playbookOf(world, 'alice'),
  // A position has one playbook.
  position_id: ({ positionsOfAlice }) => positionsOfAlice[positionsTaken++ % positionsOfAlice.length],
  // A criterion is met or not.
  unmet: () => ['b'],
};
export function sampleOf(world: World, column: string, { type, values }: Column): unknown {
  if (column in asItIs) return asItIs[column];
  return wellFormed[column]?.(world) ?? values?.[0] ?? samples[type];
}
/** The same as a filter writes it. */
export const operandOf = ({ type }: Column): unknown => (type === 'text[]' ? '{a}' : samples[type]);

/** What an insert of a plain row has to name, whatever else it names. */
export function requiredOf(world: World, table: Table): Record<string, unknown> {
  const inserts = Object.values(table.access).flatMap(({ insert }) => (insert?.by === 'row' ? [insert] : []));
  const insertable = new Set(inserts.flatMap(({ columns }) => columns));
  return Object.fromEntries(
    Object.entries(table.columns)
      .filter(([name, { nullable, hasDefault }]) => insertable.has(name) && !nullable && !hasDefault)
      .map(([name, column]) => [name, sampleOf(world, name, column)]),
  );
}
