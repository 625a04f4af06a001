/**
 * A drawing as data: its tool and the time and price of its anchors. It contains no bars or pixels, so it is the same
 * in every timeframe and after every reload.
 */
import { isRecord } from '../../../../shared/json/is-record.ts';
import { type Ink, inks } from '../settings/inks.ts';

export const drawingTools = [
  'trend',
  'horizontal',
  'fibonacci',
  'rectangle',
  'brush',
  'ruler',
  'text',
] as const;
export type DrawingTool = (typeof drawingTools)[number];

export const toolNames: Readonly<Record<DrawingTool, string>> = {
  trend: 'Trend line',
  horizontal: 'Horizontal line',
  fibonacci: 'Fibonacci retracement',
  rectangle: 'Rectangle',
  brush: 'Brush',
  ruler: 'Price range',
  text: 'Text',
};

export interface Anchor {
  /** Ms since the epoch. */
  readonly at: number;
  readonly price: number;
}

export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly anchors: readonly Anchor[];
  /** Absent for the colour of all drawings. */
  readonly ink?: Ink;
  /** What a text drawing shows; absent for the other tools. */
  readonly text?: string;
}

/** What the user may change of a drawing besides its place. */
export type DrawingChange = Pick<Drawing, 'ink' | 'text'>;

/** Per pair; the oldest are dropped first. */
export const drawingsMax = 100;
const strokeAnchorsMax = 80;
export const drawingTextMax = 80;
/** The text of a new text drawing. */
export const firstText = 'Text';

/** The number of anchors of a tool's drawing; a brush stroke has any number. */
export const anchorCounts: Readonly<Record<DrawingTool, number | null>> = {
  trend: 2,
  horizontal: 1,
  fibonacci: 2,
  rectangle: 2,
  brush: null,
  ruler: 2,
  text: 1,
};

export const newDrawing = (id: string, tool: DrawingTool, anchors: readonly Anchor[]): Drawing => ({
  id,
  tool,
  anchors: thinAnchors(anchors),
  ...(tool === 'text' && { text: firstText }),
});

/** Thins a stroke: keeps its ends and evenly chosen anchors between them. */
export function thinAnchors(anchors: readonly Anchor[]): readonly Anchor[] {
  if (anchors.length <= strokeAnchorsMax) return anchors;
  const stride = (anchors.length - 1) / (strokeAnchorsMax - 1);
  return Array.from(
    { length: strokeAnchorsMax },
    (_none, index) => anchors[Math.round(index * stride)],
  ).filter((anchor) => anchor !== undefined);
}

/** The newest drawings, up to the limit. */
export const limitDrawings = (drawings: readonly Drawing[]): readonly Drawing[] =>
  drawings.length > drawingsMax ? drawings.slice(-drawingsMax) : drawings;

function parseAnchor(value: unknown): Anchor | null {
  if (!isRecord(value)) return null;
  const { at, price } = value;
  if (typeof at !== 'number' || typeof price !== 'number') return null;
  return Number.isFinite(at) && Number.isFinite(price) ? { at, price } : null;
}

function parseDrawing(value: unknown): Drawing | null {
  if (!isRecord(value)) return null;
  const { id, tool: named, anchors: listed, text } = value;
  const tool = drawingTools.find((one) => one === named);
  if (typeof id !== 'string' || id === '' || !tool || !Array.isArray(listed)) return null;
  const anchors = listed.map(parseAnchor).filter((anchor) => anchor !== null);
  const due = anchorCounts[tool];
  const isWhole =
    anchors.length === listed.length && (due === null ? anchors.length > 1 : anchors.length === due);
  if (!isWhole) return null;
  const ink = inks.find((one) => one === value.ink);
  return {
    ...newDrawing(id, tool, anchors),
    ...(ink && { ink }),
    ...(tool === 'text' && typeof text === 'string' && { text: text.slice(0, drawingTextMax) }),
  };
}

/** The valid drawings of a stored list, each id once. */
export function parseDrawings(value: unknown): readonly Drawing[] {
  if (!Array.isArray(value)) return [];
  const byId = new Map<string, Drawing>();
  for (const one of value) {
    const drawing = parseDrawing(one);
    if (drawing) byId.set(drawing.id, drawing);
  }
  return limitDrawings([...byId.values()]);
}
