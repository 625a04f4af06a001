/** Parses `docs/authorization.md` and renders the contract in the same form, so that a test can compare the two. */
import { readFileSync } from 'node:fs';
import {
  type Procedure,
  procedures,
  type Role,
  roles,
  type Table,
  type Topic,
  tables,
  topics,
} from '@fulcrum/contract';

/** Lines of a Markdown table as objects by column heading. */
export type Line = Readonly<Record<string, string>>;

const document = readFileSync(new URL('../../../../docs/authorization.md', import.meta.url), 'utf8');

/** The one table under a `##` heading. */
export function tableUnder(heading: string): Line[] {
  const section = document.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const rows = (section ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [headings, , ...body] = rows;
  if (!headings || body.length === 0)
    throw new Error(`docs/authorization.md has no table under "${heading}"`);
  return body.map((cells) => {
    if (cells.length !== headings.length)
      throw new Error(`a line of "${heading}" is ragged: ${cells.join(' | ')}`);
    return Object.fromEntries(headings.map((name, i) => [name, cells[i] ?? '']));
  });
}

export const none = '–';
export const operations = ['select', 'insert', 'upsert', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

/** One cell for every role. */
const byRole = (cell: (role: Role) => string): Line =>
  Object.fromEntries(roles.map((role) => [role, cell(role)]));
const toCell = (rows: string | undefined) => rows?.replace('+', ', ') ?? none;
const listed = (names: readonly string[]) => names.join(', ') || none;

function rowsOf(table: Table, action: Operation, role: Role): string {
  const access = table.access[role];
  switch (action) {
    case 'select':
      return toCell(access?.select?.rows);
    case 'insert':
      return toCell(access?.insert?.by === 'command' ? 'command' : access?.insert?.rows);
    case 'upsert':
      if (access?.insert?.by === 'command') return 'command';
      return toCell(access?.insert?.upsert ? access.insert.rows : undefined);
    case 'update':
      return toCell(access?.update?.rows);
    case 'delete':
      return toCell(access?.delete?.rows);
  }
}

/** A claim, which is no column, has no readers. */
const readers = (table: Table, column: string) =>
  roles.filter((role) => {
    if (!Object.hasOwn(table.columns, column)) return false;
    const readable = table.access[role]?.select?.columns ?? [];
    return readable === '*' || readable.includes(column);
  });
/** What a write may name: columns and the claims of command writes. */
export const writable = ({ columns, inputs }: Table) => ({ ...columns, ...inputs });
const writers = (table: Table, action: 'insert' | 'update', column: string) =>
  roles.filter((role) => table.access[role]?.[action]?.columns.includes(column));

/** Whose topics of that name a role takes part in. */
function reachOf({ scope }: Topic, role: Role): string {
  if (scope === 'conversation') return role === 'trader' ? 'own' : 'all';
  return scope === 'own' ? 'own' : 'all';
}

/** What a token may do that views as somebody else, beyond reading: every declared write and procedure. */
const duringImpersonation: Line[] = [
  ...tables.flatMap((table: Table) =>
    (['insert', 'update', 'delete'] as const).flatMap((action): Line[] => {
      const writing = roles.filter((role) => table.access[role]?.[action]);
      const impersonating = writing.filter(
        (role) => table.access[role]?.writesWhileImpersonating === 'allowed',
      );
      const preposition = { insert: 'into', update: 'of', delete: 'from' }[action];
      if (writing.length === 0) return [];
      return [
        {
          action: `${action} ${preposition} ${table.name}`,
          impersonating: impersonating.length === writing.length ? 'as above' : listed(impersonating),
        },
      ];
    }),
  ),
  ...procedures.map(
    (procedure): Line => ({
      action: procedure.name,
      impersonating:
        'whileImpersonating' in procedure && procedure.whileImpersonating === 'allowed' ? 'as above' : none,
    }),
  ),
];

const withPreposition = {
  select: 'select from',
  insert: 'insert into',
  update: 'update of',
  delete: 'delete from',
} as const;

/** The scope that an API key, which is a trader's, needs: every use of a table that a trader has, and every procedure. */
const byApiKey: Line[] = [
  ...tables.flatMap((table: Table) => {
    const access = table.access.trader;
    return (['select', 'insert', 'update', 'delete'] as const).flatMap((use): Line[] =>
      access?.[use] === undefined
        ? []
        : [{ action: `${withPreposition[use]} ${table.name}`, scope: access.apiKey?.[use] ?? none }],
    );
  }),
  ...procedures.map(
    (procedure: Procedure): Line => ({ action: procedure.name, scope: procedure.apiKey ?? none }),
  ),
];

/** The contract in the words of the document, by the document's headings. */
export const describedContract = {
  Rows: tables.flatMap((table) =>
    operations.map(
      (action): Line => ({
        table: table.name,
        action,
        ...byRole((role) => rowsOf(table, action, role)),
      }),
    ),
  ),
  Columns: tables.flatMap((table: Table) =>
    Object.keys(writable(table)).map(
      (column): Line => ({
        table: table.name,
        column,
        select: listed(readers(table, column)),
        insert: listed(writers(table, 'insert', column)),
        update: listed(writers(table, 'update', column)),
      }),
    ),
  ),
  'During impersonation': duringImpersonation,
  'By API key': byApiKey,
  Topics: topics.map(
    (topic): Line => ({
      topic: topic.name,
      ...byRole((role) => (topic.join.includes(role) ? reachOf(topic, role) : none)),
    }),
  ),
  'Sent on topics': topics.flatMap((topic) => {
    const { name, presence, broadcast } = topic;
    return [
      {
        topic: name,
        action: 'announce',
        ...byRole((role) => (presence?.track.some((allowed) => allowed === role) ? 'own' : none)),
      },
      {
        topic: name,
        action: 'broadcast',
        ...byRole((role) =>
          broadcast?.send.some((allowed) => allowed === role) ? reachOf(topic, role) : none,
        ),
      },
    ];
  }),
  'Announced changes': tables.map(
    (table): Line => ({
      table: table.name,
      ...byRole((role) => (table.realtime ? rowsOf(table, 'select', role) : none)),
    }),
  ),
} satisfies Record<string, Line[]>;

/** The contract says who may call a procedure; whose account it acts on, only the document and the walk say. */
export const callersInContract = procedures.map(
  (procedure): Line => ({
    command: procedure.name,
    ...byRole((role) => (procedure.roles.includes(role) ? 'may call' : none)),
  }),
);

export const alphabetical = (a: string | undefined = '', b: string | undefined = '') =>
  a < b ? -1 : a > b ? 1 : 0;
