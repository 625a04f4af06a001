import { expect, test } from 'vitest';
import {
  answerable,
  everything,
  filterArgs,
  filtered,
  isFiltered,
  readQuery,
  sortedBy,
  writeQuery,
} from './positions-query.ts';

const read = (text: string) => readQuery(new URLSearchParams(text), 'closed_');

test('each table reads its own part of the address, and what makes no sense is as usual', () => {
  expect(
    read('open_symbol=ETH&closed_symbol=BTC&closed_from=2026-11-06&closed_sort=pnl&closed_page=3'),
  ).toEqual({
    ...everything,
    symbol: 'BTC',
    from: '2026-11-06',
    sort: 'pnl',
    page: 3,
  });
  expect(
    read('closed_from=2026-02-31&closed_to=never&closed_sort=luck&closed_order=up&closed_page=0'),
  ).toEqual(everything);
  expect(read('closed_page=1e9')).toEqual(everything);
});

test('writing keeps the other parameters and leaves out what is as usual', () => {
  const address = new URLSearchParams('tab=overview&open_page=2&closed_page=7');
  const query = filtered(read('closed_page=7'), { symbol: 'EUR', to: '2026-11-06' });
  const written = writeQuery(address, 'closed_', query);
  expect(written.toString()).toBe('tab=overview&open_page=2&closed_symbol=EUR&closed_to=2026-11-06');
  expect(readQuery(written, 'closed_')).toEqual(query);
});

test('A78: both days are whole ones of the viewer; the one after the other matches nothing', () => {
  const { p_from, p_to } = filterArgs(
    { ...everything, from: '2026-11-06', to: '2026-11-06' },
    'closed',
    null,
  );
  expect(p_from).toBe(new Date(2026, 10, 6).toISOString());
  expect(p_to).toBe(new Date(2026, 10, 7).toISOString());
  const backwards = filterArgs({ ...everything, from: '2026-11-07', to: '2026-11-05' }, 'closed', null);
  expect(backwards.p_from! > backwards.p_to!).toBe(true);
});

test('a second press turns an order round; another column begins at its own end and at the first page', () => {
  const bySize = sortedBy({ ...everything, page: 4 }, 'size');
  expect(bySize).toMatchObject({ sort: 'size', order: 'descending', page: 1 });
  expect(sortedBy(bySize, 'size').order).toBe('ascending');
  expect(sortedBy(bySize, 'symbol').order).toBe('ascending');
  expect(isFiltered(bySize)).toBe(false);
  expect(isFiltered({ ...everything, symbol: '  ' })).toBe(false);
  expect(isFiltered({ ...everything, to: '2026-01-01' })).toBe(true);
});

test("everybody's closed positions have the orders that the server answers; an address with another one is as usual", () => {
  const bySize = { ...everything, sort: 'size', order: 'ascending', page: 3 } as const;
  expect(answerable(bySize, 'closed', 'named')).toEqual({ ...everything, page: 3 });
  expect(answerable(bySize, 'closed', 'one')).toBe(bySize);
  expect(answerable(bySize, 'open', 'named')).toBe(bySize);
  const byPnl = { ...bySize, sort: 'pnl' } as const;
  expect(answerable(byPnl, 'closed', 'named')).toBe(byPnl);
});
