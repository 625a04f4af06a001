/** Keeps the labels of near levels apart. All figures are px from the pane's top. */
/** A pill farther from its line than so many steps would seem to belong to another one. */
const farthestSteps = 2;

export interface PillRoom {
  /** From one pill's middle to the next one's. */
  readonly step: number;
  /** The lowest middle a pill may have. */
  readonly bottom: number;
  /** Pills beside each other; 1 where there is no room for more. */
  readonly columns: number;
}

export interface PillPlace {
  /** The pill's middle. */
  readonly y: number;
  /** 0 is the one next to the axis. */
  readonly column: number;
}

/**
 * Where each pill goes: at its level, or the next free place beneath a pill it would cover, or else the next column; null
 * when every place is too far. What would fall out at the bottom moves up.
 */
export function placePills(levels: readonly number[], room: PillRoom): readonly (PillPlace | null)[] {
  const { step, bottom, columns } = room;
  const places: (PillPlace | null)[] = levels.map(() => null);
  let waiting = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  for (let column = 0; column < columns && waiting.length > 0; column += 1) {
    const left: typeof waiting = [];
    const placed: { index: number; y: number }[] = [];
    let lowest = Number.NEGATIVE_INFINITY;
    for (const one of waiting) {
      const y = Math.max(one.level, lowest + step);
      if (y - one.level > farthestSteps * step) {
        left.push(one);
        continue;
      }
      placed.push({ index: one.index, y });
      lowest = y;
    }
    let highest = bottom;
    for (const { index, y } of placed.reverse()) {
      const held = Math.min(y, highest);
      places[index] = { y: held, column };
      highest = held - step;
    }
    waiting = left;
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

/** Tags one after the other away from `start`, each at its level where that is free; null for those beyond `end`. */
function tagsInRow(levels: readonly number[], start: number, end: number): readonly (number | null)[] {
  const room = Math.max(0, Math.floor((end - start) / tagPx) + 1);
  const places: number[] = [];
  let free = start;
  for (const level of levels.slice(0, room)) {
    const place = Math.max(level, free);
    places.push(place);
    free = place + tagPx;
  }
  let last = end;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const place = Math.min(places[index] ?? last, last);
    places[index] = place;
    last = place - tagPx;
  }
  return levels.map((_level, index) => places[index] ?? null);
}

/**
 * Where the levels' axis tags go: at the level, or outwards from the last price's tag, so that no tag covers that one or
 * another. Those for which the pane has no more room, the farthest, have none.
 */
export function placeTags(
  levels: readonly number[],
  last: number | null,
  paneHeight: number,
): readonly (number | null)[] {
  const places: (number | null)[] = levels.map(() => null);
  const order = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  const edge = tagPx / 2;
  const bottom = paneHeight - edge;
  const put = (group: typeof order, row: readonly (number | null)[]) => {
    for (const [at, { index }] of group.entries()) places[index] = row[at] ?? null;
  };
  if (last === null) {
    put(
      order,
      tagsInRow(
        order.map(({ level }) => level),
        edge,
        bottom,
      ),
    );
    return places;
  }
  // The upper half is the lower one seen in a mirror.
  const above = order.filter(({ level }) => level <= last).reverse();
  const mirrored = tagsInRow(
    above.map(({ level }) => -level),
    lastTag.above - last,
    -edge,
  );
  put(
    above,
    mirrored.map((place) => (place === null ? null : -place)),
  );
  const below = order.filter(({ level }) => level > last);
  put(
    below,
    tagsInRow(
      below.map(({ level }) => level),
      last + lastTag.below,
      bottom,
    ),
  );
  return places;
}
