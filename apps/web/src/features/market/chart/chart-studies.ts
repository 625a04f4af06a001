/**
 * The chart's own studies: volume below the candles, two simple moving averages, RSI and MACD (TRADE-19). The pair's
 * settings switch each on or off and set its periods. The library's studies are in `more-studies.ts`.
 */
import { type Chart, type IndicatorTemplate, registerIndicator, type TooltipLegend } from 'klinecharts';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { formatFigure } from '../../../shared/numbers/index.ts';
import type { Bar, BarSpec } from './bars.ts';
import type { ChartColours } from './chart-theme.ts';
import { gapsName } from './gaps.ts';
import { type Macd, macd, rsi, sma } from './indicators.ts';
import { drawMoreStudies, registerDayStudies, setUnits } from './more-studies.ts';
import { type ChartAppearance, defaultPeriods } from './settings/chart-settings.ts';
import { studyButtons, toIndicatorId } from './study-legend.ts';

const names = {
  volume: 'fulcrum-volume',
  averages: 'fulcrum-averages',
  rsi: 'fulcrum-rsi',
  macd: 'fulcrum-macd',
} as const;
const rsiBand = [30, 70] as const;

const pricePane = 'candle_pane';
const heightsPx = { rsi: 84, macd: 92 } as const;
const leastHeightPx = 48;
/** Maximum share of the chart's height, so that a low chart still mainly shows prices. */
const mostHeightShare = 0.165;
const paneHeight = (chart: Chart, requestedPx: number): number =>
  Math.max(
    leastHeightPx,
    Math.min(requestedPx, Math.round((chart.getDom()?.clientHeight ?? 0) * mostHeightShare)),
  );
const volumeShare = 0.13;
const volumeOpacity = 0.2;
const bandOpacity = 0.05;
const fadingOpacity = 0.5;
const lineWidth = 1.3;
const studyDecimals = 2;

const closesOf = (bars: readonly { readonly close: number }[]) => bars.map(({ close }) => close);
const noTooltip = () => ({ name: '', calcParamsText: '', features: [], legends: [] });
const legend = (text: string, color: string): TooltipLegend => ({ title: '', value: { text, color } });

const volume: IndicatorTemplate<unknown, unknown, ChartColours> = {
  name: names.volume,
  figures: [],
  // The study draws itself, so volumes do not stretch the price axis.
  calc: (bars) => bars.map(() => ({})),
  createTooltipDataSource: noTooltip,
  draw: ({ ctx, chart, bounding, xAxis, indicator: { extendData: colours } }) => {
    const bars = chart.getDataList() as readonly Bar[];
    const { from, to } = chart.getVisibleRange();
    const first = Math.max(0, from);
    const visible = bars.slice(first, to);
    const peak = visible.reduce((most, bar) => Math.max(most, bar.volume), 0);
    if (peak === 0) return true;
    const width = Math.max(1, chart.getBarSpace().gapBar);
    ctx.save();
    ctx.globalAlpha = volumeOpacity;
    visible.forEach((bar, index) => {
      const height = (bar.volume / peak) * bounding.height * volumeShare;
      ctx.fillStyle = bar.close >= bar.open ? colours.up : colours.down;
      ctx.fillRect(xAxis.convertToPixel(first + index) - width / 2, bounding.height - height, width, height);
    });
    ctx.restore();
    return true;
  },
};

interface Averages {
  readonly short: number | null;
  readonly long: number | null;
}
const averages: IndicatorTemplate<Averages, number> = {
  name: names.averages,
  series: 'price',
  figures: [
    { key: 'short', type: 'line' },
    { key: 'long', type: 'line' },
  ],
  calc: (bars, { calcParams: periods }) => {
    const closes = closesOf(bars);
    const [short, long] = periods.map((period) => sma(closes, period));
    return bars.map((_bar, index) => ({ short: short?.[index] ?? null, long: long?.[index] ?? null }));
  },
  // Its values appear in the candles' own legend.
  createTooltipDataSource: noTooltip,
};

interface Rsi {
  readonly rsi: number | null;
}
const relativeStrength: IndicatorTemplate<Rsi, number, ChartColours> = {
  name: names.rsi,
  minValue: 0,
  maxValue: 100,
  precision: studyDecimals,
  figures: [{ key: 'rsi', type: 'line' }],
  calc: (bars, { calcParams: [period = defaultPeriods.rsi] }) =>
    rsi(closesOf(bars), period).map((value) => ({ rsi: value })),
  createTooltipDataSource: ({ indicator, crosshair }) => {
    const shown =
      indicator.result[crosshair.dataIndex ?? indicator.result.length - 1] ?? indicator.result.at(-1);
    const colours = indicator.extendData as ChartColours;
    const value = legend(formatFigure(shown?.rsi, studyDecimals), colours.accent);
    return {
      name: `RSI ${indicator.calcParams.join(' ')}`,
      calcParamsText: '',
      features: studyButtons(indicator.visible, colours),
      legends: [value],
    };
  },
  draw: ({ ctx, bounding, yAxis, indicator: { extendData: colours } }) => {
    const [low, high] = rsiBand.map((level) => Math.round(yAxis.convertToPixel(level)) + 0.5);
    if (low === undefined || high === undefined) return false;
    ctx.save();
    ctx.fillStyle = colours.accent;
    ctx.globalAlpha = bandOpacity;
    ctx.fillRect(0, high, bounding.width, low - high);
    ctx.strokeStyle = colours.text3;
    ctx.globalAlpha = 0.4;
    ctx.setLineDash([2, 4]);
    for (const y of [low, high]) {
      ctx.beginPath();
      ctx.moveTo(0, y);
      ctx.lineTo(bounding.width, y);
      ctx.stroke();
    }
    ctx.restore();
    // The library draws the line itself.
    return false;
  },
};

const convergence: IndicatorTemplate<Macd, number, ChartColours> = {
  name: names.macd,
  precision: studyDecimals,
  figures: [
    {
      key: 'histogram',
      type: 'bar',
      baseValue: 0,
      styles: ({ data: { prev, current }, indicator }) => {
        const colours = indicator.extendData as ChartColours;
        const now = current?.histogram ?? 0;
        const isGrowing = Math.abs(now) >= Math.abs(prev?.histogram ?? 0);
        const colour = now >= 0 ? colours.up : colours.down;
        const share = `${(isGrowing ? 1 : fadingOpacity) * 100}%`;
        return { style: 'fill', color: `color-mix(in srgb, ${colour} ${share}, ${colours.surface})` };
      },
    },
    { key: 'macd', type: 'line' },
    { key: 'signal', type: 'line' },
  ],
  calc: (bars, { calcParams }) => {
    const { macdFast, macdSlow, macdSignal } = defaultPeriods;
    const [fast = macdFast, slow = macdSlow, smoothing = macdSignal] = calcParams;
    return macd(closesOf(bars), [fast, slow, smoothing]);
  },
  createTooltipDataSource: ({ indicator, crosshair }) => {
    const shown =
      indicator.result[crosshair.dataIndex ?? indicator.result.length - 1] ?? indicator.result.at(-1);
    const colours = indicator.extendData as ChartColours;
    const text = (value: number | null | undefined) =>
      foldZeros(formatFigure(value, indicator.precision, 'always'));
    return {
      name: `MACD ${indicator.calcParams.join(' ')}`,
      calcParamsText: '',
      features: studyButtons(indicator.visible, colours),
      legends: [
        legend(text(shown?.macd), colours.series2),
        legend(text(shown?.signal), colours.series1),
        legend(text(shown?.histogram), (shown?.histogram ?? 0) >= 0 ? colours.up : colours.down),
      ],
    };
  },
};

/** Registers the studies with klinecharts; call it once per page. */
export function registerStudies(): void {
  registerIndicator(volume);
  registerIndicator(averages);
  registerIndicator(relativeStrength);
  registerIndicator(convergence);
  registerDayStudies();
}

const lines = (...inks: readonly string[]) => ({ lines: inks.map((color) => ({ color, size: lineWidth })) });

/** Draws only the moving averages, for the small chart. */
export function drawAverages(
  chart: Chart,
  { series1, series2 }: ChartColours,
  { periods, concealed }: ChartAppearance,
): void {
  chart.createIndicator(
    {
      name: names.averages,
      visible: !concealed.includes('sma'),
      paneId: pricePane,
      calcParams: [periods.smaShort, periods.smaLong],
      styles: lines(series1, series2),
    },
    true,
  );
}

function drawRsi(chart: Chart, colours: ChartColours, { periods, concealed }: ChartAppearance): void {
  chart.createIndicator({
    id: toIndicatorId('rsi'),
    visible: !concealed.includes('rsi'),
    name: names.rsi,
    paneId: 'rsi',
    calcParams: [periods.rsi],
    extendData: colours,
    styles: lines(colours.accent),
  });
  chart.setPaneOptions({ id: 'rsi', height: paneHeight(chart, heightsPx.rsi), minHeight: leastHeightPx });
  chart.overrideYAxis({
    paneId: 'rsi',
    gap: { top: 0.2, bottom: 0.1 },
    createTicks: ({ range, bounding }) =>
      rsiBand.map((level) => ({
        value: level,
        text: formatFigure(level, studyDecimals),
        coord: ((range.to - level) / range.range) * bounding.height,
      })),
  });
}

function drawMacd(chart: Chart, colours: ChartColours, { periods, concealed }: ChartAppearance): void {
  chart.createIndicator({
    id: toIndicatorId('macd'),
    visible: !concealed.includes('macd'),
    name: names.macd,
    paneId: 'macd',
    calcParams: [periods.macdFast, periods.macdSlow, periods.macdSignal],
    extendData: colours,
    styles: lines(colours.series2, colours.series1),
  });
  chart.setPaneOptions({ id: 'macd', height: paneHeight(chart, heightsPx.macd), minHeight: leastHeightPx });
  chart.overrideYAxis({ paneId: 'macd', gap: { top: 0.4, bottom: 0.1 } });
}

/** Draws the enabled studies on a chart in the given colours. */
export function drawStudies(
  chart: Chart,
  colours: ChartColours,
  appearance: ChartAppearance,
  barSpec: () => BarSpec | null,
): void {
  const { shown, concealed } = appearance;
  if (shown.volume) {
    chart.createIndicator(
      {
        name: names.volume,
        paneId: pricePane,
        extendData: colours,
        zLevel: -1,
        visible: !concealed.includes('volume'),
      },
      true,
    );
  }
  chart.createIndicator({ name: gapsName, paneId: pricePane, extendData: colours, zLevel: -1 }, true);
  if (shown.sma) drawAverages(chart, colours, appearance);
  if (shown.rsi) drawRsi(chart, colours, appearance);
  if (shown.macd) drawMacd(chart, colours, appearance);
  drawMoreStudies(chart, appearance, {
    colours,
    barSpec,
    paneHeight: { height: paneHeight(chart, heightsPx.rsi), minHeight: leastHeightPx },
  });
}

/** From this many decimals on, a difference of two prices is often smaller than the tick. */
const tinyDecimals = 6;
const decimalsBelowTick = 2;

/**
 * Gives every study on the price axis the decimals of its prices, and MACD, a difference of prices, a few more.
 *
 * The library opens the axis to at least one step of its coarsest study. A study without decimals counts as one of
 * four. A price of 0.00000143 would then be a flat line on an axis that reaches below zero.
 */
export function setPriceDecimals(chart: Chart, decimals: number): void {
  for (const { id, name, paneId } of chart.getIndicators()) {
    if (paneId === pricePane) chart.overrideIndicator({ id, name, precision: decimals });
  }
  const precision = decimals < tinyDecimals ? decimals : decimals + decimalsBelowTick;
  chart.overrideIndicator({ name: names.macd, precision });
  setUnits(chart, precision);
}

export function removeStudies(chart: Chart): void {
  for (const { id } of chart.getIndicators()) chart.removeIndicator({ id });
}

/** The moving averages' values at a bar, for the legend: `SMA 20 97,599.06`. */
export function averageLegends(
  chart: Chart,
  index: number,
  decimals: number,
  colours: ChartColours,
): TooltipLegend[] {
  const [indicator] = chart.getIndicators({ name: names.averages });
  if (!indicator?.visible) return [];
  const shown = indicator.result[index] as Averages | undefined;
  const entries = [
    { value: shown?.short, color: colours.series1 },
    { value: shown?.long, color: colours.series2 },
  ];
  return entries.map(({ value, color }, lineIndex) => ({
    title: { text: `SMA ${indicator.calcParams[lineIndex]} `, color: colours.text3 },
    value: { text: foldZeros(formatFigure(value, decimals)), color },
  }));
}
