import { asPrice, asSize, parseDecimal, type StreamedBook } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { createBus } from '../../../platform/bus/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { catalogue } from '../catalogue/index.ts';
import { type MarketPrice, tickOf } from '../price.ts';
import { createQuotes } from './index.ts';

const symbol = 'BTCUSDT';
const pair = catalogue.find((listed) => listed.symbol === symbol)!;
const startedAt = Date.UTC(2026, 10, 20, 15, 0);
const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));

const streamed = (more: Partial<StreamedBook> = {}): StreamedBook => ({
  bids: [{ price: price('63999.99'), size: size('1') }],
  asks: [{ price: price('64000.01'), size: size('1') }],
  isBestOnly: false,
  receivedAt: startedAt,
  ...more,
});

/** Quotes of BTCUSDT at what `tick` sets, beside what an exchange streams. */
function open(key = 'one') {
  const bus = createBus(createLog({ logLevel: 'silent' }, { write: () => {} }));
  const state = {
    last: undefined as MarketPrice | undefined,
    book: undefined as StreamedBook | undefined,
    isStale: false,
    read: [] as string[],
  };
  const quotes = createQuotes({
    bus,
    key: Buffer.alloc(32, key),
    pair: (name) => (name === symbol ? pair : undefined),
    price: () => state.last,
    live: {
      streamed: () => state.book,
      trades: () => [],
      isStale: () => state.isStale,
      onRead: (name) => void state.read.push(name),
    },
  });
  quotes.start();
  const tick = (at: string, pricedAt: number, more: Partial<MarketPrice> = {}) => {
    state.last = {
      ...{ symbol, price: price(at), source: 'binance', state: 'live', pricedAt, marketTime: pricedAt },
      ...{ marketOpen: true, held: false, priceChangePercent: null, volume: 14_400, quoteVolume: 0 },
      ...{ high24h: null, low24h: null, ...more },
    };
    bus.publish('market.tick', tickOf(state.last));
  };
  return { quotes, state, tick };
}

describe('a live book', () => {
  test('A114: the exchange’s levels while the price trades, and the book of the price otherwise', () => {
    const { quotes, state, tick } = open();
    const sourceOf = () => quotes.book(symbol, 'pro', startedAt)?.source;
    tick('64000', startedAt);
    expect(sourceOf()).toBe('modelled');
    state.book = streamed();
    expect(sourceOf()).toBe('live');
    state.book = streamed({ isBestOnly: true });
    expect(sourceOf()).toBe('live_best');
    state.isStale = true;
    expect(sourceOf()).toBe('modelled');
    state.isStale = false;
    for (const more of [
      { state: 'stale', held: true },
      { state: 'closed', marketOpen: false },
    ] as const) {
      tick('64000', startedAt + 1, more);
      expect(sourceOf()).toBe('modelled');
    }
    expect(new Set(state.read)).toEqual(new Set([symbol]));
  });

  test('A106, A114: beyond what a price may jump it is not used, whichever side lies there', () => {
    const { quotes, state, tick } = open();
    tick('64000', startedAt);
    const sourceAt = (bid: string, ask: string) => {
      const [bids, asks] = [bid, ask].map((at) => [{ price: price(at), size: size('1') }]);
      state.book = streamed({ bids: bids!, asks: asks! });
      return quotes.book(symbol, 'pro', startedAt)?.source;
    };
    // 30 % of 64,000 are 19,200.
    expect(sourceAt('44801', '83199')).toBe('live');
    expect(sourceAt('44799', '64000')).toBe('modelled');
    expect(sourceAt('64000', '83201')).toBe('modelled');
    expect(sourceAt('64000.01', '64000.01')).toBe('modelled');
  });

  test('A114: its id names its levels and its instant, so that no other book has it', () => {
    const { quotes, state, tick } = open();
    tick('64000', startedAt);
    const idOf = (more: Partial<StreamedBook> = {}, profile: 'pro' | 'retail' = 'pro') => {
      state.book = streamed(more);
      return quotes.book(symbol, profile, startedAt)!.quoteId;
    };
    const ids = [
      idOf(),
      idOf({ receivedAt: startedAt + 1 }),
      idOf({ bids: [{ price: price('63999.99'), size: size('2') }] }),
      idOf({ asks: [{ price: price('64000.02'), size: size('1') }] }),
      idOf({}, 'retail'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(idOf()).toBe(ids[0]);
    expect(ids[0]).toMatch(/^l2\.[0-9a-z]+\.[\w-]{12}$/);
    expect(quotes.rebuild(symbol, ids[0]!)).toBeNull();
  });
});

describe('modelled trades', () => {
  test('A114: each price that trades is one, the newest first, and the same for everybody who looks', () => {
    const [one, other] = [open(), open()];
    for (const { tick } of [one, other]) {
      for (let i = 0; i < 60; i += 1) tick(`${64_000 + i}`, startedAt + 250 * i);
      // Published again, held, closed.
      tick('64059', startedAt + 250 * 59);
      tick('90000', startedAt + 250 * 61, { held: true, state: 'stale' });
      tick('64060', startedAt + 250 * 62, { state: 'closed', marketOpen: false });
    }
    const { source, trades } = one.quotes.trades(symbol);
    expect(source).toBe('modelled');
    expect(trades).toHaveLength(50);
    expect(trades[0]).toMatchObject({ price: price('64059'), side: 'BUY', at: startedAt + 250 * 59 });
    for (const trade of trades) expect(trade.size % pair.stepSize).toBe(0n);
    // A quarter of a second of ten a minute, times a half to one and a half.
    for (const trade of trades) {
      expect(trade.size).toBeGreaterThan(size('0.02'));
      expect(trade.size).toBeLessThan(size('0.063'));
    }
    expect(other.quotes.trades(symbol).trades).toEqual(trades);
    one.tick('64000', startedAt + 20_000);
    expect(one.quotes.trades(symbol).trades.slice(1)).toEqual(trades.slice(0, 49));
    expect(one.quotes.trades(symbol).trades[0]?.side).toBe('SELL');
  });

  test('another key gives other sizes', () => {
    const sizesOf = (key: string) => {
      const { quotes, tick } = open(key);
      for (let i = 0; i < 9; i += 1) tick(`${64_000 + i}`, startedAt + 250 * i);
      return quotes.trades(symbol).trades.map((trade) => trade.size);
    };
    expect(sizesOf('one')).not.toEqual(sizesOf('two'));
    expect(sizesOf('one')).toEqual(sizesOf('one'));
  });
});
