import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Drawing, mostDrawings, readDrawings, thinned } from '../tools/drawing.ts';
import {
  defaultPeriods,
  defaultSettings,
  mostPairs,
  noCharts,
  periodError,
  readCharts,
  withPair,
  writeCharts,
} from './chart-settings.ts';
import {
  changeChart,
  changeDrawings,
  chartSettings,
  chartsKey,
  chooseProvider,
  forgetCharts,
  resetChart,
  undoDrawing,
} from './charts-store.ts';

const trend = (id: string, price = 100): Drawing => ({
  id,
  tool: 'trend',
  anchors: [
    { at: 1_700_000_000_000, price },
    { at: 1_700_000_900_000, price: price + 5 },
  ],
});

describe('what is kept', () => {
  test('TRADE-18, TRADE-19: a pair begins at 15m with RSI, the averages and MACD', () => {
    expect(defaultSettings.timeframe).toBe('15m');
    expect(defaultSettings.shown).toMatchObject({ sma: true, rsi: true, macd: true });
  });

  test('is read as it was written, drawings to the digit', () => {
    const settings = {
      ...defaultSettings,
      timeframe: '4h',
      kind: 'hollow',
      periods: { ...defaultPeriods, rsi: 21 },
      magnet: true,
      drawings: [trend('a', 0.000_012_34)],
    } as const;
    const charts = withPair({ ...noCharts, provider: 'third-party' }, 'BTCUSDT', settings);
    expect(readCharts(writeCharts(charts))).toEqual(charts);
  });

  test.each([
    ['nothing', null],
    ['a torn text', '{"version":1,"pairs":[['],
    ['another version', '{"version":2,"pairs":[["BTCUSDT",{"timeframe":"1h"}]]}'],
    ['another kind of value', '[7]'],
  ])('%s is the default', (_name, text) => {
    expect(readCharts(text)).toEqual(noCharts);
  });

  test('what does not fit counts as the default, value by value', () => {
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
    const read = readCharts(text);
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

  test('pairs and drawings are bounded, the oldest leave first', () => {
    let charts = noCharts;
    for (let index = 0; index <= mostPairs; index += 1)
      charts = withPair(charts, `P${index}`, defaultSettings);
    charts = withPair(charts, 'P5', defaultSettings);
    expect(charts.pairs.size).toBe(mostPairs);
    expect(charts.pairs.has('P0')).toBe(false);
    expect([...charts.pairs.keys()].at(-1)).toBe('P5');
    const many = Array.from({ length: mostDrawings + 1 }, (_none, index) => trend(`d${index}`));
    expect(readDrawings(many)).toHaveLength(mostDrawings);
    expect(readDrawings(many)[0]?.id).toBe('d1');
  });

  test('a long stroke keeps its ends', () => {
    const stroke = Array.from({ length: 1_000 }, (_none, at) => ({ at, price: at }));
    const kept = thinned(stroke);
    expect(kept.length).toBeLessThanOrEqual(80);
    expect([kept[0], kept.at(-1)]).toEqual([stroke[0], stroke.at(-1)]);
  });
});

test('a period is a whole number within its bounds, and the slow one is the longer', () => {
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
    forgetCharts();
  });
  afterEach(() => vi.unstubAllGlobals());
  const reload = () => forgetCharts();

  test('each pair has its own, and all of them survive a reload', () => {
    changeChart('BTCUSDT', { timeframe: '1h', shown: { ...defaultSettings.shown, macd: false } });
    changeDrawings('BTCUSDT', (all) => [...all, trend('btc')]);
    changeDrawings('EUR/USD', (all) => [...all, trend('eur', 1.08)]);
    chooseProvider('third-party');
    reload();
    expect(chartSettings('BTCUSDT')).toMatchObject({ timeframe: '1h', drawings: [trend('btc')] });
    expect(chartSettings('BTCUSDT').shown.macd).toBe(false);
    expect(chartSettings('EUR/USD').drawings).toEqual([trend('eur', 1.08)]);
    expect(chartSettings('SOLUSDT')).toBe(defaultSettings);
  });

  test('undo takes back drawings step by step, of its own pair alone', () => {
    changeDrawings('BTCUSDT', () => [trend('a')]);
    changeDrawings('BTCUSDT', (all) => [...all, trend('b')]);
    changeDrawings('EUR/USD', () => [trend('c')]);
    changeDrawings('BTCUSDT', () => []);
    undoDrawing('BTCUSDT');
    expect(chartSettings('BTCUSDT').drawings.map(({ id }) => id)).toEqual(['a', 'b']);
    undoDrawing('BTCUSDT');
    undoDrawing('BTCUSDT');
    undoDrawing('BTCUSDT');
    expect(chartSettings('BTCUSDT').drawings).toEqual([]);
    expect(chartSettings('EUR/USD').drawings).toHaveLength(1);
  });

  test('a reset leaves timeframe and drawings alone', () => {
    changeChart('BTCUSDT', { timeframe: '1d', kind: 'area', magnet: true, grid: false });
    changeDrawings('BTCUSDT', () => [trend('a')]);
    resetChart('BTCUSDT');
    expect(chartSettings('BTCUSDT')).toEqual({ ...defaultSettings, timeframe: '1d', drawings: [trend('a')] });
  });

  test('when the storage is full the pairs changed longest ago make room', () => {
    for (const symbol of ['A', 'B', 'C', 'D']) changeDrawings(symbol, () => [trend(symbol)]);
    room = (items.get(chartsKey)?.length ?? 0) - 20;
    changeChart('D', { kind: 'area' });
    reload();
    expect(chartSettings('A')).toBe(defaultSettings);
    expect(chartSettings('D')).toMatchObject({ kind: 'area', drawings: [trend('D')] });
  });

  test('when nothing can be kept the page still has it', () => {
    room = 0;
    changeDrawings('BTCUSDT', () => [trend('a')]);
    expect(chartSettings('BTCUSDT').drawings).toEqual([trend('a')]);
  });
});
