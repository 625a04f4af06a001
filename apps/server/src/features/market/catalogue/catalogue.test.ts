import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  dayMs,
  isMarketOpen,
  isOnStep,
  type MarketType,
  marketTypes,
  nextClosing,
  nextOpening,
  normaliseSymbol,
  parseDecimal,
  priceDecimals,
  toDecimalString,
} from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { catalogue, type ListedPair } from './index.ts';

const symbolsOf = (type: MarketType) =>
  catalogue.filter((pair) => pair.type === type).map((pair) => pair.symbol);
const pairOf = (symbol: string) => catalogue.find((pair) => pair.symbol === symbol)!;
const limitsOf = (symbol: string) => {
  const pair = pairOf(symbol);
  return [pair.minPrice, pair.maxPrice, pair.tickSize, pair.minQty, pair.maxQty, pair.stepSize].map(
    toDecimalString,
  );
};

describe('what is listed', () => {
  test('FEED-49 FEED-59 FEED-60 FEED-61 FEED-62: 50 crypto pairs, 50 stocks, 50 forex pairs, 20 commodities, 7 indices, in this order', () => {
    const counts = marketTypes.map((type) => [type, symbolsOf(type).length]);
    expect(counts).toEqual([
      ['crypto', 50],
      ['stock', 50],
      ['forex', 50],
      ['commodity', 20],
      ['index', 7],
    ]);
    expect(catalogue.map(({ type }) => marketTypes.indexOf(type))).toEqual(
      catalogue.map(({ type }) => marketTypes.indexOf(type)).sort((left, right) => left - right),
    );
    expect(catalogue.map(({ sortOrder }) => sortOrder)).toEqual(catalogue.map((_, index) => index));
  });

  test('FEED-61: exactly the twenty commodities', () => {
    expect(symbolsOf('commodity').join(', ')).toBe(
      'XAUUSD, XAGUSD, XPTUSD, XPDUSD, WTIUSD, BCOUSD, NGUSD, HGUSD, XCUUSD, XALUSD, XNIUSD, XZNUSD, CORNUSD, ' +
        'WHEATUSD, SOYUSD, SUGARUSD, COFFEEUSD, COTTONUSD, COCOAUSD, LUMBERMB',
    );
  });

  test('FEED-62: exactly the seven indices', () => {
    expect(symbolsOf('index')).toEqual(['SPX', 'NDX', 'FTSE', 'CAC', 'NIKKEI', 'HSI', 'ASX']);
  });

  test('FEED-50 FEED-55 FEED-56 FEED-57 FEED-58: it contains the fixed set of the trading screen (A28)', () => {
    for (const [type, symbols] of [
      ['stock', 'AAPL MSFT GOOGL AMZN NVDA META TSLA'],
      ['forex', 'EUR/USD GBP/USD USD/JPY USD/CHF AUD/USD'],
      ['commodity', 'XAUUSD XAGUSD WTIUSD BCOUSD'],
      ['index', 'SPX NDX FTSE CAC'],
    ] as const) {
      expect(symbolsOf(type)).toEqual(expect.arrayContaining(symbols.split(' ')));
    }
  });

  test('FEED-60: every forex pair has a nickname, which names no other pair', () => {
    const nicknames = catalogue.filter(({ type }) => type === 'forex').map(({ nickname }) => nickname);
    expect(nicknames).not.toContain(null);
    expect(new Set(nicknames).size).toBe(50);
    expect(pairOf('GBP/USD').nickname).toBe('Cable');
  });

  test('FEED-49: every crypto pair is quoted in USDT', () => {
    for (const symbol of symbolsOf('crypto')) {
      expect(pairOf(symbol).quoteAsset).toBe('USDT');
      expect(symbol).toBe(`${pairOf(symbol).baseAsset}USDT`);
    }
  });

  test('ENT-26: no two pairs are the same favourite', () => {
    expect(new Set(catalogue.map(({ symbol }) => normaliseSymbol(symbol))).size).toBe(catalogue.length);
  });
});

describe('limits', () => {
  test('FEED-51: commodities and indices have the stated limits and settle in USD', () => {
    for (const symbol of ['XAUUSD', 'WTIUSD', 'COCOAUSD', ...symbolsOf('index')]) {
      expect(limitsOf(symbol)).toEqual(['0.01', '1000000', '0.01', '0.01', '1000000', '0.01']);
      expect(pairOf(symbol).quoteAsset).toBe('USD');
    }
  });

  test('FEED-54: stocks keep to the stricter bounds (A29)', () => {
    for (const symbol of symbolsOf('stock')) {
      expect(limitsOf(symbol)).toEqual(['0.01', '100000', '0.01', '0.01', '100000', '0.01']);
    }
  });

  test('FEED-52 FEED-53: a forex pair counts in 0.00001, in units of the base (A107), and takes its assets from the two sides', () => {
    expect(limitsOf('EUR/USD')).toEqual(['0.00001', '1000000', '0.00001', '1', '10000000', '1']);
    for (const symbol of symbolsOf('forex')) {
      const { baseAsset, quoteAsset, minQty, maxQty, stepSize, minPrice } = pairOf(symbol);
      expect(symbol).toBe(`${baseAsset}/${quoteAsset}`);
      expect([minPrice, minQty, maxQty, stepSize].map(toDecimalString)).toEqual([
        '0.00001',
        '1',
        '10000000',
        '1',
      ]);
    }
  });

  test('A99: the ticks that differ from the default of their market', () => {
    const usual: Partial<Record<MarketType, string>> = {
      stock: '0.01',
      commodity: '0.01',
      index: '0.01',
      forex: '0.00001',
    };
    const unusual = new Map<string, string[]>();
    for (const { symbol, type, tickSize } of catalogue) {
      const tick = toDecimalString(tickSize);
      if (type === 'crypto' || tick === usual[type]) continue;
      unusual.set(tick, [...(unusual.get(tick) ?? []), symbol]);
    }
    expect(Object.fromEntries(unusual)).toEqual({
      '0.001': [
        'USD/JPY',
        'EUR/JPY',
        'GBP/JPY',
        'AUD/JPY',
        'NZD/JPY',
        'CAD/JPY',
        'CHF/JPY',
        'USD/HUF',
        'EUR/HUF',
        'SGD/JPY',
        'NGUSD',
      ],
      '0.0005': ['HGUSD', 'XCUUSD'],
      '0.25': ['CORNUSD', 'WHEATUSD', 'SOYUSD'],
      '0.5': ['LUMBERMB'],
    });
  });

  test('A107: crypto pairs have steps of their own', () => {
    expect(limitsOf('BTCUSDT')).toEqual(['0.01', '1000000', '0.01', '0.00001', '9000', '0.00001']);
    expect(limitsOf('PEPEUSDT')).toEqual(['0.00000001', '1000000', '0.00000001', '1', '900000000000', '1']);
  });

  test('ENT-23 ENT-24: every pair is complete, and its figures make a market', () => {
    for (const pair of catalogue) {
      expect(pair.id).toBe(pair.symbol);
      for (const text of [pair.name, pair.baseAsset, pair.quoteAsset]) expect(text).not.toBe('');
      expect(marketTypes).toContain(pair.type);
      expect(pair.minPrice > 0n && pair.minPrice < pair.maxPrice && pair.tickSize > 0n).toBe(true);
      expect(pair.minQty > 0n && pair.minQty < pair.maxQty && pair.stepSize > 0n).toBe(true);
      expect(isOnStep(pair.minQty, pair.stepSize) && isOnStep(pair.maxQty, pair.stepSize)).toBe(true);
      expect(priceDecimals(pair)).toBeLessThanOrEqual(8);
    }
    expect(new Set(catalogue.map((pair) => pair.symbol)).size).toBe(catalogue.length);
  });
});

describe('hours', () => {
  test('A98: can be read, and every market but crypto is shut on a Saturday and open again within three days', () => {
    for (const { type, tradingHours } of catalogue) {
      const saturday = Date.parse('2026-06-13T12:00:00Z');
      if (type === 'crypto') {
        expect(nextClosing(tradingHours, saturday)).toBeNull();
        continue;
      }
      expect(isMarketOpen(tradingHours, saturday)).toBe(false);
      const opening = nextOpening(tradingHours, saturday)!;
      expect(opening - saturday).toBeLessThan(3 * dayMs);
      expect(nextClosing(tradingHours, opening)! - opening).toBeLessThanOrEqual(5 * dayMs);
    }
  });
});

describe('typical markets', () => {
  const typicalOf = (pair: ListedPair) => pair.typical!;

  test('every shipped pair has one, of a price that its limits allow and its tick can show', () => {
    for (const pair of catalogue) {
      const { price, dailyVolatilityPct, turnoverMillions } = typicalOf(pair);
      const exact = parseDecimal(price.toFixed(8));
      expect(exact >= pair.minPrice && exact <= pair.maxPrice).toBe(true);
      expect(isOnStep(exact, pair.tickSize), pair.symbol).toBe(true);
      expect(dailyVolatilityPct).toBeGreaterThan(0);
      expect(dailyVolatilityPct).toBeLessThan(10);
      expect(turnoverMillions).toBeGreaterThan(0);
    }
  });

  test('forex crosses agree with the prices against the dollar that they follow from', () => {
    /** Dollars of one unit. */
    const worth = new Map([['USD', 1]]);
    const forex = catalogue.filter(({ type }) => type === 'forex');
    for (const pair of forex) {
      if (pair.quoteAsset === 'USD') worth.set(pair.baseAsset, typicalOf(pair).price);
      if (pair.baseAsset === 'USD') worth.set(pair.quoteAsset, 1 / typicalOf(pair).price);
    }
    for (const pair of forex) {
      const cross = worth.get(pair.baseAsset)! / worth.get(pair.quoteAsset)!;
      expect(Math.abs(typicalOf(pair).price / cross - 1), pair.symbol).toBeLessThan(1e-5);
    }
  });
});

describe('the research that the rows come from', () => {
  const folder = process.env.FULCRUM_CATALOGUE_CSV;
  const files = ['crypto', 'stocks', 'forex', 'commodities', 'indices'];
  const reason = folder === undefined ? ' (left out: FULCRUM_CATALOGUE_CSV names no folder)' : '';

  test.skipIf(folder === undefined).each(files)(
    `A99: the rows of %s are those of its file${reason}`,
    (file) => {
      const records = readRecords(readFileSync(join(folder ?? '', `catalogue-${file}.csv`), 'utf8'));
      const type = pairOf(records[0]!.symbol!).type;
      expect(records.map((record) => record.symbol)).toEqual(symbolsOf(type));
      for (const record of records) {
        const pair = pairOf(record.symbol!);
        const { name, nickname, base, quote, yahoo, trading_hours } = record;
        expect({ ...pair, nickname: pair.nickname ?? '', yahoo: pair.yahoo ?? '' }).toMatchObject({
          name,
          nickname: nickname ?? '',
          baseAsset: base,
          quoteAsset: quote,
          yahoo: yahoo ?? '',
          tradingHours: trading_hours,
        });
        expect(pair.typical).toMatchObject({
          price: Number(record.typical_price),
          dailyVolatilityPct: Number(record.typical_daily_vol_pct),
        });
        if (record.tick_size) expect(pair.tickSize).toBe(parseDecimal(record.tick_size));
        if (record.step_size) expect(pair.stepSize).toBe(parseDecimal(record.step_size));
        if (record.min_qty) expect(pair.minQty).toBe(parseDecimal(record.min_qty));
        if (record.max_qty) expect(pair.maxQty).toBe(parseDecimal(record.max_qty));
      }
    },
  );

  /** RFC 4180 without line breaks inside of fields. */
  function readRecords(text: string): Array<Record<string, string | undefined>> {
    const [head = [], ...rows] = text
      .trim()
      .split(/\r?\n/)
      .map((line) =>
        [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
          ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
        ),
      );
    return rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index]])));
  }
});
