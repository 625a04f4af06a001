import { describe, expect, test } from 'vitest';
import {
  type Placement,
  panned,
  scaleMax,
  seenPart,
  settled,
  shownSize,
  turned,
  wholePicture,
  zoomed,
} from './zoom.ts';

const picture = { width: 1200, height: 600 };
const pane = { width: 600, height: 400 };

describe('the viewer of pictures', () => {
  test('a picture fits its pane, upright and turned', () => {
    expect(shownSize(picture, pane, wholePicture)).toEqual({ width: 600, height: 300 });
    expect(shownSize(picture, pane, { ...wholePicture, quarters: 1 })).toEqual({ width: 200, height: 400 });
  });

  test('zooming keeps what is under the pointer where it is', () => {
    const at = { x: 100, y: -50 };
    const shownAt = ({ x, y, scale }: Placement) => ({ x: (at.x - x) / scale, y: (at.y - y) / scale });
    const once = zoomed(wholePicture, 2, at);
    expect(shownAt(once)).toEqual(shownAt(wholePicture));
    expect(shownAt(zoomed(once, 1.5, at))).toEqual(shownAt(wholePicture));
  });

  test('it is never smaller than its pane allows and never larger than eight times that', () => {
    expect(zoomed(wholePicture, 0.1).scale).toBe(1);
    expect(zoomed(wholePicture, 100).scale).toBe(scaleMax);
  });

  test('no part of the pane is left empty that the picture could fill', () => {
    const far = settled(panned({ ...wholePicture, scale: 2 }, { x: 5000, y: -5000 }), picture, pane);
    // 1200 x 600 in 600 x 400
    expect(far).toMatchObject({ x: 300, y: -100 });
    expect(settled(panned(wholePicture, { x: 40, y: 40 }), picture, pane)).toEqual(wholePicture);
  });

  test('four turns are none, either way, and the middle stays the middle', () => {
    const start: Placement = { scale: 3, x: 20, y: -7, quarters: 0 };
    const once = turned(start, 'clockwise');
    expect(once).toEqual({ scale: 3, x: 7, y: 20, quarters: 1 });
    expect(turned(once, 'counterclockwise')).toEqual(start);
    let round = start;
    for (let turn = 0; turn < 4; turn += 1) round = turned(round, 'clockwise');
    expect(round).toEqual(start);
  });

  test('the map shows the seen part of an enlarged picture only', () => {
    expect(seenPart(wholePicture, picture, pane)).toBeNull();
    expect(seenPart({ ...wholePicture, scale: 2 }, picture, pane)).toEqual({
      x: 0.25,
      y: expect.closeTo(1 / 6),
      width: 0.5,
      height: expect.closeTo(2 / 3),
    });
    expect(seenPart({ ...wholePicture, scale: 2, x: 300 }, picture, pane)).toMatchObject({ x: 0 });
  });
});
