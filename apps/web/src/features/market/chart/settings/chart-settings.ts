/**
 * The chart settings of one pair, with their serialisation. Each value is checked when it is read; an invalid one
 * becomes the default, so an old or damaged copy breaks nothing. Pairs, drawings and the stored text are bounded; the
 * pair changed longest ago is dropped first.
 */
import { type Timeframe, timeframes } from '@fulcrum/domain';
import { isRecord } from '../../../../shared/json/is-record.ts';
import { parseJson } from '../../../../shared/json/parse-json.ts';
import { defaultTimeframe } from '../../timeframes.ts';
import { type Drawing, parseDrawings } from '../tools/drawing.ts';
import { type AddedStudy, parseAdded, parseConcealed, type Study, type StudyId } from './studies.ts';

export const barKinds = ['candles', 'hollow', 'bars', 'line', 'area'] as const;
export type BarKind = (typeof barKinds)[number];
export const barKindNames: Readonly<Record<BarKind, string>> = {
  candles: 'Candles',
  hollow: 'Hollow candles',
  bars: 'Bars (OHLC)',
  line: 'Line',
  area: 'Area',
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
export interface ChartAppearance {
  readonly kind: BarKind;
  readonly shown: Readonly<Record<Study, boolean>>;
  readonly periods: Periods;
  /** Further studies, in the order of adding. */
  readonly added: readonly AddedStudy[];
  /** Studies that keep their place and settings, but are not drawn. */
  readonly concealed: readonly StudyId[];
  readonly grid: boolean;
  /** Marks the highest and lowest visible price. */
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

export interface ChartSettings extends ChartAppearance, DrawingRules {
  readonly timeframe: Timeframe;
  /** Shows the levels of positions and orders on the chart. */
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
  // Prices get most of the height; RSI and MACD are one click away.
  shown: { sma: true, rsi: false, macd: false, volume: true },
  periods: defaultPeriods,
  added: [],
  concealed: [],
  grid: true,
  extremes: false,
  magnet: false,
  locked: false,
  hidden: false,
  lines: true,
  drawings: [],
};

const periodBounds = { least: 2, most: 500 } as const;

/** Why a period is not valid; null if it is. */
export function periodError(name: keyof Periods, periods: Periods): string | null {
  const { least, most } = periodBounds;
  const value = periods[name];
  if (!Number.isInteger(value) || value < least || value > most) {
    return `A whole number from ${least} to ${most}`;
  }
  if (name === 'macdSlow' && value <= periods.macdFast) return 'More than the fast period';
  return null;
}

const parseFlag = (value: unknown, fallback: boolean): boolean =>
  typeof value === 'boolean' ? value : fallback;
const parseOneOf = <Value extends string>(all: readonly Value[], value: unknown, fallback: Value): Value =>
  all.find((one) => one === value) ?? fallback;

function parsePeriods(value: unknown): Periods {
  if (!isRecord(value)) return defaultPeriods;
  const names = Object.keys(defaultPeriods) as (keyof Periods)[];
  const figures = names.flatMap((name) => (typeof value[name] === 'number' ? [[name, value[name]]] : []));
  const read: Periods = { ...defaultPeriods, ...Object.fromEntries(figures) };
  // The periods are checked together: one invalid value invalidates the set.
  return names.every((name) => periodError(name, read) === null) ? read : defaultPeriods;
}

function parseSettings(value: Readonly<Record<string, unknown>>): ChartSettings {
  const shown = isRecord(value.shown) ? value.shown : {};
  return {
    timeframe: parseOneOf(timeframes, value.timeframe, defaultSettings.timeframe),
    kind: parseOneOf(barKinds, value.kind, defaultSettings.kind),
    shown: {
      sma: parseFlag(shown.sma, defaultSettings.shown.sma),
      rsi: parseFlag(shown.rsi, defaultSettings.shown.rsi),
      macd: parseFlag(shown.macd, defaultSettings.shown.macd),
      volume: parseFlag(shown.volume, defaultSettings.shown.volume),
    },
    periods: parsePeriods(value.periods),
    added: parseAdded(value.added),
    concealed: parseConcealed(value.concealed),
    grid: parseFlag(value.grid, defaultSettings.grid),
    extremes: parseFlag(value.extremes, defaultSettings.extremes),
    magnet: parseFlag(value.magnet, defaultSettings.magnet),
    locked: parseFlag(value.locked, defaultSettings.locked),
    hidden: parseFlag(value.hidden, defaultSettings.hidden),
    lines: parseFlag(value.lines, defaultSettings.lines),
    drawings: parseDrawings(value.drawings),
  };
}

/** The chosen chart; null applies the server's rules (A35). */
const chartProviders = ['built-in', 'third-party'] as const;
export type ChartProvider = (typeof chartProviders)[number];

export interface StoredCharts {
  readonly provider: ChartProvider | null;
  /** By symbol, the most recently changed one last. */
  readonly pairs: ReadonlyMap<string, ChartSettings>;
}

export const noCharts: StoredCharts = { provider: null, pairs: new Map() };

/** Copies of other versions are ignored. */
const version = 1;
export const storedPairsMax = 60;
/** In UTF-16 units; a browser allows an origin about five million in total. */
export const storedCharsMax = 1_000_000;

export function parseCharts(stored: string | null): StoredCharts {
  const parsed = parseJson(stored);
  if (!isRecord(parsed) || parsed.version !== version) return noCharts;
  const { provider, pairs } = parsed;
  const entries = (Array.isArray(pairs) ? pairs : []).flatMap((entry: unknown): [string, ChartSettings][] => {
    if (!Array.isArray(entry)) return [];
    const [symbol, settings]: unknown[] = entry;
    return typeof symbol === 'string' && isRecord(settings) ? [[symbol, parseSettings(settings)]] : [];
  });
  return {
    provider: chartProviders.find((one) => one === provider) ?? null,
    pairs: new Map(entries.slice(-storedPairsMax)),
  };
}

/** `charts` with the pair's settings as the newest entry; the oldest pairs beyond the limit are dropped. */
export function withPair(charts: StoredCharts, symbol: string, settings: ChartSettings): StoredCharts {
  const others = [...charts.pairs].filter(([other]) => other !== symbol);
  return { ...charts, pairs: new Map([...others.slice(-(storedPairsMax - 1)), [symbol, settings]]) };
}

/** Drops the older half of the pairs if there is more than one. */
export function withoutOlderHalf(charts: StoredCharts): StoredCharts {
  const entries = [...charts.pairs];
  return { ...charts, pairs: new Map(entries.slice(Math.floor(entries.length / 2))) };
}

export const serializeCharts = ({ provider, pairs }: StoredCharts): string =>
  JSON.stringify({ version, provider, pairs: [...pairs] });
