import { expect, test } from 'vitest';
import {
  createWatchlist,
  deleteWatchlist,
  listsMax,
  parseWatchlists,
  renameWatchlist,
  setListed,
  validateName,
  type Watchlist,
  watchlistsSetting,
} from './watchlists.ts';

const stored = () => parseWatchlists(watchlistsSetting.read());
const first = (): Watchlist => {
  const [list] = stored();
  if (!list) throw new Error('no list');
  return list;
};

test('watchlists: a list is created, filled, renamed and deleted', () => {
  createWatchlist(' Metals ', 'XAU/USD');
  expect(stored()).toMatchObject([{ name: 'Metals', symbols: ['XAUUSD'] }]);
  setListed(first().id, 'EUR/USD', true);
  setListed(first().id, 'EUR/USD', true);
  expect(first().symbols).toEqual(['XAUUSD', 'EURUSD']);
  setListed(first().id, 'XAU/USD', false);
  renameWatchlist(first().id, 'Majors');
  expect(stored()).toMatchObject([{ name: 'Majors', symbols: ['EURUSD'] }]);
  deleteWatchlist(first().id);
  expect(stored()).toEqual([]);
});

test('watchlists: a full list takes no more, and a stored value never has too many', () => {
  const symbols = Array.from({ length: 100 }, (_, at) => `PAIR${at}`);
  const lists = Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, name: `List ${at}`, symbols }));
  watchlistsSetting.apply({ lists });
  expect(stored()).toHaveLength(listsMax);
  expect(first().symbols).toHaveLength(80);
  setListed(first().id, 'BTCUSDT', true);
  expect(first().symbols).not.toContain('BTCUSDT');
  // The server's bound of a value is 16,384 characters.
  expect(JSON.stringify(watchlistsSetting.read()).length).toBeLessThan(16_384);
  watchlistsSetting.apply(null);
  expect(stored()).toEqual([]);
});

test('watchlists: damaged lists are left out', () => {
  expect(parseWatchlists({ lists: [7, null, { id: 'a' }, { id: 'b', name: ' ', symbols: [] }] })).toEqual([]);
  expect(parseWatchlists('lists')).toEqual([]);
  const twice = { id: 'a', name: 'A', symbols: ['btcusdt', 4, 'BTCUSDT'] };
  expect(parseWatchlists({ lists: [twice, twice] })).toEqual([{ id: 'a', name: 'A', symbols: ['BTCUSDT'] }]);
});

test('watchlists: a name is present, short and not taken', () => {
  const lists = [{ id: 'a', name: 'Metals', symbols: [] }];
  expect(validateName('  ', null, lists)).toMatch('Enter a name');
  expect(validateName('metals', null, lists)).toMatch('exists');
  expect(validateName('metals', 'a', lists)).toBeNull();
  expect(validateName('Favorites', null, lists)).toMatch('exists');
  expect(validateName('x'.repeat(25), null, lists)).toMatch('at most 24');
  expect(validateName('Majors', null, lists)).toBeNull();
});
