/** Keeps the labels of near levels apart. All figures are px from the pane's top. */
const stepPx = 24;
/** A pill farther from its line than this would seem to belong to another one. */
const farthestPx = 48;

/** Where each pill's middle goes: its level, or the next free place beneath a pill it would cover; null when that is too far. */
export function placePills(levels: readonly number[]): readonly (number | null)[] {
  const places: (number | null)[] = levels.map(() => null);
  const order = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  let lowest = Number.NEGATIVE_INFINITY;
  for (const { level, index } of order) {
    const place = Math.max(level, lowest + stepPx);
    if (place - level > farthestPx) continue;
    places[index] = place;
    lowest = place;
  }
  return places;
}

const tagPx = 18;
/** The last price's tag is two high: the countdown stands beneath it. */
const lastTag = { above: tagPx, below: 2 * tagPx } as const;

/** klinecharts holds the last price's tag within these shares of the pane when the price is out of view. */
const lastTagReach = { top: 0.05, bottom: 0.98 } as const;
/** Where the last price's tag is drawn, for the price's level in a pane of that height. */
export const lastPricePlace = (level: number, paneHeight: number): number =>
  Math.max(paneHeight * lastTagReach.top, Math.min(level, paneHeight * lastTagReach.bottom));

/**
 * Where the levels' axis tags go: at the level, or outwards from the last price's tag, so that no tag covers that one or
 * another.
 */
export function placeTags(levels: readonly number[], last: number | null): readonly number[] {
  const places = [...levels];
  const order = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  const middle = last ?? Number.NEGATIVE_INFINITY;
  let above = middle - lastTag.above;
  for (const { level, index } of order.filter(({ level }) => level <= middle).reverse()) {
    const place = Math.min(level, above);
    places[index] = place;
    above = place - tagPx;
  }
  let below = middle + lastTag.below;
  for (const { level, index } of order.filter(({ level }) => level > middle)) {
    const place = Math.max(level, below);
    places[index] = place;
    below = place + tagPx;
  }
  return places;
}
