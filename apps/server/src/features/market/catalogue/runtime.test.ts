import { type MarketType, marketTypeOf } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../platform/clock/index.ts';
import { catalogue, createCatalogue, type ListedPair } from './index.ts';

const bitcoin = catalogue.find(({ symbol }) => symbol === 'BTCUSDT')!;
const exchangePair = (baseAsset: string): ListedPair => ({
  ...bitcoin,
  id: `${baseAsset}USDT`,
  symbol: `${baseAsset}USDT`,
  name: baseAsset,
  baseAsset,
  typical: null,
});
const none: ReadonlySet<string> = new Set();
const clock = createManualClock(0);
const cryptoOf = (pairs: readonly ListedPair[]) =>
  pairs.filter(({ type }) => type === 'crypto').map(({ symbol }) => symbol);

describe('the crypto market of the exchange', () => {
  test('FEED-48 A107: replaces the shipped list; the other markets do not change', () => {
    const { pairs, pair, replaceCrypto } = createCatalogue(catalogue, clock);
    replaceCrypto([exchangePair('NEW'), bitcoin], none);
    expect(cryptoOf(pairs())).toEqual(['NEWUSDT', 'BTCUSDT']);
    expect(
      pairs()
        .slice(2)
        .map(({ symbol }) => symbol),
    ).toEqual(catalogue.slice(50).map(({ symbol }) => symbol));
    expect(pairs().map(({ sortOrder }) => sortOrder)).toEqual(pairs().map((_, index) => index));
    expect(pair('NEWUSDT')).toMatchObject({ sortOrder: 0, name: 'NEW' });
    expect(pair('ETHUSDT')).toBeUndefined();
  });

  test('a pair in use stays listed, and is replaced as soon as the exchange lists it', () => {
    const { pairs, pair, replaceCrypto } = createCatalogue(catalogue, clock);
    replaceCrypto([exchangePair('NEW')], new Set(['ETHUSDT', 'AAPL']));
    expect(cryptoOf(pairs())).toEqual(['NEWUSDT', 'ETHUSDT']);
    replaceCrypto([bitcoin], new Set(['ETHUSDT', 'NEWUSDT']));
    expect(cryptoOf(pairs())).toEqual(['BTCUSDT', 'NEWUSDT', 'ETHUSDT']);
    replaceCrypto([{ ...exchangePair('ETH'), name: 'Ether' }], new Set(['ETHUSDT']));
    expect(cryptoOf(pairs())).toEqual(['ETHUSDT']);
    expect(pair('ETHUSDT')?.name).toBe('Ether');
  });

  test('a pair that is listed only because it is in use is delisted, until the exchange lists it again', () => {
    const {
      isDelisted: isFormer,
      addDelisted: listFormer,
      replaceCrypto,
    } = createCatalogue(catalogue, clock);
    listFormer([exchangePair('OLD')]);
    expect(['OLDUSDT', 'ETHUSDT'].map(isFormer)).toEqual([true, false]);
    replaceCrypto([exchangePair('OLD'), bitcoin], new Set(['ETHUSDT']));
    expect(['OLDUSDT', 'ETHUSDT', 'BTCUSDT', 'NOPE'].map(isFormer)).toEqual([false, true, false, false]);
  });

  test('an empty list replaces nothing', () => {
    const { pairs, replaceCrypto } = createCatalogue(catalogue, clock);
    replaceCrypto([], none);
    expect(pairs()).toEqual(catalogue);
  });

  test('a pair of an earlier run is listed after the others of its market, once', () => {
    const { pairs, pair, addDelisted: listFormer, replaceCrypto } = createCatalogue(catalogue, clock);
    listFormer([
      exchangePair('OLD'),
      { ...bitcoin, name: 'not this' },
      { ...bitcoin, type: 'stock', symbol: 'GONE' },
    ]);
    expect(cryptoOf(pairs())).toEqual([...cryptoOf(catalogue), 'OLDUSDT']);
    expect(pair('BTCUSDT')?.name).toBe('Bitcoin');
    expect(pair('GONE')).toBeUndefined();
    expect(pair('OLDUSDT')).toMatchObject({ typical: null, sortOrder: 50 });
    replaceCrypto([bitcoin], new Set(['OLDUSDT']));
    expect(cryptoOf(pairs())).toEqual(['BTCUSDT', 'OLDUSDT']);
  });
});

describe('the market of a symbol', () => {
  /** A catalogue whose pattern counts its calls. */
  function counting() {
    const calls: string[] = [];
    const own = createManualClock(1_000);
    const route = (symbol: string): MarketType => {
      calls.push(symbol);
      return marketTypeOf(symbol);
    };
    return { calls, clock: own, ...createCatalogue(catalogue, own, route) };
  }

  test('FEED-01 FEED-02 FEED-03 FEED-04 FEED-05: a listed symbol is routed by the catalogue, all others by the pattern (A27)', () => {
    const { calls, marketTypeOf: typeOf } = counting();
    for (const { symbol, type } of catalogue) expect(typeOf(symbol)).toBe(type);
    // The pattern alone would call them stocks.
    for (const symbol of ['XPTUSD', 'COFFEEUSD', 'LUMBERMB']) {
      expect(typeOf(symbol)).toBe('commodity');
      expect(marketTypeOf(symbol)).toBe('stock');
    }
    expect(calls).toEqual([]);
    expect(['NEWUSDT', 'CHF/NOK', 'NGG', 'DAX', 'SAP'].map(typeOf)).toEqual([
      'crypto',
      'forex',
      'commodity',
      'index',
      'stock',
    ]);
  });

  test('FEED-06: caches the answer of the pattern for an hour', () => {
    const { calls, clock: own, marketTypeOf: typeOf } = counting();
    typeOf('SAP');
    own.advance(3_599_999);
    typeOf('SAP');
    expect(calls).toEqual(['SAP']);
    own.advance(1);
    typeOf('SAP');
    expect(calls).toEqual(['SAP', 'SAP']);
  });

  test('FEED-06: a symbol that becomes listed gets its market at once', () => {
    const { marketTypeOf: typeOf, replaceCrypto } = counting();
    expect(typeOf('ODD')).toBe('stock');
    replaceCrypto([{ ...bitcoin, id: 'ODD', symbol: 'ODD' }], none);
    expect(typeOf('ODD')).toBe('crypto');
  });

  test('the cache is bounded: of 1,001 symbols the first is forgotten', () => {
    const { calls, marketTypeOf: typeOf } = counting();
    for (let n = 0; n <= 1_000; n += 1) typeOf(`S${n}`);
    calls.length = 0;
    typeOf('S1');
    typeOf('S0');
    expect(calls).toEqual(['S0']);
  });
});
