import { expect, test } from 'vitest';
import {
  filterArgs,
  filterQuery,
  isFiltered,
  positionsUrlState,
  sortQuery,
  toSupportedQuery,
} from './positions-query.ts';

const { initial: defaultQuery, parse, write } = positionsUrlState;
const read = (text: string) => parse(new URLSearchParams(text), 'closed_');

test('each table reads its own URL parameters, and invalid ones count as the default', () => {
  expect(
    read('open_symbol=ETH&closed_symbol=BTC&closed_from=2026-11-06&closed_sort=pnl&closed_page=3'),
  ).toEqual({
    ...defaultQuery,
    symbol: 'BTC',
    from: '2026-11-06',
    sort: 'pnl',
    page: 3,
  });
  expect(
    read('closed_from=2026-02-31&closed_to=never&closed_sort=luck&closed_order=up&closed_page=0'),
  ).toEqual(defaultQuery);
  expect(read('closed_page=1e9')).toEqual(defaultQuery);
});

test('writing keeps the other parameters and leaves out defaults', () => {
  const address = new URLSearchParams('tab=overview&open_page=2&closed_page=7');
  const query = filterQuery(read('closed_page=7'), { symbol: 'EUR', to: '2026-11-06' });
  const written = write(address, query, 'closed_');
  expect(written.toString()).toBe('tab=overview&open_page=2&closed_symbol=EUR&closed_to=2026-11-06');
  expect(parse(written, 'closed_')).toEqual(query);
});

test('A78: both days are whole days of the viewer; a reversed range matches nothing', () => {
  const { p_from, p_to } = filterArgs(
    { ...defaultQuery, from: '2026-11-06', to: '2026-11-06' },
    'closed',
    null,
  );
  expect(p_from).toBe(new Date(2026, 10, 6).toISOString());
  expect(p_to).toBe(new Date(2026, 10, 7).toISOString());
  const backwards = filterArgs({ ...defaultQuery, from: '2026-11-07', to: '2026-11-05' }, 'closed', null);
  expect(backwards.p_from! > backwards.p_to!).toBe(true);
});

test('a second press reverses the order; another column starts in its own direction at the first page', () => {
  const bySize = sortQuery({ ...defaultQuery, page: 4 }, 'size');
  expect(bySize).toMatchObject({ sort: 'size', order: 'descending', page: 1 });
  expect(sortQuery(bySize, 'size').order).toBe('ascending');
  expect(sortQuery(bySize, 'symbol').order).toBe('ascending');
  expect(isFiltered(bySize)).toBe(false);
  expect(isFiltered({ ...defaultQuery, symbol: '  ' })).toBe(false);
  expect(isFiltered({ ...defaultQuery, to: '2026-01-01' })).toBe(true);
});

test('all users’ closed positions offer the orders that the server supports; another one in the URL counts as the default', () => {
  const bySize = { ...defaultQuery, sort: 'size', order: 'ascending', page: 3 } as const;
  expect(toSupportedQuery(bySize, 'closed', 'named')).toEqual({ ...defaultQuery, page: 3 });
  expect(toSupportedQuery(bySize, 'closed', 'one')).toBe(bySize);
  expect(toSupportedQuery(bySize, 'open', 'named')).toBe(bySize);
  const byPnl = { ...bySize, sort: 'pnl' } as const;
  expect(toSupportedQuery(byPnl, 'closed', 'named')).toBe(byPnl);
});
