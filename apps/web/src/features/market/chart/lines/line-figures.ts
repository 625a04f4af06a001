/**
 * The canvas part of the levels over the candles: the lines, the ghost of a dragged one, and the tags on the axis.
 * One overlay draws all of them and reports their positions, so that the pills (HTML above the canvas) follow the
 * same drawing.
 */
import { type OverlayFigure, type OverlayTemplate, registerOverlay, type YAxis } from 'klinecharts';
import { foldZeros } from '../../../../shared/numbers/fold-zeros.ts';
import { axisTag, type ChartColours, fadeColour } from '../chart-theme.ts';
import type { ShownLine } from './dragged-line.ts';
import { getLastPriceTagY, layOutTags } from './pill-layout.ts';
import type { LineKind } from './price-line.ts';

export interface PlacedLine {
  readonly shown: ShownLine;
  /** Distance from the price pane's top. */
  readonly y: number;
}

export interface LinesScene {
  readonly shown: () => readonly ShownLine[];
  readonly colours: () => ChartColours;
  /** Draws lines without tags, for the phone's small chart. */
  readonly isBare: boolean;
  readonly placed: (
    lines: readonly PlacedLine[],
    pane: { readonly width: number; readonly height: number },
    axis: Pick<YAxis, 'convertFromPixel'>,
  ) => void;
}

/** A function, because the library deep-copies any other value. */
export type LinesOverlay = () => LinesScene;

export const priceLines = 'fulcrum-price-lines';

const ghostSharePct = 30;
const draggedWidth = 2;

const strokes = {
  entry: { style: 'solid', size: 1.2 },
  takeProfit: { style: 'dashed', dashedValue: [5, 4], size: 1 },
  stopLoss: { style: 'dashed', dashedValue: [5, 4], size: 1 },
  order: { style: 'dashed', dashedValue: [7, 4], size: 1 },
  liquidation: { style: 'dashed', dashedValue: [2, 3], size: 1 },
  alert: { style: 'dashed', dashedValue: [1, 3], size: 1 },
} as const satisfies Record<LineKind, object>;

const getLineColour = (kind: LineKind, colours: ChartColours): string =>
  ({
    entry: colours.accent,
    takeProfit: colours.up,
    stopLoss: colours.down,
    order: colours.text2,
    liquidation: colours.warn,
    alert: colours.series1,
  })[kind];

function lineFigure(
  kind: LineKind,
  color: string,
  at: { readonly y: number; readonly width: number; readonly isHeld: boolean },
): OverlayFigure {
  const stroke = strokes[kind];
  return {
    type: 'line',
    attrs: {
      coordinates: [
        { x: 0, y: at.y },
        { x: at.width, y: at.y },
      ],
    },
    styles: { ...stroke, color, size: at.isHeld ? draggedWidth : stroke.size },
    ignoreEvent: true,
  };
}

function tagFigure({ line, priceText, fault }: ShownLine, y: number, width: number, colours: ChartColours) {
  const isOrder = line.kind === 'order' && fault === null;
  const ground = fault === null ? getLineColour(line.kind, colours) : colours.down;
  return axisTag(
    foldZeros(priceText),
    { y, width },
    {
      color: isOrder ? colours.onLineStrong : colours.onFill,
      backgroundColor: isOrder ? colours.lineStrong : ground,
    },
  );
}

type Axis = Pick<YAxis, 'convertToPixel'>;

const placedLines = (scene: LinesScene, axis: Axis): readonly PlacedLine[] =>
  scene.shown().map((shown) => ({ shown, y: axis.convertToPixel(shown.price) }));
const within =
  (height: number) =>
  ({ y }: PlacedLine) =>
    y >= 0 && y <= height;

const template: OverlayTemplate<LinesOverlay> = {
  name: priceLines,
  totalStep: 2,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ bounding: { width, height }, yAxis, overlay: { extendData } }) => {
    const scene = extendData?.();
    if (!scene || !yAxis) return [];
    const colours = scene.colours();
    const placed = placedLines(scene, yAxis);
    scene.placed(placed, { width, height }, yAxis);
    const ghosts = placed.flatMap(({ shown: { line, ghost } }) => {
      const y = ghost === null ? null : yAxis.convertToPixel(ghost);
      if (y === null || y < 0 || y > height) return [];
      return [
        lineFigure(line.kind, fadeColour(getLineColour(line.kind, colours), ghostSharePct), {
          y,
          width,
          isHeld: false,
        }),
      ];
    });
    const levels = placed.filter(within(height)).map(({ shown: { line, fault, status }, y }) => {
      const color = fault === null ? getLineColour(line.kind, colours) : colours.down;
      return lineFigure(line.kind, color, { y, width, isHeld: status === 'dragged' });
    });
    return [...ghosts, ...levels];
  },
  createYAxisFigures: ({ chart, bounding: { width, height }, yAxis, overlay: { extendData } }) => {
    const scene = extendData?.();
    if (!scene || scene.isBare || !yAxis) return [];
    const close = chart.getDataList().at(-1)?.close;
    const last = close === undefined ? null : getLastPriceTagY(yAxis.convertToPixel(close), height);
    const visible = placedLines(scene, yAxis).filter(within(height));
    const positions = layOutTags(
      visible.map(({ y }) => y),
      last,
      height,
    );
    return visible.flatMap(({ shown }, index) => {
      const y = positions[index] ?? null;
      return y === null ? [] : [tagFigure(shown, y, width, scene.colours())];
    });
  },
};

export const registerPriceLines = (): void => registerOverlay(template);
