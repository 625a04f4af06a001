/**
 * Draws the studies that a trader adds: those that klinecharts registers itself, and the two of the trading day, whose
 * values come from `day-levels.ts`. Each has a legend with its parameters, values and buttons.
 */
import {
  type Chart,
  type IndicatorCreate,
  type IndicatorFigure,
  type IndicatorTemplate,
  registerIndicator,
  type TooltipLegend,
} from 'klinecharts';
import { isRecord } from '../../../shared/json/is-record.ts';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { formatCompact, formatFigure, toTrueMinus } from '../../../shared/numbers/index.ts';
import type { Bar, BarSpec } from './bars.ts';
import { type ChartColours, fadeColour } from './chart-theme.ts';
import { type DayLevel, dayLevels } from './day-levels.ts';
import type { ChartAppearance } from './settings/chart-settings.ts';
import { type AddedStudy, type ExtraStudy, extraStudies, studyKinds } from './settings/studies.ts';
import { studyButtons, toIndicatorId } from './study-legend.ts';

const pricePane = 'candle_pane';
const lineWidth = 1.3;
const figureDecimals = 2;

interface DayStudyData {
  readonly barSpec: () => BarSpec | null;
}

/** The names with which this module registers the day's studies; klinecharts has none of them. */
const indicatorName = (name: ExtraStudy): string =>
  name === 'VWAP' || name === 'DAY' ? `fulcrum-${name.toLowerCase()}` : name;

function dayStudy(
  name: 'VWAP' | 'DAY',
  figures: IndicatorFigure<DayLevel>[],
): IndicatorTemplate<DayLevel, number, DayStudyData> {
  return {
    name: indicatorName(name),
    series: 'price',
    figures,
    calc: (bars, { extendData }) => {
      const spec = extendData?.barSpec() ?? null;
      return spec ? dayLevels(bars as readonly Bar[], spec) : [];
    },
  };
}

/** Registers the day's studies with klinecharts; call it once per page. */
export function registerDayStudies(): void {
  registerIndicator(dayStudy('VWAP', [{ key: 'vwap', title: 'VWAP', type: 'line' }]));
  registerIndicator(
    dayStudy('DAY', [
      { key: 'high', title: 'High', type: 'line' },
      { key: 'low', title: 'Low', type: 'line' },
    ]),
  );
}

/** The colours of a study's lines: its own first, then others that differ from it. */
function lineColours({ name, ink }: AddedStudy, colours: ChartColours): readonly string[] {
  const own = colours[ink];
  if (name === 'BOLL') return [fadeColour(own, 70), own, fadeColour(own, 70)];
  if (name === 'DAY') return [own, own];
  const others = [colours.series2, colours.warn, colours.accent, colours.series1, colours.text2];
  return [own, ...others.filter((one) => one !== own)];
}

interface StudyDrawing {
  readonly colours: ChartColours;
  readonly barSpec: () => BarSpec | null;
  readonly paneHeight: { readonly height: number; readonly minHeight: number };
}

function toIndicator(
  study: AddedStudy,
  appearance: ChartAppearance,
  { colours, barSpec }: StudyDrawing,
): IndicatorCreate {
  const { name, params } = study;
  const { title, unit, location } = studyKinds[name];
  const inks = lineColours(study, colours);
  const format = (value: number, decimals: number) =>
    unit === 'volume' ? toTrueMinus(formatCompact(value)) : foldZeros(formatFigure(value, decimals));
  const dot = colours[study.ink];
  const circle = { style: 'fill', upColor: dot, downColor: dot, noChangeColor: dot } as const;
  const bar = {
    style: 'fill',
    upColor: colours.up,
    downColor: colours.down,
    noChangeColor: colours.text3,
  } as const;
  return {
    id: toIndicatorId(name),
    name: indicatorName(name),
    paneId: location === 'price' ? pricePane : toIndicatorId(name),
    visible: !appearance.concealed.includes(name),
    calcParams: [...params],
    extendData: { barSpec } satisfies DayStudyData,
    ...(unit === 'figure' && { precision: figureDecimals }),
    ...(unit === 'volume' && { precision: 0 }),
    styles: {
      lines: inks.map((color) => ({
        color,
        size: lineWidth,
        style: name === 'DAY' ? ('dashed' as const) : ('solid' as const),
        dashedValue: [6, 4],
      })),
      circles: [circle],
      bars: [bar],
    },
    createTooltipDataSource: ({ indicator, crosshair }) => {
      const { figures, result, precision, visible } = indicator;
      const shown: unknown = result[crosshair.dataIndex ?? result.length - 1] ?? result.at(-1);
      const values = isRecord(shown) ? shown : {};
      const legends = figures.map(({ key }, index): TooltipLegend => {
        const value = values[key];
        const text = typeof value === 'number' ? format(value, precision) : '–';
        return { title: '', value: { text, color: inks[index] ?? colours.text2 } };
      });
      const note: TooltipLegend = {
        title: '',
        value: { text: 'Bars of this day are missing', color: colours.warn },
      };
      return {
        name: [title.replace(/ \([^)]*\)$/, ''), ...params].join(' '),
        calcParamsText: '',
        features: studyButtons(visible, colours),
        legends: values.hasGap === true ? [...legends, note] : legends,
      };
    },
  };
}

/** Draws the added studies, in the order of adding. */
export function drawMoreStudies(chart: Chart, appearance: ChartAppearance, drawing: StudyDrawing): void {
  for (const study of appearance.added) {
    chart.createIndicator(toIndicator(study, appearance, drawing), true);
    if (studyKinds[study.name].location === 'price') continue;
    const paneId = toIndicatorId(study.name);
    chart.setPaneOptions({ id: paneId, ...drawing.paneHeight });
    chart.overrideYAxis({ paneId, gap: { top: 0.3, bottom: 0.1 } });
  }
}

/** Gives the studies whose values are differences of prices their decimals. */
export function setUnits(chart: Chart, decimals: number): void {
  for (const name of extraStudies) {
    if (studyKinds[name].unit !== 'difference') continue;
    chart.overrideIndicator({ id: toIndicatorId(name), name, precision: decimals });
  }
}
