import { describe, expect, test } from 'vitest';
import { parseStreamName } from './names.ts';
import { isStreamPath, readStreamAddress } from './paths.ts';

const isInterval = (interval: string) => ['1m', '1d'].includes(interval);

test.each([
  ['btcusdt@depth', { kind: 'depth', id: 'BTCUSDT', levels: null, everyMs: 250 }],
  ['btcusdt@depth@100ms', { kind: 'depth', id: 'BTCUSDT', levels: null, everyMs: 100 }],
  ['btcusdt@depth20@500ms', { kind: 'depth', id: 'BTCUSDT', levels: 20, everyMs: 500 }],
  ['eurusdusdt@kline_1m', { kind: 'kline', id: 'EURUSDUSDT', interval: '1m', everyMs: 500 }],
  ['btcusdt@trade', { kind: 'trade', id: 'BTCUSDT', everyMs: 100 }],
  ['btcusdt@markPrice', { kind: 'markPrice', id: 'BTCUSDT', everyMs: 3000 }],
  ['btcusdt@markPrice@1s', { kind: 'markPrice', id: 'BTCUSDT', everyMs: 1000 }],
  ['!miniTicker@arr', { kind: 'miniTicker', id: null, everyMs: 1000 }],
  ['!markPrice@arr@1s', { kind: 'markPrice', id: null, everyMs: 1000 }],
  ['!bookTicker', { kind: 'bookTicker', id: null, everyMs: 1000 }],
  ['btcusdt@kline_7m', null],
  ['btcusdt@depth7', null],
  ['btcusdt@toString', null],
  ['@depth', null],
  ['!forceOrder@arr', null],
  ['btcusdt', null],
])('%s', (name, expected) => {
  expect(parseStreamName(name, isInterval)).toEqual(expected);
});

describe('addresses of sockets', () => {
  const listenKey = 'a'.repeat(96);
  test.each([
    ['/ws', { isCombined: false, streams: [], listenKey: null }],
    ['/ws/btcusdt@trade', { isCombined: false, streams: ['btcusdt@trade'], listenKey: null }],
    [`/ws/${listenKey}`, { isCombined: false, streams: [], listenKey }],
    ['/public/ws/3', { isCombined: false, streams: [], listenKey: null }],
    ['/market/ws/btcusdt%40aggTrade', { isCombined: false, streams: ['btcusdt@aggTrade'], listenKey: null }],
    [`/private/ws?listenKey=${listenKey}`, { isCombined: false, streams: [], listenKey }],
    [`/private/stream?listenKey=${listenKey}`, { isCombined: true, streams: [], listenKey }],
    [
      '/stream?streams=btcusdt@trade/!bookTicker',
      { isCombined: true, streams: ['btcusdt@trade', '!bookTicker'], listenKey: null },
    ],
    [
      `/stream?streams=btcusdt@trade/${listenKey}`,
      { isCombined: true, streams: ['btcusdt@trade'], listenKey },
    ],
    ['/ws/%E0%A4%A', { isCombined: false, streams: [], listenKey: '%E0%A4%A' }],
  ])('%s', (url, expected) => {
    expect(isStreamPath(url.split('?')[0] ?? '')).toBe(true);
    expect(readStreamAddress(url)).toEqual(expected);
  });
  test.each(['/', '/wsx', '/market', '/public/other', '/other/ws', '/streams'])('%s is none', (path) => {
    expect(isStreamPath(path)).toBe(false);
  });
});
