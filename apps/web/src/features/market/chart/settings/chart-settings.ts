/**
 * What a chart of one pair is set to, and how all of it is written down and read again. Whatever is read is checked value by
 * value: what does not fit counts as the default, so an old or damaged copy breaks nothing. Pairs, drawings and the
 * whole text are bounded; the pair that was changed longest ago leaves first.
 */
import { type Timeframe, timeframes } from '@fulcrum/domain';
import { defaultTimeframe } from '../../timeframes.ts';
import { type Drawing, readDrawings } from '../tools/drawing.ts';

export const barKinds = ['candles', 'hollow', 'bars', 'line', 'area'] as const;
export type BarKind = (typeof barKinds)[number];
export const barKindNames: Readonly<Record<BarKind, string>> = {
  candles: 'Candles',
  hollow: 'Hollow candles',
  bars: 'Bars (OHLC)',
  line: 'Line',
  area: 'Area',
};

export const studies = ['sma', 'rsi', 'macd', 'volume'] as const;
export type Study = (typeof studies)[number];
export const studyNames: Readonly<Record<Study, string>> = {
  sma: 'Simple moving average',
  rsi: 'RSI',
  macd: 'MACD',
  volume: 'Volume',
};

export interface Periods {
  readonly smaShort: number;
  readonly smaLong: number;
  readonly rsi: number;
  readonly macdFast: number;
  readonly macdSlow: number;
  readonly macdSignal: number;
}

/** How a chart is drawn. */
export interface ChartLook {
  readonly kind: BarKind;
  readonly shown: Readonly<Record<Study, boolean>>;
  readonly periods: Periods;
  readonly grid: boolean;
  /** Marks at the highest and lowest price in sight. */
  readonly extremes: boolean;
}

/** How drawings behave. */
export interface DrawingRules {
  /** Anchors snap to a bar's open, high, low and close. */
  readonly magnet: boolean;
  /** Drawings cannot be moved. */
  readonly locked: boolean;
  readonly hidden: boolean;
}

export interface ChartSettings extends ChartLook, DrawingRules {
  readonly timeframe: Timeframe;
  /** Levels of positions and orders on the chart. */
  readonly lines: boolean;
  readonly drawings: readonly Drawing[];
}

export const defaultPeriods: Periods = {
  smaShort: 20,
  smaLong: 50,
  rsi: 14,
  macdFast: 12,
  macdSlow: 26,
  macdSignal: 9,
};

export const defaultSettings: ChartSettings = {
  timeframe: defaultTimeframe,
  kind: 'candles',
  shown: { sma: true, rsi: true, macd: true, volume: true },
  periods: defaultPeriods,
  grid: true,
  extremes: false,
  magnet: false,
  locked: false,
  hidden: false,
  lines: true,
  drawings: [],
};

const periodBounds = { least: 2, most: 500 } as const;

/** Why a period cannot be used; null when it can. */
export function periodError(name: keyof Periods, periods: Periods): string | null {
  const { least, most } = periodBounds;
  const value = periods[name];
  if (!Number.isInteger(value) || value < least || value > most) {
    return `A whole number from ${least} to ${most}`;
  }
  if (name === 'macdSlow' && value <= periods.macdFast) return 'More than the fast period';
  return null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const flag = (value: unknown, fallback: boolean): boolean => (typeof value === 'boolean' ? value : fallback);
const oneOf = <Value extends string>(all: readonly Value[], value: unknown, fallback: Value): Value =>
  all.find((one) => one === value) ?? fallback;

function readPeriods(value: unknown): Periods {
  if (!isRecord(value)) return defaultPeriods;
  const figure = (name: keyof Periods): number => {
    const stored = value[name];
    return typeof stored === 'number' ? stored : defaultPeriods[name];
  };
  const read: Periods = {
    smaShort: figure('smaShort'),
    smaLong: figure('smaLong'),
    rsi: figure('rsi'),
    macdFast: figure('macdFast'),
    macdSlow: figure('macdSlow'),
    macdSignal: figure('macdSignal'),
  };
  // They belong together: one bad figure makes the set meaningless.
  const names = ['smaShort', 'smaLong', 'rsi', 'macdFast', 'macdSlow', 'macdSignal'] as const;
  return names.every((name) => periodError(name, read) === null) ? read : defaultPeriods;
}

function readSettings(value: Readonly<Record<string, unknown>>): ChartSettings {
  const shown = isRecord(value.shown) ? value.shown : {};
  return {
    timeframe: oneOf(timeframes, value.timeframe, defaultSettings.timeframe),
    kind: oneOf(barKinds, value.kind, defaultSettings.kind),
    shown: {
      sma: flag(shown.sma, defaultSettings.shown.sma),
      rsi: flag(shown.rsi, defaultSettings.shown.rsi),
      macd: flag(shown.macd, defaultSettings.shown.macd),
      volume: flag(shown.volume, defaultSettings.shown.volume),
    },
    periods: readPeriods(value.periods),
    grid: flag(value.grid, defaultSettings.grid),
    extremes: flag(value.extremes, defaultSettings.extremes),
    magnet: flag(value.magnet, defaultSettings.magnet),
    locked: flag(value.locked, defaultSettings.locked),
    hidden: flag(value.hidden, defaultSettings.hidden),
    lines: flag(value.lines, defaultSettings.lines),
    drawings: readDrawings(value.drawings),
  };
}

/** Which chart is shown; null: what the server's rules say (A35). */
const chartProviders = ['built-in', 'third-party'] as const;
export type ChartProvider = (typeof chartProviders)[number];

export interface KeptCharts {
  readonly provider: ChartProvider | null;
  /** By symbol, the one changed last at the end. */
  readonly pairs: ReadonlyMap<string, ChartSettings>;
}

export const noCharts: KeptCharts = { provider: null, pairs: new Map() };

/** Another version means another form: it is not guessed at. */
const version = 1;
export const mostPairs = 60;
/** Of UTF-16 units; a browser gives an origin about five million for everything. */
export const mostText = 1_000_000;

export function readCharts(stored: string | null): KeptCharts {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored ?? 'null');
  } catch {
    return noCharts;
  }
  if (!isRecord(parsed) || parsed.version !== version) return noCharts;
  const { provider, pairs } = parsed;
  const entries = (Array.isArray(pairs) ? pairs : []).flatMap((entry: unknown): [string, ChartSettings][] => {
    if (!Array.isArray(entry)) return [];
    const [symbol, settings]: unknown[] = entry;
    return typeof symbol === 'string' && isRecord(settings) ? [[symbol, readSettings(settings)]] : [];
  });
  return {
    provider: chartProviders.find((one) => one === provider) ?? null,
    pairs: new Map(entries.slice(-mostPairs)),
  };
}

/** `charts` with the pair's settings as the newest entry; the oldest pairs beyond the bound are left out. */
export function withPair(charts: KeptCharts, symbol: string, settings: ChartSettings): KeptCharts {
  const others = [...charts.pairs].filter(([other]) => other !== symbol);
  return { ...charts, pairs: new Map([...others.slice(-(mostPairs - 1)), [symbol, settings]]) };
}

/** Without the older half of the pairs, when there is more than one. */
export function halved(charts: KeptCharts): KeptCharts {
  const entries = [...charts.pairs];
  return { ...charts, pairs: new Map(entries.slice(Math.floor(entries.length / 2))) };
}

export const writeCharts = ({ provider, pairs }: KeptCharts): string =>
  JSON.stringify({ version, provider, pairs: [...pairs] });
