/**
 * How a picture lies in its pane: turned in quarters, enlarged, moved. Pure. Lengths are px of the pane, the origin is its
 * middle; `scale` 1 is the whole picture, as large as the pane lets it be. Invariant: what `settled` gives back leaves no
 * part of the pane empty that the picture could fill.
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
  /** Where the picture's middle is. */
  readonly x: number;
  readonly y: number;
  /** Quarters, clockwise. */
  readonly quarters: 0 | 1 | 2 | 3;
}

export const scaleMax = 8;
export const zoomStep = 1.25;
/** px for each press of an arrow. */
export const panStep = 48;

export const wholePicture: Placement = { scale: 1, x: 0, y: 0, quarters: 0 };

/** px of the pane for one px of the picture at scale 1. */
export function fitOf(picture: Size, pane: Size, quarters: Placement['quarters']): number {
  const across = quarters % 2 === 0 ? picture : { width: picture.height, height: picture.width };
  if (across.width === 0 || across.height === 0) return 0;
  return Math.min(pane.width / across.width, pane.height / across.height);
}

/** The picture as it is shown, turned. */
export function shownSize(picture: Size, pane: Size, { scale, quarters }: Placement): Size {
  const factor = fitOf(picture, pane, quarters) * scale;
  const [width, height] =
    quarters % 2 === 0 ? [picture.width, picture.height] : [picture.height, picture.width];
  return { width: width * factor, height: height * factor };
}

// Adding 0 makes a zero of a negative one.
const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value)) + 0;

/** The same within its bounds. */
export function settled(placement: Placement, picture: Size, pane: Size): Placement {
  const scale = Math.min(scaleMax, Math.max(1, placement.scale));
  const shown = shownSize(picture, pane, { ...placement, scale });
  return {
    ...placement,
    scale,
    x: within(placement.x, Math.max(0, (shown.width - pane.width) / 2)),
    y: within(placement.y, Math.max(0, (shown.height - pane.height) / 2)),
  };
}

const middle: Point = { x: 0, y: 0 };

/** Enlarged by `factor`; what is under `at` stays there. */
export function zoomed(placement: Placement, factor: number, at: Point = middle): Placement {
  const scale = Math.min(scaleMax, Math.max(1, placement.scale * factor));
  const ratio = scale / placement.scale;
  return {
    ...placement,
    scale,
    x: at.x - (at.x - placement.x) * ratio,
    y: at.y - (at.y - placement.y) * ratio,
  };
}

export const panned = (placement: Placement, by: Point): Placement => ({
  ...placement,
  x: placement.x + by.x,
  y: placement.y + by.y,
});

/** A quarter further; what was in the middle stays there. */
export function turned(placement: Placement, direction: 'clockwise' | 'counterclockwise'): Placement {
  const { x, y, quarters } = placement;
  const isClockwise = direction === 'clockwise';
  const next = (quarters + (isClockwise ? 1 : 3)) % 4;
  return {
    ...placement,
    ...(isClockwise ? { x: 0 - y, y: x } : { x: y, y: 0 - x }),
    quarters: next === 1 ? 1 : next === 2 ? 2 : next === 3 ? 3 : 0,
  };
}

/** The part of the picture that is seen, as shares of the turned picture; null when that is all of it. */
export function seenPart(placement: Placement, picture: Size, pane: Size): (Point & Size) | null {
  const shown = shownSize(picture, pane, placement);
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
