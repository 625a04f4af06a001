/** Keeps the labels of near levels apart. All figures are px from the pane's top. */
const stepPx = 24;

/** Where each pill's middle goes: its level, or the next free place beneath a pill it would cover. */
export function placePills(levels: readonly number[]): readonly number[] {
  const places: number[] = [];
  const order = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  let lowest = Number.NEGATIVE_INFINITY;
  for (const { level, index } of order) {
    const place = Math.max(level, lowest + stepPx);
    places[index] = place;
    lowest = place;
  }
  return places;
}

const tagPx = 18;
/** The last price's tag is two high: the countdown stands beneath it. */
const lastTag = { above: tagPx, below: 2 * tagPx } as const;

/** Where a level's axis tag goes: at the level, or right above or beneath the last price's tag when it would cover that. */
export function placeTag(level: number, last: number | null): number {
  if (last === null || level <= last - lastTag.above || level >= last + lastTag.below) return level;
  return level <= last ? last - lastTag.above : last + lastTag.below;
}
