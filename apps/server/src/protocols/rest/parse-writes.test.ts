import { describe, expect, test } from 'vitest';
import { id, refusal, write } from '../../../test/rest/parsing.ts';
import { limits } from './limits.ts';
import type { DeleteQuery, InsertQuery } from './query.ts';

describe('writes', () => {
  test('an insert takes the declared columns and leaves the owner to the token', () => {
    const query = write('POST', 'favorites', { user_id: 'somebody else', symbol: 'BTCUSDT' }) as InsertQuery;
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
