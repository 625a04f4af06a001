/**
 * Horizontal levels over the candles: a line, a pill with what the level means in money, and a tag on the axis. One
 * overlay draws all of them, so that pills which would cover each other step aside. The pills' figures are read at each
 * drawing, which every tick causes.
 */
import {
  type Coordinate,
  type OverlayFigure,
  type OverlayTemplate,
  registerOverlay,
  utils,
} from 'klinecharts';
import type { Direction } from '../../../shared/numbers/index.ts';
import { type ChartColours, chartFont } from './chart-theme.ts';
import { lastPricePlace, placePills, placeTags } from './pill-places.ts';

export interface PillPart {
  readonly text: string;
  readonly tone: Direction;
}

interface Level {
  readonly id: string;
  readonly side: 'LONG' | 'SHORT';
  readonly price: number;
  /** The axis tag's text: the price in its tick. */
  readonly priceText: string;
  /** The pill's first part, such as `LONG 50×`. */
  readonly head: string;
  readonly parts: () => readonly PillPart[];
}

export interface EntryLine extends Level {
  readonly tone: 'entry';
  /** In the base asset. */
  readonly size: number;
  /** USDT; null while there is no price. */
  readonly pnl: () => number | null;
  /** A price of the pair as text. */
  readonly formatPrice: (price: number) => string;
}

export interface LiquidationLine extends Level {
  readonly tone: 'liquidation';
}

export type PriceLine = EntryLine | LiquidationLine;

export interface PriceLinesLook {
  readonly lines: readonly PriceLine[];
  readonly colours: ChartColours;
  /** Lines alone, for the phone's small chart. */
  readonly bare: boolean;
}

export const priceLines = 'fulcrum-price-lines';

const pill = { height: 22, gapToAxis: 10, padding: 7, radius: 5, size: 11, weight: '600' } as const;

/** More pills would hide the candles; the lines and their axis tags stay. */
const mostPills = 3;
/** A narrower chart has room for a pill's first part alone. */
const narrowPx = 480;

const colourOf = (line: PriceLine, colours: ChartColours) =>
  line.tone === 'entry' ? colours.accent : colours.warn;

function lineFigure(line: PriceLine, y: number, width: number, colours: ChartColours): OverlayFigure {
  const color = colourOf(line, colours);
  const styles =
    line.tone === 'entry'
      ? { style: 'solid', size: 1.2, color }
      : { style: 'dashed', dashedValue: [2, 3], size: 1, color };
  return {
    type: 'line',
    attrs: {
      coordinates: [
        { x: 0, y },
        { x: width, y },
      ],
    },
    styles,
    ignoreEvent: true,
  };
}

function pillFigures(
  line: PriceLine,
  y: number,
  right: number,
  look: { readonly colours: ChartColours; readonly headOnly: boolean },
): OverlayFigure[] {
  const { colours, headOnly } = look;
  const border = colourOf(line, colours);
  const filled = line.tone === 'entry';
  const tones: Record<Direction, string> = { up: colours.up, down: colours.down, none: colours.text2 };
  const parts = [
    { text: line.head, color: filled ? colours.onFill : border },
    ...(headOnly ? [] : line.parts()).map(({ text, tone }) => ({ text, color: tones[tone] })),
  ].map((part) => ({
    ...part,
    width: Math.ceil(utils.calcTextWidth(part.text, pill.size, pill.weight, chartFont)) + 2 * pill.padding,
  }));
  const width = parts.reduce((sum, part) => sum + part.width, 0);
  const left = right - width;
  const top = y - pill.height / 2;
  const box = (x: number, boxWidth: number, backgroundColor: string, borderSize: number): OverlayFigure => ({
    type: 'rect',
    attrs: { x, y: top, width: boxWidth, height: pill.height },
    styles: {
      style: borderSize > 0 ? 'stroke_fill' : 'fill',
      color: backgroundColor,
      borderColor: border,
      borderSize,
      borderRadius: pill.radius,
    },
    ignoreEvent: true,
  });
  const figures = [box(left, width, colours.surface, 1)];
  if (filled && parts[0]) figures.push(box(left, parts[0].width, border, 0));
  let x = left;
  for (const part of parts) {
    figures.push({
      type: 'text',
      attrs: { x: x + pill.padding, y, text: part.text, align: 'left', baseline: 'middle' },
      styles: {
        style: 'fill',
        color: part.color,
        size: pill.size,
        weight: pill.weight,
        family: chartFont,
        backgroundColor: 'transparent',
        paddingLeft: 0,
        paddingRight: 0,
        paddingTop: 0,
        paddingBottom: 0,
      },
      ignoreEvent: true,
    });
    x += part.width;
  }
  return figures;
}

function tagFigure(line: PriceLine, y: number, width: number, colours: ChartColours): OverlayFigure {
  return {
    type: 'text',
    attrs: { x: 0, y, width, text: line.priceText, align: 'left', baseline: 'middle' },
    styles: {
      style: 'fill',
      color: colours.onFill,
      size: 11,
      weight: '600',
      family: chartFont,
      backgroundColor: colourOf(line, colours),
      borderRadius: 3,
      paddingLeft: 6,
      paddingRight: 6,
      paddingTop: 3,
      paddingBottom: 3,
    },
    ignoreEvent: true,
  };
}

/** Levels that lie inside the pane, with their place. */
const visibleLines = ({ lines }: PriceLinesLook, coordinates: readonly Coordinate[], height: number) =>
  lines.flatMap((line, index) => {
    const y = coordinates[index]?.y;
    return y === undefined || y < 0 || y > height ? [] : [{ line, y }];
  });

const template: OverlayTemplate<PriceLinesLook> = {
  name: priceLines,
  totalStep: 2,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, bounding, overlay: { extendData: look } }) => {
    if (!look) return [];
    const { colours, bare } = look;
    const visible = visibleLines(look, coordinates, bounding.height);
    const levels = visible.map(({ line, y }) => lineFigure(line, y, bounding.width, colours));
    if (bare) return levels;
    const rank = (line: PriceLine) => (line.tone === 'entry' ? 0 : 1);
    const named = visible.sort((a, b) => rank(a.line) - rank(b.line)).slice(0, mostPills);
    const places = placePills(named.map(({ y }) => y));
    const right = bounding.width - pill.gapToAxis;
    const headOnly = bounding.width < narrowPx;
    return [
      ...levels,
      ...named.flatMap(({ line }, index) => {
        const place = places[index] ?? null;
        return place === null ? [] : pillFigures(line, place, right, { colours, headOnly });
      }),
    ];
  },
  createYAxisFigures: ({ chart, coordinates, bounding, yAxis, overlay: { extendData: look } }) => {
    if (!look || look.bare) return [];
    const close = chart.getDataList().at(-1)?.close;
    const last =
      close === undefined || !yAxis ? null : lastPricePlace(yAxis.convertToPixel(close), bounding.height);
    const visible = visibleLines(look, coordinates, bounding.height);
    const places = placeTags(
      visible.map(({ y }) => y),
      last,
    );
    return visible.map(({ line, y }, index) =>
      tagFigure(line, places[index] ?? y, bounding.width, look.colours),
    );
  },
};

export const registerPriceLines = (): void => registerOverlay(template);
