/** The claims that a command write accepts besides columns, and their refusal everywhere else. */
import { type Table, tables } from '@fulcrum/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { namedUsers, positionOf, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let calls: unknown[] = [];
beforeAll(async () => {
  server = await startRestServer({
    writes: {
      'positions.update': async ({ userId }, ids, changes) => {
        calls.push({ userId, ids, changes });
        return ids;
      },
      'transactions.insert': async ({ userId }, rows) => {
        calls.push({ userId, rows });
        return [];
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
});

test('CALL-43: an edit’s claims reach the command beside its columns', async () => {
  const edit = { entry_price: 101.5, version: 1, reason: 'a wrong tick', client_id: 'edit-1' };
  const { status, data } = await server
    .as('mona')
    .from('positions')
    .update(edit)
    .eq('id', positionOf.alice)
    .select('id, entry_price')
    .single();
  // The command here changes nothing.
  expect([status, data]).toEqual([200, { id: positionOf.alice, entry_price: 100.5 }]);
  expect(calls).toEqual([
    { userId: namedUsers.mona.id, ids: [positionOf.alice], changes: { ...edit, entry_price: '101.5' } },
  ]);
});

test('CALL-43: a manager edits assigned traders’ positions only, a trader none', async () => {
  const edit = (token: string) =>
    server.withToken(token).from('positions').update({ size: 1, reason: 'r' }).eq('id', positionOf.bob);
  expect(await edit('mona').select()).toMatchObject({ status: 200, data: [] });
  for (const token of ['alice', 'bob', 'sam'])
    expect(await edit(token)).toMatchObject({ status: 403, error: { code: '42501' } });
  expect(calls).toEqual([]);
  expect(await edit('ada')).toMatchObject({ status: 204 });
});

test('CALL-37: a deposit’s reason and client id reach the command', async () => {
  const row = {
    user_id: namedUsers.alice.id,
    type: 'deposit',
    amount: 25,
    reason: 'a gift',
    client_id: null,
  };
  expect(await server.withToken('ada').from('transactions').insert(row)).toMatchObject({ status: 201 });
  expect(calls).toEqual([{ userId: namedUsers.ada.id, rows: [{ ...row, amount: '25' }] }]);
});

describe('a claim is read in its declared form', () => {
  test.each([
    [{ reason: 7 }, '22P02'],
    [{ reason: 'a\0b' }, '22021'],
    [{ client_id: { a: 1 } }, '22P02'],
    [{ toString: 'x' }, '42703'],
    [{ why: 'x' }, '42703'],
  ])('%j', async (input, code) => {
    const { error } = await server
      .withToken('ada')
      .from('positions')
      .update(input)
      .eq('id', positionOf.alice);
    expect(error).toMatchObject({ code });
    expect(calls).toEqual([]);
  });
});

describe('a claim is no column', () => {
  test.each([
    ['selected', 'positions?select=reason'],
    ['selected under another name', 'positions?select=id,why:reason'],
    ['filtered by', 'positions?reason=eq.x'],
    ['filtered by in a group', 'positions?or=(id.is.null,client_id.is.null)'],
    ['ordered by', 'positions?order=client_id'],
    ['selected from an embed', 'transactions?select=id,users(reason)'],
  ])('it is not %s', async (_, path) => {
    const answer = await server.fetch(path, {}, 'ada');
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: '42703' }]);
  });

  test('it is not embedded by', async () => {
    const answer = await server.fetch('positions?select=id,reason(id)', {}, 'ada');
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PGRST200' }]);
  });

  test('it finds no rows of a write, is not answered by one and resolves no conflict', async () => {
    const positions = () => server.withToken('ada').from('positions');
    expect(await positions().update({ size: 1 }).eq('reason', 'x')).toMatchObject({
      error: { code: '42703' },
    });
    expect(await positions().update({ size: 1 }).eq('id', positionOf.alice).select('reason')).toMatchObject({
      error: { code: '42703' },
    });
    expect(
      await server.withToken('ada').from('transactions').upsert({ amount: 1 }, { onConflict: 'client_id' }),
    ).toMatchObject({ error: { code: '42703' } });
    expect(calls).toEqual([]);
  });

  test('`*` has the columns alone', async () => {
    const { data } = await server.as('ada').from('positions').select('*').eq('id', positionOf.alice).single();
    expect(Object.keys(data ?? {})).not.toContain('reason');
    expect(Object.keys(data ?? {})).not.toContain('client_id');
  });

  test('nor does one have the name of a column, and each is taken by some command', () => {
    for (const { name, columns, inputs = {}, access } of tables as readonly Table[]) {
      const taken = Object.values(access).flatMap(({ insert, update }) =>
        [insert, update].flatMap((write) => (write?.by === 'command' ? write.columns : [])),
      );
      for (const input of Object.keys(inputs)) {
        expect(`${name}.${input}: ${input in columns} ${taken.includes(input)}`).toBe(
          `${name}.${input}: false true`,
        );
      }
    }
  });
});
