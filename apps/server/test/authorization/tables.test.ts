/** Walks role x table x row x column with the unmodified client, and compares every outcome with the document. */

import { type Column, errorStatus, type Role, type Table, tables } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Line, none, type Operation, tableUnder, writable } from './matrix.ts';
import { operandOf, requiredOf, sampleOf } from './samples.ts';
import { compare, outcome, unhurried } from './walk.ts';
import {
  callers,
  contactMessage,
  createWorld,
  giveDetails,
  type Ownership,
  reaches,
  symbol,
  type World,
} from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const rowLines = tableUnder('Rows');
const columnLines = tableUnder('Columns');
const cellOf = (table: Table, action: Operation, role: string): string =>
  rowLines.find((line) => line.table === table.name && line.action === action)?.[role] ?? 'not documented';
const mayTouch = (
  table: Table,
  column: string,
  action: 'select' | 'insert' | 'update',
  role: string,
): boolean => {
  const line: Line | undefined = columnLines.find(
    (entry) => entry.table === table.name && entry.column === column,
  );
  return line?.[action]?.split(', ').includes(role) ?? false;
};

interface Step {
  readonly role: string;
  readonly user: (typeof callers)[number]['userName'];
  readonly table: Table;
  readonly ownership: Ownership;
  /** The column and value that find the row: its owner's, or the key of a public row. */
  readonly found: readonly [column: string, value: string];
}

function steps(): Step[] {
  return tables.flatMap((table: Table) =>
    callers.flatMap(({ role, userName: user, rows }) => {
      if (table.owner === null) {
        return [{ role, user, table, ownership: 'foreign' as const, found: foundIn(table) }];
      }
      const { owner } = table;
      return Object.entries(rows).map(([ownership, whose]): Step => {
        return { role, user, table, ownership: ownership as Ownership, found: [owner, world.idOf[whose]] };
      });
    }),
  );
}

/** What finds a row that belongs to nobody. */
function foundIn({ name }: Table): Step['found'] {
  if (name === 'contact_forms') return ['email', contactMessage.email];
  if (name === 'support_metrics') return ['date', new Date().toISOString().slice(0, 10)];
  return ['symbol', symbol];
}

const label = ({ role, table, ownership }: Step, action: string, column = '*') =>
  `${role} ${action} ${table.name}.${column} of ${ownership}`;

test('RULE-37, X-20: select, by column', async () => {
  await compare(
    steps().flatMap((step) =>
      Object.keys(step.table.columns).map((column) => {
        const { table, role, ownership, user, found } = step;
        const cell = cellOf(table, 'select', role);
        const isReadable = cell !== none && mayTouch(table, column, 'select', role);
        return {
          label: label(step, 'selects', column),
          expected: isReadable ? (reaches(cell, ownership) ? 'done' : 'nothing') : 'denied',
          run: async () =>
            outcome(
              step,
              await unhurried(() =>
                world
                  .clientOf(user)
                  .from(table.name)
                  .select(column)
                  .eq(...found),
              ),
            ),
        };
      }),
    ),
  );
});

test('RULE-37, X-20: a column that a role may not read cannot filter or order for it either', async () => {
  await compare(
    steps().flatMap((step) =>
      Object.entries(step.table.columns).map(([column, declared]) => {
        const { table, role, user } = step;
        const isReadable = cellOf(table, 'select', role) !== none && mayTouch(table, column, 'select', role);
        return {
          label: label(step, 'filters and orders', column),
          expected: isReadable ? 'answered' : 'denied',
          run: async () => {
            const all = () => world.clientOf(user).from(table.name).select(table.key[0]);
            // A list has no order.
            const rows = () => (declared.type === 'text[]' ? all() : all().order(column));
            // JSON is compared with nothing.
            const answer = await unhurried(() =>
              declared.type === 'jsonb' ? all().is(column, null) : rows().eq(column, operandOf(declared)),
            );
            const reached = outcome(step, answer);
            return ['done', 'nothing'].includes(reached) ? 'answered' : reached;
          },
        };
      }),
    ),
  );
});

test('X-20: a claim of a command write is a column to no role', async () => {
  const inputs = steps().flatMap((step) =>
    Object.keys(step.table.inputs ?? {}).map((input) => [step, input] as const),
  );
  await compare(
    inputs.flatMap(([step, input]) => {
      const { table, role, user } = step;
      const rows = () => world.clientOf(user).from(table.name);
      const uses = {
        selects: () => rows().select(input),
        'filters by': () => rows().select(table.key[0]).eq(input, 'x'),
        'orders by': () => rows().select(table.key[0]).order(input),
      };
      const unknown = `400 42703 column ${table.name}.${input} does not exist`;
      return Object.entries(uses).map(([use, ask]) => ({
        label: label(step, use, input),
        expected: cellOf(table, 'select', role) === none ? 'denied' : unknown,
        run: async () => outcome(step, await unhurried<Awaited<ReturnType<typeof ask>>>(ask)),
      }));
    }),
  );
});

test('X-20: a select without a filter brings the rows of the role’s reach and no other', async () => {
  for (const table of tables as readonly Table[]) {
    if (table.owner === null) continue;
    for (const { role, userName: user, rows } of callers) {
      const cell = cellOf(table, 'select', role);
      const { data } = await unhurried(() => world.clientOf(user).from(table.name).select('*'));
      const owners = new Set((data ?? []).map((row) => (row as Record<string, unknown>)[table.owner ?? '']));
      for (const [ownership, whose] of Object.entries(rows)) {
        const isSeen = owners.has(world.idOf[whose]);
        expect(`${role} ${table.name} ${ownership} ${isSeen}`).toBe(
          `${role} ${table.name} ${ownership} ${reaches(cell, ownership as Ownership)}`,
        );
      }
    }
  }
});

for (const action of ['insert', 'upsert'] as const) {
  test(`X-20: ${action}, by column; the row is the caller’s, whatever owner it names`, async () => {
    for (const step of steps()) {
      const { table, role, user, found } = step;
      const cell = cellOf(table, action, role);
      if (cell === 'command') continue;
      await compare(
        Object.entries(table.columns)
          .filter(([column]) => column !== table.owner)
          .map(([column, declared]) => ({
            label: label(step, `${action}s`, column),
            expected: cell !== none && mayTouch(table, column, 'insert', role) ? 'done, own' : 'denied',
            run: async () => {
              const row = { ...requiredOf(world, table), [column]: await ownValue(step, column, declared) };
              if (table.owner !== null) row[table.owner] = found[1];
              const answer = await unhurried(() =>
                world.clientOf(user).from(table.name)[action](row).select(table.key.join()),
              );
              const reached = outcome(step, answer);
              if (reached !== 'done' || user === null) return reached;
              const [key] = (answer.data ?? []) as unknown as Record<string, unknown>[];
              const owners = await takeBack(step, key ?? {});
              return owners.length === 1 && owners[0] === world.idOf[user]
                ? 'done, own'
                : `done, ${owners.join()}`;
            },
          })),
      );
    }
  });

  test(`A100, X-20: ${action} by command, by column; a claim about another user changes nothing`, async () => {
    const commanded = steps().filter(({ table, role }) => cellOf(table, action, role) === 'command');
    expect(commanded.length).toBeGreaterThan(0);
    for (const step of commanded) {
      const { table, role, user, found, ownership } = step;
      const before = await rowOf(step);
      await compare(
        Object.entries(writable(table)).map(([column, declared]) => ({
          label: label(step, `${action}s`, column),
          expected: mayTouch(table, column, 'insert', role) ? 'left to the command' : 'denied',
          run: async () => {
            const namesOwner = table.owner !== null && mayTouch(table, table.owner, 'insert', role);
            const row = {
              [column]: sampleOf(world, column, declared),
              ...(namesOwner && table.owner !== null && { [table.owner]: found[1] }),
            };
            const { status, error } = await unhurried(() =>
              world.clientOf(user).from(table.name)[action](row),
            );
            return status === (role === 'anon' ? 401 : 403) && error?.code === '42501'
              ? 'denied'
              : 'left to the command';
          },
        })),
      );
      // An admin may (A51); the claims of all others changed no other user's row.
      if (role !== 'admin' && ownership !== 'own') expect(await rowOf(step)).toEqual(before);
      expect((await rowOf(step)).map((row) => row.role)).toEqual(before.map((row) => row.role));
    }
  });
}

test('X-20: update, by column', async () => {
  await compare(
    steps().flatMap((step) =>
      Object.entries(writable(step.table)).map(([column, declared]) => {
        const { table, role, user, found, ownership } = step;
        const cell = cellOf(table, 'update', role);
        const mayWrite = cell !== none && mayTouch(table, column, 'update', role);
        return {
          label: label(step, 'updates', column),
          expected: mayWrite ? (reaches(cell, ownership) ? 'reached' : 'nothing') : 'denied',
          run: async () => {
            const change = { [column]: await ownValue(step, column, declared) };
            const rows = () => world.clientOf(user).from(table.name).update(change);
            const answer = await unhurried(() =>
              rows()
                .eq(...found)
                .select(),
            );
            // What the command behind it makes of a row within reach is its own business.
            if (Object.hasOwn(errorStatus, answer.error?.code ?? '')) return 'reached';
            const reached = outcome(step, answer);
            return reached === 'done' ? 'reached' : reached;
          },
        };
      }),
    ),
  );
});

test('RULE-37, X-20: delete', async () => {
  const isReached = ({ table, role, ownership }: Step) => reaches(cellOf(table, 'delete', role), ownership);
  await giveDetails(world.server.db);
  // What really deletes comes last: until then every row is there to be tried.
  for (const step of steps().toSorted((a, b) => Number(isReached(a)) - Number(isReached(b)))) {
    const { table, role, user, found } = step;
    const cell = cellOf(table, 'delete', role);
    // The command decides which of them are deleted.
    if (isReached(step) && table.access[role as Role]?.delete?.by === 'command') continue;
    const before = await stored(step);
    await compare([
      {
        label: label(step, 'deletes'),
        expected: cell === none ? 'denied' : isReached(step) ? 'done' : 'nothing',
        run: async () =>
          outcome(
            step,
            await unhurried(() =>
              world
                .clientOf(user)
                .from(table.name)
                .delete()
                .eq(...found)
                .select(),
            ),
          ),
      },
    ]);
    expect([label(step, 'finds'), before > 0]).toEqual([label(step, 'finds'), true]);
    expect(await stored(step)).toBe(isReached(step) ? 0 : before);
  }
});

/** Removes an inserted row again, by its own person where they may, and says whose it was. */
async function takeBack({ table, role, user }: Step, key: Record<string, unknown>): Promise<unknown[]> {
  if (cellOf(table, 'delete', role) === none) {
    const where = table.key.map((column, index) => `${column} = $${index + 1}`).join(' and ');
    const { rows } = await world.server.db.query<{ owner: string }>(
      `delete from app.${table.name} where ${where} returning ${table.owner} as owner`,
      table.key.map((column) => key[column]),
    );
    return rows.map(({ owner }) => owner);
  }
  const { data } = await unhurried(() => world.clientOf(user).from(table.name).delete().match(key).select());
  return (data ?? []).map((row: Record<string, unknown>) => row[table.owner ?? '']);
}

/** A value for the caller's own row: where the column refers to a row, one that the caller has. */
async function ownValue({ table, user }: Step, column: string, declared: Column): Promise<unknown> {
  const relation = table.relations.find((entry) => entry.column === column);
  const target = (tables as readonly Table[]).find(({ name }) => name === relation?.table);
  if (!target?.owner || target.name === table.name || user === null) return sampleOf(world, column, declared);
  const { rows } = await world.server.db.query<{ id: string }>(
    `select id from api.${target.name} where ${target.owner} = $1 limit 1`,
    [world.idOf[user]],
  );
  return rows[0]?.id ?? sampleOf(world, column, declared);
}

/** The row as it really is, past every policy. */
async function rowOf({ table, found: [column, value] }: Step): Promise<Record<string, unknown>[]> {
  const { rows } = await world.server.db.query(`select * from api.${table.name} where ${column} = $1`, [
    value,
  ]);
  return rows;
}

/** How many rows there really are, past every policy. */
async function stored({ table, found: [column, value] }: Step): Promise<number> {
  const { rows } = await world.server.db.query<{ count: number }>(
    `select count(*)::int as count from api.${table.name} where ${column} = $1`,
    [value],
  );
  return rows[0]?.count ?? 0;
}
