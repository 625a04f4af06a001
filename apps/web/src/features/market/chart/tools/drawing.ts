/**
 * A drawing is data: which tool made it and where its anchors lie in time and price. It knows nothing of bars or pixels, so
 * it means the same in every timeframe and after every reload.
 */
export const drawingTools = ['trend', 'horizontal', 'fibonacci', 'rectangle', 'brush', 'ruler'] as const;
export type DrawingTool = (typeof drawingTools)[number];

export const toolNames: Readonly<Record<DrawingTool, string>> = {
  trend: 'Trend line',
  horizontal: 'Horizontal line',
  fibonacci: 'Fibonacci retracement',
  rectangle: 'Rectangle',
  brush: 'Brush',
  ruler: 'Price range',
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
}

/** Of one pair; the oldest leave first. */
export const mostDrawings = 100;
const mostStrokeAnchors = 80;

/** How many anchors a drawing of the tool has; a brush stroke has as many as it needs. */
export const anchorCounts: Readonly<Record<DrawingTool, number | null>> = {
  trend: 2,
  horizontal: 1,
  fibonacci: 2,
  rectangle: 2,
  brush: null,
  ruler: 2,
};

/** A stroke keeps its ends and evenly chosen anchors between them. */
export function thinned(anchors: readonly Anchor[]): readonly Anchor[] {
  if (anchors.length <= mostStrokeAnchors) return anchors;
  const stride = (anchors.length - 1) / (mostStrokeAnchors - 1);
  return Array.from(
    { length: mostStrokeAnchors },
    (_none, place) => anchors[Math.round(place * stride)],
  ).filter((anchor) => anchor !== undefined);
}

/** The newest, as many as are kept. */
export const keptDrawings = (drawings: readonly Drawing[]): readonly Drawing[] =>
  drawings.length > mostDrawings ? drawings.slice(-mostDrawings) : drawings;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readAnchor(value: unknown): Anchor | null {
  if (!isRecord(value)) return null;
  const { at, price } = value;
  if (typeof at !== 'number' || typeof price !== 'number') return null;
  return Number.isFinite(at) && Number.isFinite(price) ? { at, price } : null;
}

function readDrawing(value: unknown): Drawing | null {
  if (!isRecord(value)) return null;
  const { id, tool: named, anchors: listed } = value;
  const tool = drawingTools.find((one) => one === named);
  if (typeof id !== 'string' || id === '' || !tool || !Array.isArray(listed)) return null;
  const anchors = listed.map(readAnchor).filter((anchor) => anchor !== null);
  const due = anchorCounts[tool];
  const isWhole =
    anchors.length === listed.length && (due === null ? anchors.length > 1 : anchors.length === due);
  return isWhole ? { id, tool, anchors: thinned(anchors) } : null;
}

/** What of a stored list is a drawing; each id once. */
export function readDrawings(value: unknown): readonly Drawing[] {
  if (!Array.isArray(value)) return [];
  const byId = new Map<string, Drawing>();
  for (const one of value) {
    const drawing = readDrawing(one);
    if (drawing) byId.set(drawing.id, drawing);
  }
  return keptDrawings([...byId.values()]);
}
