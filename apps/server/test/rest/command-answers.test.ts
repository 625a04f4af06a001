/** Answers that are made of the rows which a command hands over; the commands here are the test's own. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommandAnswer } from '../../src/protocols/rest/index.ts';
import { namedUsers, orderOf, positionOf, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let answer: CommandAnswer;
let statements: string[] = [];
beforeAll(async () => {
  server = await startRestServer({
    onStatement: (text) => statements.push(text),
    writes: {
      'orders.insert': async () => answer,
      'orders.update': async () => answer,
      'positions.update': async () => answer,
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  statements = [];
  answer = { ids: [], rows: [] };
});

/** A row as it was when the command was carried out: since then it has been filled, say. */
const asPlaced = (id: string, userId: string) => ({
  id,
  user_id: userId,
  status: 'NEW',
  size: 0.00000001,
  price: null,
  reserved: 0,
});
const placed = (...rows: { id: string; user_id: string }[]): CommandAnswer => ({
  ids: rows.map(({ id }) => id),
  rows,
});
const insert = (token = 'alice') => server.withToken(token).from('orders').insert({ symbol: 'BTCUSDT' });

test('A20: the answer is the row as of the command, restricted to what is selected, without a further read', async () => {
  answer = placed(asPlaced(orderOf.alice, namedUsers.alice.id));
  const { status, data } = await insert().select('status, quantity:size, price').single();
  expect([status, data]).toEqual([201, { status: 'NEW', quantity: 1e-8, price: null }]);
  expect(await insert().select('id')).toMatchObject({ status: 201, data: [{ id: orderOf.alice }] });
  expect(await insert()).toMatchObject({ status: 201, data: null });
  expect(statements).toEqual([]);
});

test('every key of a selection is answered under its own name', async () => {
  answer = placed(asPlaced(orderOf.alice, namedUsers.alice.id));
  const response = await server.fetch('orders?select=__proto__:id,"a b":status', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: '{"symbol":"BTCUSDT"}',
  });
  expect(await response.text()).toBe(`[{"__proto__":"${orderOf.alice}","a b":"NEW"}]`);
});

test('an embed, and a column that a stored row did not have yet, are read again', async () => {
  answer = placed(asPlaced(orderOf.alice, namedUsers.alice.id));
  expect((await insert().select('status, size, users(username)').single()).data).toEqual({
    status: 'NEW',
    size: 0.1,
    users: { username: 'alice' },
  });
  expect((await insert().select('status, leverage').single()).data).toEqual({ status: 'NEW', leverage: 10 });
  expect(statements).toHaveLength(2);
});

test('X-20: a row that the caller’s select policy does not admit is not answered', async () => {
  answer = placed(asPlaced(orderOf.alice, namedUsers.alice.id), asPlaced(orderOf.bob, namedUsers.bob.id));
  expect((await insert().select('id')).data).toEqual([{ id: orderOf.alice }]);
  expect(statements).toHaveLength(1);
});

test('CALL-43: a manager is answered with the row of her edit, which her filter found', async () => {
  const edited = { id: positionOf.alice, user_id: namedUsers.alice.id, size: 7, version: 2 };
  answer = { ids: [positionOf.alice], rows: [edited] };
  const edit = () =>
    server.as('mona').from('positions').update({ size: 7, reason: 'r' }).eq('id', positionOf.alice);
  expect(await edit().select('size, version').single()).toMatchObject({
    status: 200,
    data: { size: 7, version: 2 },
  });
  // The statement that found it, and no other.
  expect(statements).toHaveLength(1);
  // The response must not contain a row outside her scope.
  const foreign = { id: positionOf.bob, user_id: namedUsers.bob.id, size: 7, version: 2 };
  answer = { ids: [positionOf.bob], rows: [foreign] };
  expect((await edit().select('size')).data).toEqual([]);
});

test('single() is refused before the command where it cannot hold, and counts are the command’s', async () => {
  answer = placed(asPlaced(orderOf.alice, namedUsers.alice.id));
  const cancel = () => server.as('alice').from('orders').update({ status: 'CANCELED' });
  expect(await cancel().gte('created_at', '2026-01-01').select('id').single()).toMatchObject({
    status: 406,
    error: { code: 'PGRST116' },
  });
  expect(await cancel().eq('id', orderOf.bob).select('id')).toMatchObject({ status: 200, data: [] });
  expect(await cancel().eq('id', orderOf.alice).select('id').single()).toMatchObject({
    status: 200,
    data: { id: orderOf.alice },
  });
  const counted = await server
    .withToken('alice')
    .from('orders')
    .update({ status: 'CANCELED' }, { count: 'exact' })
    .eq('id', orderOf.alice)
    .select('id');
  expect(counted).toMatchObject({ count: 1, data: [{ id: orderOf.alice }] });
});
