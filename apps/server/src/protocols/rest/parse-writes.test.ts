import { describe, expect, test } from 'vitest';
import { id, refusal, write } from '../../../test/rest/parsing.ts';
import { limits } from './limits.ts';
import type { DeleteQuery, InsertCommandQuery, InsertQuery, UpdateCommandQuery } from './query.ts';

describe('writes by command', () => {
  const insert = (path: string, body: unknown, prefer = '') =>
    (write('POST', path, body, prefer) as InsertCommandQuery).rows;

  test('what a row of several does not name is null where it may be, else left out', () => {
    const rows = [{ symbol: 'A', price: '1.50' }, { side: 'BUY' }];
    expect(insert('orders', rows)).toEqual([
      { symbol: 'A', price: '1.5' },
      { price: null, side: 'BUY' },
    ]);
    expect(insert('orders', rows, 'missing=default')[1]).toEqual({ side: 'BUY' });
    expect(insert('orders?columns=side,price', rows)).toEqual([
      { price: '1.5' },
      { side: 'BUY', price: null },
    ]);
  });

  test('a claim is the command’s alone', () => {
    const edit = write('PATCH', `positions?id=eq.${id}`, { reason: 'r', client_id: null }, '', 'admin');
    expect((edit as UpdateCommandQuery).changes).toEqual({ reason: 'r', client_id: null });
    for (const [path, body, code] of [
      ['positions?reason=eq.x', { size: 1 }, '42703'],
      [`positions?id=eq.${id}`, { reason: 'r', margin: 1 }, '42501'],
    ] as const) {
      expect(refusal(() => write('PATCH', path, body, '', 'admin'))).toMatchObject({ code });
    }
    // Declared for the commands of others, and no column of the plain row.
    expect(refusal(() => write('PATCH', `notifications?id=eq.${id}`, { reason: 'r' }))).toMatchObject({
      code: '42703',
    });
  });
});

describe('writes', () => {
  test('an insert takes the declared columns and leaves the owner to the token', () => {
    const query = write('POST', 'favorites', { user_id: 'another user', symbol: 'BTCUSDT' }) as InsertQuery;
    expect(query).toMatchObject({
      columns: ['symbol'],
      rows: [[{ value: 'BTCUSDT' }]],
      onDuplicate: 'refuse',
      returning: null,
    });
  });

  test('an upsert names the key, or nothing', () => {
    const upsert = (onConflict: string) =>
      write(
        'POST',
        `favorites?on_conflict=${onConflict}&columns="symbol"`,
        [{ symbol: 'A' }],
        'resolution=ignore-duplicates,return=representation',
      ) as InsertQuery;
    expect(upsert('symbol,user_id')).toMatchObject({ onDuplicate: 'ignore', returning: expect.any(Array) });
    expect(refusal(() => upsert('symbol'))).toMatchObject({ status: 400, code: '42P10' });
  });

  test('rows of a bulk insert are filled up with null or the default', () => {
    const rows = [{ symbol: 'A' }, {}];
    const filled = (prefer: string) => (write('POST', 'favorites', rows, prefer) as InsertQuery).rows[1];
    expect(filled('')).toEqual([{ value: null }]);
    expect(filled('missing=default')).toEqual(['default']);
  });

  test.each([
    [{ symbol: 'A', created_at: '2026-11-21' }, '42501'],
    [{ symbol: 'A', admin: true }, '42703'],
    [{ symbol: 7 }, '22P02'],
    [{ symbol: { a: 1 } }, '22P02'],
    [{}, 'PGRST102'],
    [[], 'PGRST102'],
    [[1], 'PGRST102'],
    ['A', 'PGRST102'],
    [null, 'PGRST102'],
    [undefined, 'PGRST102'],
    [Array.from({ length: limits.insertRows + 1 }, () => ({ symbol: 'A' })), 'PGRST102'],
  ])('the body %j is refused', (body, code) => {
    expect(refusal(() => write('POST', 'favorites', body))).toMatchObject({ code });
  });

  test('with `columns`, a row is what they name', () => {
    const query = write('POST', 'favorites?columns=symbol', { symbol: 'A', secret: 1 }) as InsertQuery;
    expect(query).toMatchObject({ columns: ['symbol'], rows: [[{ value: 'A' }]] });
    expect(refusal(() => write('POST', 'favorites?columns=symbol,secret', { symbol: 'A' }))).toMatchObject({
      code: '42703',
    });
  });

  test('a delete needs a filter', () => {
    expect(write('DELETE', 'favorites?symbol=eq.A', undefined) as DeleteQuery).toMatchObject({
      conditions: [{ value: 'A' }],
    });
    expect(refusal(() => write('DELETE', 'favorites', undefined))).toMatchObject({
      status: 400,
      code: '21000',
    });
  });

  test('CALL-37: what the role may not write is refused', () => {
    for (const [method, table] of [
      ['POST', 'transactions'],
      ['POST', 'positions'],
      ['PATCH', 'wallets'],
      ['PATCH', 'positions'],
      ['PUT', 'favorites'],
      ['DELETE', 'positions'],
    ] as const) {
      expect(refusal(() => write(method, `${table}?id=eq.${id}`, { id }))).toMatchObject({
        status: 403,
        code: '42501',
      });
    }
  });
});
