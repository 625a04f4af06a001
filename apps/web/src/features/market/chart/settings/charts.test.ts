import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Drawing, drawingsMax, parseDrawings, thinAnchors } from '../tools/drawing.ts';
import {
  defaultPeriods,
  defaultSettings,
  noCharts,
  parseCharts,
  periodError,
  serializeCharts,
  storedPairsMax,
  withPair,
} from './chart-settings.ts';
import {
  changeChart,
  changeDrawings,
  chartsKey,
  chooseProvider,
  clearChartsCache,
  getChartSettings,
  resetChart,
  undoDrawing,
} from './charts-store.ts';
import { addedMax, coreStudies, extraStudies, matchesStudy, parseAdded, parseConcealed } from './studies.ts';

const trend = (id: string, price = 100): Drawing => ({
  id,
  tool: 'trend',
  anchors: [
    { at: 1_700_000_000_000, price },
    { at: 1_700_000_900_000, price: price + 5 },
  ],
});

describe('stored chart settings', () => {
  test('TRADE-18, TRADE-19: a pair starts at 15m with volume and the averages; RSI and MACD are offered', () => {
    expect(defaultSettings.timeframe).toBe('15m');
    expect(defaultSettings.shown).toEqual({ sma: true, rsi: false, macd: false, volume: true });
  });

  test('charts: an entry from before the further studies keeps its own ones', () => {
    const old = { timeframe: '1h', shown: { sma: false, rsi: true, macd: true, volume: true } };
    const text = JSON.stringify({ version: 1, provider: null, pairs: [['BTCUSDT', old]] });
    expect(parseCharts(text).pairs.get('BTCUSDT')).toEqual({ ...defaultSettings, ...old });
  });

  test('charts: added studies are read as written, and a damaged one becomes the default or is dropped', () => {
    const bands = { name: 'BOLL', params: [30, 3], ink: 'warn' } as const;
    const settings = { ...defaultSettings, added: [bands], concealed: ['sma', 'BOLL'] } as const;
    const charts = withPair(noCharts, 'BTCUSDT', settings);
    expect(parseCharts(serializeCharts(charts))).toEqual(charts);
    expect(
      parseAdded([
        bands,
        { name: 'SUPER' },
        { name: 'CCI', params: [0], ink: 'pink' },
        { name: 'KDJ', params: [9] },
        7,
      ]),
    ).toEqual([
      bands,
      { name: 'CCI', params: [20], ink: 'text' },
      { name: 'KDJ', params: [9, 3, 3], ink: 'text' },
    ]);
    expect(parseAdded(extraStudies.map((name) => ({ name })))).toHaveLength(addedMax);
    expect(parseConcealed(['rsi', 'nope', 'rsi', 4])).toEqual(['rsi']);
  });

  test('charts: the search finds a study by words of its title or its short name', () => {
    const find = (query: string) => [...coreStudies, ...extraStudies].filter((id) => matchesStudy(id, query));
    expect(find('bollinger')).toEqual(['BOLL']);
    expect(find('moving average')).toEqual(['sma', 'EMA', 'SMA']);
    expect(find('kdj')).toEqual(['KDJ']);
    expect(find('')).toHaveLength(coreStudies.length + extraStudies.length);
    expect(find('nothing like it')).toEqual([]);
  });

  test('are read as they were written, drawings to the digit', () => {
    const settings = {
      ...defaultSettings,
      timeframe: '4h',
      kind: 'hollow',
      periods: { ...defaultPeriods, rsi: 21 },
      magnet: true,
      drawings: [trend('a', 0.000_012_34)],
    } as const;
    const charts = withPair({ ...noCharts, provider: 'third-party' }, 'BTCUSDT', settings);
    expect(parseCharts(serializeCharts(charts))).toEqual(charts);
  });

  test.each([
    ['nothing', null],
    ['a torn text', '{"version":1,"pairs":[['],
    ['another version', '{"version":2,"pairs":[["BTCUSDT",{"timeframe":"1h"}]]}'],
    ['another kind of value', '[7]'],
  ])('%s gives the default', (_name, text) => {
    expect(parseCharts(text)).toEqual(noCharts);
  });

  test('an invalid value becomes the default, each on its own', () => {
    const damaged = {
      timeframe: '2h',
      kind: 'bars',
      shown: { rsi: false, macd: 'yes' },
      periods: { ...defaultPeriods, macdFast: 30 },
      grid: 0,
      drawings: [
        trend('good'),
        { ...trend('far'), anchors: [{ at: null, price: 1 }] },
        { id: 'x', tool: 'spiral', anchors: [] },
        { ...trend('short'), anchors: [{ at: 1, price: 1 }] },
        null,
      ],
    };
    const text = JSON.stringify({
      version: 1,
      provider: 'radio',
      pairs: [['BTCUSDT', damaged], 'x', [7, {}]],
    });
    const read = parseCharts(text);
    expect(read.provider).toBeNull();
    expect([...read.pairs]).toEqual([
      [
        'BTCUSDT',
        {
          ...defaultSettings,
          kind: 'bars',
          shown: { ...defaultSettings.shown, rsi: false },
          drawings: [trend('good')],
        },
      ],
    ]);
  });

  test('pairs and drawings are bounded, the oldest are dropped first', () => {
    let charts = noCharts;
    for (let index = 0; index <= storedPairsMax; index += 1)
      charts = withPair(charts, `P${index}`, defaultSettings);
    charts = withPair(charts, 'P5', defaultSettings);
    expect(charts.pairs.size).toBe(storedPairsMax);
    expect(charts.pairs.has('P0')).toBe(false);
    expect([...charts.pairs.keys()].at(-1)).toBe('P5');
    const many = Array.from({ length: drawingsMax + 1 }, (_none, index) => trend(`d${index}`));
    expect(parseDrawings(many)).toHaveLength(drawingsMax);
    expect(parseDrawings(many)[0]?.id).toBe('d1');
  });

  test('a long stroke retains its ends', () => {
    const stroke = Array.from({ length: 1_000 }, (_none, at) => ({ at, price: at }));
    const thinned = thinAnchors(stroke);
    expect(thinned.length).toBeLessThanOrEqual(80);
    expect([thinned[0], thinned.at(-1)]).toEqual([stroke[0], stroke.at(-1)]);
  });
});

test('a period is a whole number within its bounds, and the slow one is longer', () => {
  const with_ = (change: Partial<typeof defaultPeriods>) => ({ ...defaultPeriods, ...change });
  expect(periodError('rsi', defaultPeriods)).toBeNull();
  for (const rsi of [1, 501, 14.5, Number.NaN]) expect(periodError('rsi', with_({ rsi }))).not.toBeNull();
  expect(periodError('macdSlow', with_({ macdSlow: 12 }))).not.toBeNull();
});

describe('the charts of this browser', () => {
  const items = new Map<string, string>();
  let room = Number.POSITIVE_INFINITY;
  beforeEach(() => {
    items.clear();
    room = Number.POSITIVE_INFINITY;
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => {
        if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
        items.set(key, text);
      },
    });
    clearChartsCache();
  });
  afterEach(() => vi.unstubAllGlobals());
  const reload = () => clearChartsCache();

  test('each pair has its own settings, which survive a reload', () => {
    changeChart('BTCUSDT', { timeframe: '1h', shown: { ...defaultSettings.shown, macd: false } });
    changeDrawings('BTCUSDT', (all) => [...all, trend('btc')]);
    changeDrawings('EUR/USD', (all) => [...all, trend('eur', 1.08)]);
    chooseProvider('third-party');
    reload();
    expect(getChartSettings('BTCUSDT')).toMatchObject({ timeframe: '1h', drawings: [trend('btc')] });
    expect(getChartSettings('BTCUSDT').shown.macd).toBe(false);
    expect(getChartSettings('EUR/USD').drawings).toEqual([trend('eur', 1.08)]);
    expect(getChartSettings('SOLUSDT')).toBe(defaultSettings);
  });

  test('undo reverts drawings step by step, for its own pair only', () => {
    changeDrawings('BTCUSDT', () => [trend('a')]);
    changeDrawings('BTCUSDT', (all) => [...all, trend('b')]);
    changeDrawings('EUR/USD', () => [trend('c')]);
    changeDrawings('BTCUSDT', () => []);
    undoDrawing('BTCUSDT');
    expect(getChartSettings('BTCUSDT').drawings.map(({ id }) => id)).toEqual(['a', 'b']);
    undoDrawing('BTCUSDT');
    undoDrawing('BTCUSDT');
    undoDrawing('BTCUSDT');
    expect(getChartSettings('BTCUSDT').drawings).toEqual([]);
    expect(getChartSettings('EUR/USD').drawings).toHaveLength(1);
  });

  test('a reset leaves timeframe and drawings unchanged', () => {
    changeChart('BTCUSDT', { timeframe: '1d', kind: 'area', magnet: true, grid: false });
    changeDrawings('BTCUSDT', () => [trend('a')]);
    resetChart('BTCUSDT');
    expect(getChartSettings('BTCUSDT')).toEqual({
      ...defaultSettings,
      timeframe: '1d',
      drawings: [trend('a')],
    });
  });

  test('a full storage drops the pairs changed longest ago', () => {
    for (const symbol of ['A', 'B', 'C', 'D']) changeDrawings(symbol, () => [trend(symbol)]);
    room = (items.get(chartsKey)?.length ?? 0) - 20;
    changeChart('D', { kind: 'area' });
    reload();
    expect(getChartSettings('A')).toBe(defaultSettings);
    expect(getChartSettings('D')).toMatchObject({ kind: 'area', drawings: [trend('D')] });
  });

  test('with blocked storage the page still has its settings', () => {
    room = 0;
    changeDrawings('BTCUSDT', () => [trend('a')]);
    expect(getChartSettings('BTCUSDT').drawings).toEqual([trend('a')]);
  });
});
