/**
 * How klinecharts draws each tool. A template handles pixels only; the drawing converts them from time and price. A
 * line has a transparent band around it that is easy to hit by touch or pointer.
 */
import {
  type Coordinate,
  type OverlayFigure,
  type OverlayTemplate,
  registerOverlay,
  utils,
} from 'klinecharts';
import { foldZeros } from '../../../../shared/numbers/fold-zeros.ts';
import { directionOf, formatFigure, formatPercent } from '../../../../shared/numbers/index.ts';
import { axisTag, type ChartColours, chartFont, fadeColour } from '../chart-theme.ts';
import { anchorCounts, type DrawingTool, drawingTools } from './drawing.ts';

export interface DrawingStyle {
  readonly colours: ChartColours;
  readonly isSelected: boolean;
  readonly priceDecimals: number;
  /** The drawing's own colour; null if it has none. */
  readonly ink: string | null;
  readonly text: string;
}

export const getTemplateName = (tool: DrawingTool): string => `fulcrum-${tool}`;

const bandPx = 7;
const handlePx = 4;
/** A label with its ground. */
const labelHeightPx = 18;
const levels = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;
const levelTexts = ['0', '0.236', '0.382', '0.5', '0.618', '0.786', '1'] as const;

const inkOf = ({ colours, isSelected, ink }: DrawingStyle): string =>
  ink ?? (isSelected ? colours.accent : colours.text2);

function lineFigure(coordinates: Coordinate[], color: string, size = 1.3): OverlayFigure {
  return { type: 'line', attrs: { coordinates }, styles: { style: 'solid', size, color }, ignoreEvent: true };
}

/** An invisible area that can be grabbed, as wide as touch requires. */
function bandFigure(from: Coordinate, to: Coordinate): OverlayFigure {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [aside, up] = [((to.y - from.y) / length) * bandPx, ((to.x - from.x) / length) * bandPx];
  return {
    type: 'polygon',
    attrs: {
      coordinates: [
        { x: from.x + aside, y: from.y - up },
        { x: to.x + aside, y: to.y - up },
        { x: to.x - aside, y: to.y + up },
        { x: from.x - aside, y: from.y + up },
      ],
    },
    styles: { style: 'fill', color: 'transparent' },
  };
}

function textFigure(
  text: string,
  { x, y }: Coordinate,
  color: string,
  options: Partial<{ align: string; baseline: string; fill: string; canBeHit: boolean }> = {},
): OverlayFigure {
  const padding = options.fill ? 4 : 0;
  return {
    type: 'text',
    attrs: { x, y, text, align: options.align ?? 'left', baseline: options.baseline ?? 'bottom' },
    styles: {
      style: 'fill',
      color,
      size: 11,
      weight: '500',
      family: chartFont,
      backgroundColor: options.fill ?? 'transparent',
      borderRadius: 3,
      paddingLeft: padding,
      paddingRight: padding,
      paddingTop: padding / 2,
      paddingBottom: padding / 2,
    },
    ignoreEvent: !options.canBeHit,
  };
}

/** Marks the anchors of a selected drawing; klinecharts itself makes them movable. */
const handles = (coordinates: readonly Coordinate[], style: DrawingStyle): OverlayFigure[] =>
  style.isSelected
    ? coordinates.map(({ x, y }) => ({
        type: 'circle',
        attrs: { x, y, r: handlePx },
        styles: {
          style: 'stroke_fill',
          color: style.colours.surface,
          borderColor: style.colours.accent,
          borderSize: 1.5,
        },
        ignoreEvent: true,
      }))
    : [];

const box = (one: Coordinate, other: Coordinate) => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
});

interface DrawingInput {
  readonly coordinates: Coordinate[];
  readonly style: DrawingStyle;
  /** The prices of the anchors. */
  readonly prices: readonly (number | undefined)[];
  /** The width of the pane. */
  readonly width: number;
  readonly barPx: number;
}

const figures: Readonly<Record<DrawingTool, (drawn: DrawingInput) => OverlayFigure[]>> = {
  trend: ({ coordinates, style }) => {
    const [from, to] = coordinates;
    if (!from || !to) return [];
    return [lineFigure([from, to], inkOf(style)), bandFigure(from, to), ...handles(coordinates, style)];
  },
  horizontal: ({ coordinates, style, width }) => {
    const at = coordinates.at(0);
    if (!at) return [];
    const [from, to] = [
      { x: 0, y: at.y },
      { x: width, y: at.y },
    ];
    return [lineFigure([from, to], inkOf(style)), bandFigure(from, to), ...handles(coordinates, style)];
  },
  fibonacci: ({ coordinates, style, prices }) => {
    const [from, to] = coordinates;
    const [start, end] = prices;
    if (!from || !to || start === undefined || end === undefined) return [];
    const { x, width } = box(from, to);
    const ink = inkOf(style);
    let labelled = Number.NEGATIVE_INFINITY;
    return [
      lineFigure([from, to], fadeColour(ink, 40), 1),
      bandFigure(from, to),
      ...levels.flatMap((level, index) => {
        // The end of the move is level 0, because a retracement is counted from there.
        const y = to.y + (from.y - to.y) * level;
        const price = end + (start - end) * level;
        const [left, right] = [
          { x, y },
          { x: x + width, y },
        ];
        const text = `${levelTexts[index]}  ${foldZeros(formatFigure(price, style.priceDecimals))}`;
        // A label that would cover the one before it is left out; its line stays.
        const hasRoom = Math.abs(y - labelled) >= labelHeightPx;
        if (hasRoom) labelled = y;
        return [
          lineFigure([left, right], ink, 1),
          bandFigure(left, right),
          ...(hasRoom
            ? [textFigure(text, { x: x + 4, y: y - 2 }, style.colours.text, { fill: style.colours.surface })]
            : []),
        ];
      }),
      ...handles(coordinates, style),
    ];
  },
  rectangle: ({ coordinates, style }) => {
    const [from, to] = coordinates;
    if (!from || !to) return [];
    const ink = inkOf(style);
    return [
      {
        type: 'rect',
        attrs: box(from, to),
        styles: { style: 'stroke_fill', color: fadeColour(ink, 10), borderColor: ink, borderSize: 1 },
      },
      ...handles(coordinates, style),
    ];
  },
  brush: ({ coordinates, style }) => {
    if (coordinates.length < 2) return [];
    return [
      lineFigure(coordinates, inkOf(style), style.isSelected ? 2.4 : 1.6),
      ...coordinates.slice(1).flatMap((to, index) => {
        const from = coordinates[index];
        return from ? [bandFigure(from, to)] : [];
      }),
    ];
  },
  ruler: ({ coordinates, style, prices, width: paneWidth, barPx }) => {
    const [from, to] = coordinates;
    const [start, end] = prices;
    if (!from || !to || !start || end === undefined) return [];
    const { colours, priceDecimals } = style;
    const change = end - start;
    const direction = directionOf(change, priceDecimals);
    const ink = direction === 'none' ? colours.text2 : colours[direction];
    const { x, y, width, height } = box(from, to);
    const bars = Math.round(width / barPx);
    const text = `${formatFigure(change, priceDecimals, 'always')} (${formatPercent((change / start) * 100)})  ${formatFigure(bars, 0)} bars`;
    const above = to.y <= from.y;
    // The text stays inside the pane.
    const half = utils.calcTextWidth(text, 11, '500', chartFont) / 2 + 8;
    const middle = Math.min(Math.max(x + width / 2, half), Math.max(half, paneWidth - half));
    return [
      {
        type: 'rect',
        attrs: { x, y, width, height },
        styles: { style: 'stroke_fill', color: fadeColour(ink, 12), borderColor: ink, borderSize: 1 },
      },
      textFigure(text, { x: middle, y: above ? y - 5 : y + height + 5 }, ink, {
        align: 'center',
        baseline: above ? 'bottom' : 'top',
        fill: colours.raised,
      }),
      ...handles(coordinates, style),
    ];
  },
  text: ({ coordinates, style }) => {
    const at = coordinates.at(0);
    if (!at) return [];
    const ink = style.ink ?? style.colours.text;
    return [
      textFigure(style.text || '\u2026', { x: at.x + 2 * handlePx, y: at.y }, ink, {
        baseline: 'middle',
        fill: style.colours.raised,
        canBeHit: true,
      }),
      ...handles(coordinates, style),
    ];
  },
};

/** The price of a horizontal line, on the axis. */
function priceTag(y: number, width: number, price: number, style: DrawingStyle): OverlayFigure {
  const { colours, priceDecimals } = style;
  const text = foldZeros(formatFigure(price, priceDecimals));
  return axisTag(text, { y, width }, { color: colours.onLineStrong, backgroundColor: colours.lineStrong });
}

function template(tool: DrawingTool): OverlayTemplate<DrawingStyle> {
  const count = anchorCounts[tool];
  return {
    name: getTemplateName(tool),
    totalStep: (count ?? 1) + 1,
    drawingMode: count === null ? 'continuous' : 'step',
    needDefaultPointFigure: count !== null,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ chart, coordinates, bounding, overlay }) => {
      const { extendData: style } = overlay;
      if (!style) return [];
      const prices = overlay.points.map(({ value }) => value);
      return figures[tool]({
        coordinates,
        style,
        prices,
        width: bounding.width,
        barPx: chart.getBarSpace().bar,
      });
    },
    ...(tool === 'horizontal' && {
      createYAxisFigures: ({ coordinates: [at], bounding, overlay: { points, extendData: style } }) => {
        const price = points[0]?.value;
        return at && style && price !== undefined ? [priceTag(at.y, bounding.width, price, style)] : [];
      },
    }),
  };
}

/** Registers the tools with klinecharts; call it once per page. */
export function registerDrawings(): void {
  for (const tool of drawingTools) registerOverlay(template(tool));
}
