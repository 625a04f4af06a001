import { describe, expect, test } from 'vitest';
import {
  clampPlacement,
  getShownSize,
  getVisiblePart,
  initialPlacement,
  type Placement,
  panBy,
  rotate,
  scaleMax,
  zoomBy,
} from './picture-placement.ts';

const picture = { width: 1200, height: 600 };
const pane = { width: 600, height: 400 };

describe('the viewer of pictures', () => {
  test('a picture fits its pane, upright and rotated', () => {
    expect(getShownSize(picture, pane, initialPlacement)).toEqual({ width: 600, height: 300 });
    expect(getShownSize(picture, pane, { ...initialPlacement, quarters: 1 })).toEqual({
      width: 200,
      height: 400,
    });
  });

  test('zooming keeps the point under the pointer in place', () => {
    const at = { x: 100, y: -50 };
    const shownAt = ({ x, y, scale }: Placement) => ({ x: (at.x - x) / scale, y: (at.y - y) / scale });
    const once = zoomBy(initialPlacement, 2, at);
    expect(shownAt(once)).toEqual(shownAt(initialPlacement));
    expect(shownAt(zoomBy(once, 1.5, at))).toEqual(shownAt(initialPlacement));
  });

  test('the zoom is limited to the size of the pane and eight times that', () => {
    expect(zoomBy(initialPlacement, 0.1).scale).toBe(1);
    expect(zoomBy(initialPlacement, 100).scale).toBe(scaleMax);
  });

  test('no part of the pane is empty that the picture could fill', () => {
    const far = clampPlacement(
      panBy({ ...initialPlacement, scale: 2 }, { x: 5000, y: -5000 }),
      picture,
      pane,
    );
    // 1200 x 600 in 600 x 400
    expect(far).toMatchObject({ x: 300, y: -100 });
    expect(clampPlacement(panBy(initialPlacement, { x: 40, y: 40 }), picture, pane)).toEqual(
      initialPlacement,
    );
  });

  test('four rotations equal none in either direction, and the middle stays in the middle', () => {
    const start: Placement = { scale: 3, x: 20, y: -7, quarters: 0 };
    const once = rotate(start, 'clockwise');
    expect(once).toEqual({ scale: 3, x: 7, y: 20, quarters: 1 });
    expect(rotate(once, 'counterclockwise')).toEqual(start);
    let round = start;
    for (let quarter = 0; quarter < 4; quarter += 1) round = rotate(round, 'clockwise');
    expect(round).toEqual(start);
  });

  test('only a zoomed picture has a map, which shows its visible part', () => {
    expect(getVisiblePart(initialPlacement, picture, pane)).toBeNull();
    expect(getVisiblePart({ ...initialPlacement, scale: 2 }, picture, pane)).toEqual({
      x: 0.25,
      y: expect.closeTo(1 / 6),
      width: 0.5,
      height: expect.closeTo(2 / 3),
    });
    expect(getVisiblePart({ ...initialPlacement, scale: 2, x: 300 }, picture, pane)).toMatchObject({ x: 0 });
  });
});
