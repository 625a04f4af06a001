import { toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { PriceError } from '../price-error.ts';
import { type ListedPair, pairsOfExchange } from './index.ts';

const priceFilter = (minPrice: string, maxPrice: string, tickSize: string) => ({
  filterType: 'PRICE_FILTER',
  minPrice,
  maxPrice,
  tickSize,
});
const lotSize = (minQty: string, maxQty: string, stepSize: string) => ({
  filterType: 'LOT_SIZE',
  minQty,
  maxQty,
  stepSize,
});
const usualFilters: readonly unknown[] = [
  priceFilter('0.01000000', '1000000.00000000', '0.01000000'),
  lotSize('0.00001000', '9000.00000000', '0.00001000'),
  { filterType: 'ICEBERG_PARTS', limit: 10 },
  { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '119.23000000', stepSize: '0.00000000' },
  {
    filterType: 'NOTIONAL',
    minNotional: '5.00000000',
    applyMinToMarket: true,
    maxNotional: '9000000.00000000',
    applyMaxToMarket: false,
  },
];

/** A row of `symbols` as the exchange documents it. */
const row = (baseAsset: string, more: Readonly<Record<string, unknown>> = {}) => ({
  symbol: `${baseAsset}USDT`,
  status: 'TRADING',
  baseAsset,
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: usualFilters,
  permissions: [],
  permissionSets: [['SPOT', 'MARGIN']],
  ...more,
});
const info = (...symbols: readonly unknown[]) => ({
  timezone: 'UTC',
  serverTime: 1_565_246_363_776,
  rateLimits: [],
  exchangeFilters: [],
  symbols,
});
const figure = (baseAsset: string, quoteVolume: string) => ({
  symbol: `${baseAsset}USDT`,
  lastPrice: '1.00000000',
  quoteVolume,
});

const symbolsOf = (pairs: readonly ListedPair[]) => pairs.map(({ symbol }) => symbol);
const limitsOf = ({ minPrice, maxPrice, tickSize, minQty, maxQty, stepSize }: ListedPair) =>
  [minPrice, maxPrice, tickSize, minQty, maxQty, stepSize].map(toDecimalString);
const limitsWith = (baseAsset: string, filters: readonly unknown[]) => {
  const [pair] = pairsOfExchange(info(row(baseAsset, { filters })), []);
  return pair ? limitsOf(pair) : null;
};

test('FEED-48: reads symbol, assets, status and filters of the answer to exchangeInfo', () => {
  const [bitcoin] = pairsOfExchange(info(row('BTC')), [figure('BTC', '1592599905.80360790')]);
  expect(bitcoin).toMatchObject({
    id: 'BTCUSDT',
    symbol: 'BTCUSDT',
    name: 'Bitcoin',
    nickname: null,
    type: 'crypto',
    baseAsset: 'BTC',
    quoteAsset: 'USDT',
    tradingHours: 'UTC|Mon-Sun 00:00-24:00',
    sortOrder: 0,
    yahoo: null,
  });
  expect(bitcoin!.typical).toMatchObject({ price: 111_000 });
  expect(limitsOf(bitcoin!)).toEqual(['0.01', '1000000', '0.01', '0.00001', '9000', '0.00001']);
});

test('an asset that we do not ship is called by its code and has no typical market', () => {
  const [pair] = pairsOfExchange(info(row('1000SATS')), []);
  expect(pair).toMatchObject({ symbol: '1000SATSUSDT', name: '1000SATS', typical: null });
});

describe('FEED-49: up to 50 pairs, quoted in USDT, with trading status', () => {
  test.each([
    ['halted', { status: 'HALT' }],
    ['in a break', { status: 'BREAK' }],
    ['in a status of 2026', { status: 'CANCEL_ONLY' }],
    ['in an unknown status', { status: 'DREAMING' }],
    ['without a status', { status: undefined }],
    ['not on the spot market', { isSpotTradingAllowed: false }],
    ['of unknown permission', { isSpotTradingAllowed: undefined }],
    ['quoted in another asset', { symbol: 'ETHBTC', quoteAsset: 'BTC' }],
    ['whose symbol is not its assets', { symbol: 'ETHUSDT_PERP' }],
    ['in letters that a favourite cannot be compared by', { symbol: 'ÉTHUSDT', baseAsset: 'ÉTH' }],
    ['whose filters are no list', { filters: {} }],
  ])('a pair %s is left out, the others stay', (_what, more) => {
    expect(symbolsOf(pairsOfExchange(info(row('ETH', more), row('BTC')), []))).toEqual(['BTCUSDT']);
  });

  test.each([[null], [7], ['BTCUSDT'], [[]], [{}]])('a row that is %j is left out', (broken) => {
    expect(symbolsOf(pairsOfExchange(info(broken, row('BTC')), []))).toEqual(['BTCUSDT']);
  });

  test('ranked by what they turned over; pairs without a figure, or with one that is none, come last', () => {
    const answer = info(...['OLD', 'BTC', 'ETH', 'ODD', 'NEG', 'SOL'].map((asset) => row(asset)));
    const figures = [
      figure('SOL', '900.5'),
      figure('BTC', '10000000000.1'),
      figure('ETH', '9000000000.9'),
      figure('ODD', 'many'),
      figure('NEG', '-5'),
      null,
      { symbol: 'OLDUSDT', quoteVolume: 5 },
      figure('ELSE', '99999999999'),
    ];
    expect(symbolsOf(pairsOfExchange(answer, figures))).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'SOLUSDT',
      'OLDUSDT',
      'ODDUSDT',
      'NEGUSDT',
    ]);
  });

  test('of sixty the fifty largest', () => {
    const assets = Array.from({ length: 60 }, (_, index) => `A${index}`);
    const pairs = pairsOfExchange(
      info(...assets.map((asset) => row(asset))),
      assets.map((asset, index) => figure(asset, String(index))),
    );
    expect(symbolsOf(pairs)).toEqual(
      assets
        .slice(10)
        .reverse()
        .map((asset) => `${asset}USDT`),
    );
    expect(pairs.map(({ sortOrder }) => sortOrder)).toEqual(pairs.map((_, index) => index));
  });

  test('a symbol that is there twice is listed once, as it came first', () => {
    const again = row('BTC', { filters: [priceFilter('1', '10', '1')] });
    const pairs = pairsOfExchange(info(row('BTC'), again), []);
    expect(pairs).toHaveLength(1);
    expect(limitsOf(pairs[0]!)[2]).toBe('0.01');
  });
});

describe('A107: limits from the filters', () => {
  test('finds filters by their type, in any order', () => {
    expect(limitsWith('NEW', [...usualFilters].reverse())).toEqual([
      '0.01',
      '1000000',
      '0.01',
      '0.00001',
      '9000',
      '0.00001',
    ]);
  });

  test('a 0 switches a rule off: tick and step become the minimum, our bounds become the maximum', () => {
    expect(limitsWith('NEW', [priceFilter('0', '0', '0.001'), lotSize('0', '0.00000000', '0.1')])).toEqual([
      '0.001',
      '1000000',
      '0.001',
      '0.1',
      '900000000000',
      '0.1',
    ]);
  });

  test('without a grid of the exchange it is that of our own row, else the finest there is', () => {
    const off = [priceFilter('0', '0', '0'), lotSize('0', '0', '0')];
    expect(limitsWith('XRP', off)).toEqual(['0.0001', '1000000', '0.0001', '0.1', '900000000000', '0.1']);
    expect(limitsWith('NEW', off)?.[2]).toBe('0.00000001');
    expect(limitsWith('NEW', [])).toEqual(limitsWith('NEW', off));
  });

  test.each<[string, unknown]>([
    ['a tick finer than 1e-8', priceFilter('0.0000000001', '1000', '0.0000000001')],
    ['a negative tick', priceFilter('0.01', '1000', '-0.01')],
    ['a tick in letters', priceFilter('0.01', '1000', 'a cent')],
    ['an exponent', priceFilter('1e-2', '1000', '0.01')],
    ['a tick that is a number', { ...priceFilter('0.01', '1000', '0.01'), tickSize: 0.01 }],
    ['no tick at all', { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000' }],
    ['bounds the wrong way round', priceFilter('1000', '0.01', '0.01')],
    ['a tick above the highest price', priceFilter('0.01', '1', '5')],
    ['a price beyond what can be stored', priceFilter('0.01', '1000000000000000000000', '0.01')],
    ['a step finer than 1e-8', lotSize('0.000000001', '9000', '0.000000001')],
    ['a step above the greatest amount', lotSize('0.1', '1', '2')],
    ['amounts the wrong way round', lotSize('5', '1', '1')],
    ['a negative least amount', lotSize('-1', '1', '1')],
  ])('a pair with %s is left out, the others stay', (_what, filter) => {
    const absurd = row('ODD', { filters: [filter] });
    expect(symbolsOf(pairsOfExchange(info(absurd, row('BTC')), []))).toEqual(['BTCUSDT']);
  });
});

describe('an answer that is not of its documented shape is an invalid response', () => {
  const invalid = new PriceError('Invalid response format');

  test.each([
    [null],
    [undefined],
    ['<html>'],
    [[]],
    [{}],
    [{ symbols: null }],
    [{ symbols: {} }],
    [{ code: -1003, msg: 'Too many requests' }],
  ])('FEED-68, ERR-32: exchangeInfo: %j', (answer) => {
    expect(() => pairsOfExchange(answer, [])).toThrow(invalid);
  });

  test.each([[null], ['<html>'], [{}], [{ code: -1003, msg: 'Too many requests' }]])(
    'FEED-68, ERR-32: ticker/24hr: %j',
    (figures) => {
      expect(() => pairsOfExchange(info(row('BTC')), figures)).toThrow(invalid);
    },
  );

  test('an exchange without one pair that trades is no market to take the place of ours', () => {
    expect(() => pairsOfExchange(info(), [])).toThrow(invalid);
    expect(() => pairsOfExchange(info(row('BTC', { status: 'BREAK' })), [])).toThrow(invalid);
  });
});

test('A107: the maximum order price never exceeds the largest price that the hub accepts', () => {
  const filters = [priceFilter('0.01', '900000000000', '0.01'), lotSize('0.001', '9000', '0.001')];
  expect(limitsWith('BTC', filters)?.[1]).toBe('40000000');
});
