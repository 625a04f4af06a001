/**
 * The placement of a picture in its pane: rotated in quarters, zoomed, moved. Pure. Lengths are px of the pane, the
 * origin is its middle; `scale` 1 fits the whole picture into the pane. Invariant: `clampPlacement` leaves no part of
 * the pane empty that the picture could fill.
 */
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Placement {
  readonly scale: number;
  /** The position of the picture's middle. */
  readonly x: number;
  readonly y: number;
  /** Quarters, clockwise. */
  readonly quarters: 0 | 1 | 2 | 3;
}

export const scaleMax = 8;
export const zoomStep = 1.25;
/** px for each press of an arrow. */
export const panStep = 48;

export const initialPlacement: Placement = { scale: 1, x: 0, y: 0, quarters: 0 };

/** px of the pane for one px of the picture at scale 1. */
export function getFitScale(picture: Size, pane: Size, quarters: Placement['quarters']): number {
  const across = quarters % 2 === 0 ? picture : { width: picture.height, height: picture.width };
  if (across.width === 0 || across.height === 0) return 0;
  return Math.min(pane.width / across.width, pane.height / across.height);
}

/** The size of the picture as shown, after rotation. */
export function getShownSize(picture: Size, pane: Size, { scale, quarters }: Placement): Size {
  const factor = getFitScale(picture, pane, quarters) * scale;
  const [width, height] =
    quarters % 2 === 0 ? [picture.width, picture.height] : [picture.height, picture.width];
  return { width: width * factor, height: height * factor };
}

// Adding 0 turns -0 into 0.
const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value)) + 0;

/** The placement within its bounds. */
export function clampPlacement(placement: Placement, picture: Size, pane: Size): Placement {
  const scale = Math.min(scaleMax, Math.max(1, placement.scale));
  const shown = getShownSize(picture, pane, { ...placement, scale });
  return {
    ...placement,
    scale,
    x: clamp(placement.x, Math.max(0, (shown.width - pane.width) / 2)),
    y: clamp(placement.y, Math.max(0, (shown.height - pane.height) / 2)),
  };
}

const middle: Point = { x: 0, y: 0 };

/** Zoomed by `factor`; the point under `at` stays there. */
export function zoomBy(placement: Placement, factor: number, at: Point = middle): Placement {
  const scale = Math.min(scaleMax, Math.max(1, placement.scale * factor));
  const ratio = scale / placement.scale;
  return {
    ...placement,
    scale,
    x: at.x - (at.x - placement.x) * ratio,
    y: at.y - (at.y - placement.y) * ratio,
  };
}

export const panBy = (placement: Placement, by: Point): Placement => ({
  ...placement,
  x: placement.x + by.x,
  y: placement.y + by.y,
});

/** Rotated by a quarter; the point in the middle stays there. */
export function rotate(placement: Placement, direction: 'clockwise' | 'counterclockwise'): Placement {
  const { x, y, quarters } = placement;
  const isClockwise = direction === 'clockwise';
  const next = (quarters + (isClockwise ? 1 : 3)) % 4;
  return {
    ...placement,
    ...(isClockwise ? { x: 0 - y, y: x } : { x: y, y: 0 - x }),
    quarters: next === 1 ? 1 : next === 2 ? 2 : next === 3 ? 3 : 0,
  };
}

/** The visible part of the picture, as shares of the rotated picture; null when that is all of it. */
export function getVisiblePart(placement: Placement, picture: Size, pane: Size): (Point & Size) | null {
  const shown = getShownSize(picture, pane, placement);
  if (shown.width <= pane.width + 0.5 && shown.height <= pane.height + 0.5) return null;
  const width = Math.min(1, pane.width / shown.width);
  const height = Math.min(1, pane.height / shown.height);
  return {
    x: 0.5 - placement.x / shown.width - width / 2,
    y: 0.5 - placement.y / shown.height - height / 2,
    width,
    height,
  };
}
