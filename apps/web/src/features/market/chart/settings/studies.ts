/**
 * The list of studies that a chart can show beside its four own ones: those of klinecharts by their registered names,
 * and the day's levels. It names no library code, so that the toolbar needs none. Known limitations: klinecharts has
 * no ATR, no WMA and no SuperTrend; directional movement, the smoothed average and parabolic SAR are their like. Its
 * average price (AVP) needs turnover, which candles do not carry: session VWAP stands in its place.
 */
import { isRecord } from '../../../../shared/json/is-record.ts';
import { type Ink, inks } from './inks.ts';

export const coreStudies = ['sma', 'rsi', 'macd', 'volume'] as const;
export type Study = (typeof coreStudies)[number];
const studyNames: Readonly<Record<Study, string>> = {
  sma: 'Simple moving average',
  rsi: 'RSI',
  macd: 'MACD',
  volume: 'Volume',
};

interface StudyKind {
  readonly title: string;
  /** Drawn over the candles, or in a pane of its own. */
  readonly location: 'price' | 'pane';
  readonly params: readonly number[];
  /** One label per parameter. */
  readonly labels: readonly string[];
  /** Its values: prices, differences of prices, figures of two decimals, or volumes. */
  readonly unit: 'price' | 'difference' | 'figure' | 'volume';
}

const kind = (
  title: string,
  location: StudyKind['location'],
  unit: StudyKind['unit'],
  params: Readonly<Record<string, number>> = {},
): StudyKind => ({ title, location, unit, params: Object.values(params), labels: Object.keys(params) });

export const extraStudies = [
  'VWAP',
  'DAY',
  'EMA',
  'SMA',
  'BOLL',
  'SAR',
  'BBI',
  'KDJ',
  'CCI',
  'DMI',
  'OBV',
  'WR',
  'ROC',
  'MTM',
  'AO',
  'TRIX',
  'DMA',
  'BIAS',
  'EMV',
  'PVT',
  'VR',
  'PSY',
  'BRAR',
  'CR',
] as const;
export type ExtraStudy = (typeof extraStudies)[number];
export type StudyId = Study | ExtraStudy;

export const studyKinds: Readonly<Record<ExtraStudy, StudyKind>> = {
  VWAP: kind('Session VWAP', 'price', 'price'),
  DAY: kind('Prior day high and low', 'price', 'price'),
  EMA: kind('Exponential moving average (EMA)', 'price', 'price', { First: 9, Second: 21, Third: 55 }),
  SMA: kind('Smoothed moving average', 'price', 'price', { Period: 12, Weight: 2 }),
  BOLL: kind('Bollinger bands', 'price', 'price', { Period: 20, Deviations: 2 }),
  SAR: kind('Parabolic SAR', 'price', 'price', { 'Start %': 2, 'Step %': 2, 'Most %': 20 }),
  BBI: kind('Bull and bear index (BBI)', 'price', 'price', { First: 3, Second: 6, Third: 12, Fourth: 24 }),
  KDJ: kind('Stochastic (KDJ)', 'pane', 'figure', { Period: 9, 'K smoothing': 3, 'D smoothing': 3 }),
  CCI: kind('Commodity channel index (CCI)', 'pane', 'figure', { Period: 20 }),
  DMI: kind('Directional movement (DMI, ADX)', 'pane', 'figure', { Period: 14, Smoothing: 6 }),
  OBV: kind('On-balance volume (OBV)', 'pane', 'volume', { Average: 30 }),
  WR: kind('Williams %R', 'pane', 'figure', { First: 6, Second: 10, Third: 14 }),
  ROC: kind('Rate of change (ROC)', 'pane', 'figure', { Period: 12, Average: 6 }),
  MTM: kind('Momentum (MTM)', 'pane', 'difference', { Period: 12, Average: 6 }),
  AO: kind('Awesome oscillator (AO)', 'pane', 'difference', { Fast: 5, Slow: 34 }),
  TRIX: kind('Triple smoothed average (TRIX)', 'pane', 'figure', { Period: 12, Average: 9 }),
  DMA: kind('Difference of averages (DMA)', 'pane', 'difference', { Fast: 10, Slow: 50, Average: 10 }),
  BIAS: kind('Bias from the average (BIAS)', 'pane', 'figure', { First: 6, Second: 12, Third: 24 }),
  EMV: kind('Ease of movement (EMV)', 'pane', 'figure', { Period: 14, Average: 9 }),
  PVT: kind('Price and volume trend (PVT)', 'pane', 'volume'),
  VR: kind('Volume ratio (VR)', 'pane', 'figure', { Period: 26, Average: 6 }),
  PSY: kind('Psychological line (PSY)', 'pane', 'figure', { Period: 12, Average: 6 }),
  BRAR: kind('Sentiment (BRAR)', 'pane', 'figure', { Period: 26 }),
  CR: kind('Energy (CR)', 'pane', 'figure', { Period: 26, First: 10, Second: 20, Third: 40, Fourth: 60 }),
};

export const getStudyTitle = (id: StudyId): string =>
  isExtraStudy(id) ? studyKinds[id].title : studyNames[id];
export const isExtraStudy = (id: string): id is ExtraStudy => extraStudies.some((one) => one === id);
export const isStudyId = (id: string): id is StudyId =>
  isExtraStudy(id) || coreStudies.some((one) => one === id);

export interface AddedStudy {
  readonly name: ExtraStudy;
  readonly params: readonly number[];
  /** The colour of its first line. */
  readonly ink: Ink;
}

/** Panes under the prices take height, and each study time at every tick. */
export const addedMax = 8;
const paramBounds = { least: 1, most: 500 } as const;

/** Why a parameter is not valid; null if it is. */
export function paramError(value: number): string | null {
  const { least, most } = paramBounds;
  return Number.isInteger(value) && value >= least && value <= most
    ? null
    : `A whole number from ${least} to ${most}`;
}

export const defaultAdded = (name: ExtraStudy, index: number): AddedStudy => ({
  name,
  params: studyKinds[name].params,
  // From the last: the first is that of the entry's line.
  ink: inks.at(-1 - (index % inks.length)) ?? 'text',
});

/** The valid studies of a stored list, each once; invalid parameters become the default ones. */
export function parseAdded(value: unknown): readonly AddedStudy[] {
  if (!Array.isArray(value)) return [];
  const byName = new Map<ExtraStudy, AddedStudy>();
  for (const stored of value) {
    const entry: unknown = stored;
    if (!isRecord(entry)) continue;
    const name = extraStudies.find((one) => one === entry.name);
    if (!name) continue;
    const fallback = defaultAdded(name, 0);
    const numbers = (Array.isArray(entry.params) ? entry.params : []).filter(
      (one): one is number => typeof one === 'number' && paramError(one) === null,
    );
    byName.set(name, {
      name,
      params: numbers.length === fallback.params.length ? numbers : fallback.params,
      ink: inks.find((one) => one === entry.ink) ?? fallback.ink,
    });
  }
  return [...byName.values()].slice(0, addedMax);
}

export const parseConcealed = (value: unknown): readonly StudyId[] =>
  Array.isArray(value)
    ? [...new Set(value.filter((one): one is StudyId => typeof one === 'string' && isStudyId(one)))]
    : [];

/** Whether each part of the query is in the study's name or title. */
export function matchesStudy(id: StudyId, query: string): boolean {
  const text = `${id} ${getStudyTitle(id)}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => text.includes(part));
}
