import { expect, test } from 'vitest';
import type { Position, Supabase } from '../../../shared/supabase/index.ts';
import { allDays } from '../../../shared/time/day-range.ts';
import { closedCsv, exactClosedCsv, readClosed } from './closed-export.ts';

const closed = (id: string, change: Partial<Position> = {}): Position =>
  ({
    id,
    symbol: 'BTCUSDT',
    side: 'BUY',
    entryPrice: 96840,
    closePrice: 97482.6,
    size: 0.4,
    leverage: 50,
    margin: 774.72,
    realizedPnl: 257.04,
    rules: 'standard',
    feeRate: 0,
    fees: 23.25,
    funding: 0,
    entryValue: null,
    createdAt: '2026-11-06T11:00:00.5+00:00',
    closedAt: '2026-11-06T12:00:00Z',
    ...change,
  }) as Position;

test('X-17, ENT-16: the columns and figures of the file, with the day as the screen shows it', () => {
  const short = closed('b', { symbol: 'NVDA', side: 'SELL', realizedPnl: -108.8, margin: 1461.12 });
  expect(closedCsv([closed('a'), short]).split('\r\n')).toEqual([
    'Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At',
    'BTCUSDT,BUY,96840,97482.6,0.4,50,257.04,33.18,"Nov 06, 2026"',
    'NVDA,SELL,96840,97482.6,0.4,50,-108.8,-7.45,"Nov 06, 2026"',
    '',
  ]);
});

test('X-17: the second file has exact times, fees and the id behind the stated columns', () => {
  expect(exactClosedCsv([closed('a')]).split('\r\n')).toEqual([
    'Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At,Opened At (UTC),Closed At (UTC),Fees,Id',
    'BTCUSDT,BUY,96840,97482.6,0.4,50,257.04,33.18,"Nov 06, 2026",2026-11-06T11:00:00.500Z,2026-11-06T12:00:00.000Z,23.25,a',
    '',
  ]);
});

test('an unknown value is an empty cell', () => {
  const [, row] = closedCsv([closed('a', { closePrice: null, realizedPnl: null })]).split('\r\n');
  expect(row).toBe('BTCUSDT,BUY,96840,,0.4,50,,,"Nov 06, 2026"');
});

/** A server with `count` closed positions that records its requests. */
function serverWith(count: number) {
  const requests: string[] = [];
  const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}`, closed_at: `t${index}` }));
  let from = 0;
  const request = {
    eq: (column: string, value: string) => {
      requests.push(`${column}=${value}`);
      return request;
    },
    or: (condition: string) => {
      requests.push(condition);
      from = Number(/"t(\d+)"/.exec(condition)?.[1]) + 1;
      return request;
    },
    gte: (column: string, value: string) => {
      requests.push(`${column}>=${value}`);
      return request;
    },
    lt: (column: string, value: string) => {
      requests.push(`${column}<${value}`);
      return request;
    },
    lte: () => request,
    order: () => request,
    limit: async (most: number) => ({ data: rows.slice(from, from + most), error: null, status: 200 }),
  };
  const supabase = { rest: { from: () => ({ select: () => request }) } } as unknown as Supabase;
  return { supabase, requests };
}

test('older positions are read page by page, each after the last row of the one before, up to a limit', async () => {
  const { supabase, requests } = serverWith(1_200);
  const read = await readClosed(supabase, {
    accountId: 'me',
    only: 'EUR/USD',
    days: { from: '2026-11-06', to: '2026-11-06' },
  });
  expect([read.length, new Set(read.map(({ id }) => id)).size]).toEqual([1_200, 1_200]);
  expect(requests).toContain('symbol=EUR/USD');
  expect(requests).toContain(`closed_at>=${new Date(2026, 10, 6).toISOString()}`);
  expect(requests).toContain(`closed_at<${new Date(2026, 10, 7).toISOString()}`);
  expect(requests).toContain('closed_at.lt."t499",and(closed_at.eq."t499",id.lt.499)');
  const many = serverWith(20_000);
  expect(await readClosed(many.supabase, { accountId: 'me', only: null, days: allDays })).toHaveLength(
    10_000,
  );
});
