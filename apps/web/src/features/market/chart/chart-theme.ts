/** The chart's styles, read from the tokens on `<html>`, so that themes and palettes apply to the canvas too. */
import type {
  CandleTooltipLegendsCustomCallback,
  CandleType,
  DeepPartial,
  OverlayFigure,
  Styles,
} from 'klinecharts';
import { axisWidthPx } from './axis-width.ts';
import type { BarKind, ChartAppearance } from './settings/chart-settings.ts';

export interface ChartColours {
  readonly canvas: string;
  readonly surface: string;
  readonly raised: string;
  readonly line: string;
  readonly lineStrong: string;
  /** Text on `lineStrong`. */
  readonly onLineStrong: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly accent: string;
  readonly onFill: string;
  readonly up: string;
  readonly down: string;
  readonly warn: string;
  readonly series1: string;
  readonly series2: string;
  readonly grid: string;
}

export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    canvas: token('canvas'),
    surface: token('surface'),
    raised: token('raised'),
    line: token('line'),
    lineStrong: token('line-strong'),
    // With forced colours lines are as strong as text.
    onLineStrong: token(token('line-strong') === token('text') ? 'surface' : 'text'),
    text: token('text'),
    text2: token('text-2'),
    text3: token('text-3'),
    accent: token('accent'),
    onFill: token('on-fill'),
    up: token('up'),
    down: token('down'),
    warn: token('warn'),
    series1: token('series-1'),
    series2: token('series-2'),
    grid: token('grid'),
  };
}

export const chartFont = "'Inter Variable', Inter, sans-serif";

const candleTypes: Readonly<Record<BarKind, CandleType>> = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  bars: 'ohlc',
  line: 'area',
  area: 'area',
};
/** Mixes a colour to a share of its strength, in per cent. */
export const fadeColour = (colour: string, share: number): string =>
  `color-mix(in srgb, ${colour} ${share}%, transparent)`;

const tagText = {
  family: chartFont,
  size: 11,
  weight: '600',
  paddingLeft: 6,
  paddingRight: 6,
  paddingTop: 3,
  paddingBottom: 3,
  borderRadius: 3,
} as const;

/** A price on the axis; `y` is its middle. */
export const axisTag = (
  text: string,
  attrs: { readonly y: number; readonly width: number },
  colours: { readonly color: string; readonly backgroundColor: string },
): OverlayFigure => ({
  type: 'text',
  attrs: { ...attrs, x: 0, text, align: 'left', baseline: 'middle' },
  styles: { ...tagText, ...colours, style: 'fill' },
  ignoreEvent: true,
});

/** klinecharts styles in the app's colours. Sizes follow the terminal design: price axis 74 px, time axis 24 px. */
export function chartStyles(
  c: ChartColours,
  options: { glance: boolean; appearance: ChartAppearance; legends: CandleTooltipLegendsCustomCallback },
): DeepPartial<Styles> {
  const axisText = { color: c.text3, family: chartFont, size: 11, weight: '400' };
  const legendText = { family: chartFont, size: 11, weight: '500', color: c.text3 };
  const tag = { ...tagText, borderSize: 0 };
  /** As wide as the axis, so that the last price and its countdown are one box; the axis clips the rest. */
  const priceTag = { ...tag, color: c.onFill, paddingRight: axisWidthPx };
  const { appearance } = options;
  const extreme = {
    show: appearance.extremes && !options.glance,
    color: c.text2,
    textFamily: chartFont,
    textSize: 11,
    textWeight: '500',
  };
  const movement = { upColor: c.up, downColor: c.down, noChangeColor: c.text3 };
  return {
    grid: {
      show: appearance.grid,
      horizontal: { color: c.grid, style: 'solid' },
      vertical: { color: c.grid, style: 'solid' },
    },
    candle: {
      type: candleTypes[appearance.kind],
      area: {
        lineSize: 1.5,
        lineColor: c.accent,
        value: 'close',
        smooth: false,
        backgroundColor:
          appearance.kind === 'area'
            ? [
                { offset: 0, color: fadeColour(c.accent, 24) },
                { offset: 1, color: fadeColour(c.accent, 2) },
              ]
            : 'transparent',
        // An animated dot would redraw the canvas continuously.
        point: { show: false, animation: false },
      },
      bar: {
        ...movement,
        upBorderColor: c.up,
        downBorderColor: c.down,
        noChangeBorderColor: c.text3,
        upWickColor: c.up,
        downWickColor: c.down,
        noChangeWickColor: c.text3,
      },
      priceMark: {
        high: extreme,
        low: extreme,
        last: {
          ...movement,
          line: { style: 'dashed', dashedValue: [1, 3], size: 1 },
          text: { ...priceTag, borderRadius: options.glance ? tag.borderRadius : [3, 3, 0, 0] },
          extendTexts: options.glance
            ? []
            : [
                {
                  ...priceTag,
                  borderRadius: [0, 0, 3, 3],
                  paddingTop: 0,
                  show: true,
                  position: 'below_price',
                  updateInterval: 1000,
                },
              ],
        },
      },
      tooltip: {
        showRule: options.glance ? 'none' : 'always',
        offsetLeft: 12,
        offsetTop: 10,
        // The symbol is the first legend, so all values share one line.
        title: { show: false },
        legend: { ...legendText, marginLeft: 0, marginRight: 10, template: options.legends },
      },
    },
    indicator: {
      lines: [
        { color: c.series1, size: 1.3 },
        { color: c.series2, size: 1.3 },
        { color: c.accent, size: 1.3 },
      ],
      lastValueMark: { show: false },
      tooltip: {
        showRule: options.glance ? 'none' : 'always',
        offsetLeft: 12,
        offsetTop: 6,
        title: { ...legendText, marginLeft: 0, marginRight: 8 },
        legend: { ...legendText, marginLeft: 0, marginRight: 8 },
      },
    },
    xAxis: { size: 24, axisLine: { color: c.line }, tickLine: { show: false }, tickText: axisText },
    yAxis: {
      size: options.glance ? 70 : axisWidthPx,
      axisLine: { color: c.line },
      tickLine: { show: false },
      tickText: axisText,
    },
    separator: { size: 1, color: c.line, activeBackgroundColor: c.lineStrong },
    crosshair: {
      horizontal: {
        line: { color: c.text3, dashedValue: [4, 3] },
        text: { ...tag, color: c.text, backgroundColor: c.lineStrong },
      },
      vertical: {
        line: { color: c.text3, dashedValue: [4, 3] },
        text: { ...tag, color: c.text, backgroundColor: c.lineStrong },
      },
    },
  };
}
