/** `/fapi`: the document lists its routes, and each one is walked without a key, with keys of both scopes, and with those that open nothing. */
import { exchangeRoutes } from '@fulcrum/contract/exchange';
import { beforeAll, expect, test } from 'vitest';
import { type Bot, door, shareDoor } from '../exchange/door.ts';
import { alphabetical, none, tableUnder } from './matrix.ts';
import { unhurried } from './walk.ts';

let bot: Bot;
shareDoor();
beforeAll(async () => {
  bot = await door.join();
});

const cells = {
  public: { 'no key': 'yes', 'read key': 'yes', 'trade key': 'yes' },
  key: { 'no key': none, 'read key': 'own', 'trade key': 'own' },
  read: { 'no key': none, 'read key': 'own', 'trade key': 'own' },
  trade: { 'no key': none, 'read key': none, 'trade key': 'own' },
} as const;
const routes = exchangeRoutes.flatMap(({ method, paths, access }) =>
  paths.map((path) => ({ method, path, route: `${method} ${path}`, access })),
);
const sorted = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).toSorted(alphabetical);

test('X-20: the exchange routes are those of the contract', () => {
  expect(sorted(tableUnder('Exchange routes'))).toEqual(
    sorted(routes.map(({ route, access }) => ({ route, ...cells[access] }))),
  );
});

test('X-20: each route refuses the keys that it is not for, and no other ones', async () => {
  const keys = {
    'no key': null,
    'read key': await door.makeKey(bot, { p_scopes: ['read'] }),
    'trade key': await door.makeKey(bot),
    'key of another kind of account': await door.makeKey({ ...bot, accountId: bot.userId }),
    'key of another address': await door.makeKey(bot, { p_addresses: ['192.0.2.1'] }),
  } as const;
  const expected: string[] = [];
  const walked: string[] = [];
  for (const { method, path, route, access } of routes) {
    for (const [name, key] of Object.entries(keys)) {
      const cell =
        access === 'public' ? 'yes' : name in cells[access] ? cells[access][name as 'no key'] : none;
      expected.push(`${route}, ${name}: ${cell === none ? 'refused' : 'let in'}`);
      const { status, body } = await unhurried(() => door.send(key, method, path));
      const isRefused = status === 401 && (body.code === -2014 || body.code === -2015);
      walked.push(`${route}, ${name}: ${isRefused ? 'refused' : 'let in'}`);
    }
  }
  expect(walked).toEqual(expected);
});

test('X-20: a path that no route has is answered in JSON, whatever the method', async () => {
  for (const path of ['/fapi/v1/unknown', '/fapi/v9/order', '/sapi/v1/account', '/dapi/v1/order']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const { status, body } = await door.send(null, method, path);
      expect([path, status, body.code]).toEqual([path, 404, -5000]);
    }
  }
});
