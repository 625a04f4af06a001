/** Separates the labels of levels that are close together. All figures are px from the pane's top. */
/** A pill more steps than this from its line would seem to belong to another one. */
const farthestSteps = 2;

export interface PillLayout {
  /** Distance between the middles of two neighbouring pills. */
  readonly step: number;
  /** The lowest allowed middle of a pill. */
  readonly bottom: number;
  /** Pills side by side; 1 where only one fits. */
  readonly columns: number;
}

export interface PillPosition {
  /** The pill's middle. */
  readonly y: number;
  /** 0 is the column next to the axis. */
  readonly column: number;
}

/**
 * Places each pill: at its level, else in the next free place beneath a pill it would cover, else in the next column.
 * A pill that would pass the bottom moves up. Null when every place is too far from the level.
 */
export function layOutPills(levels: readonly number[], room: PillLayout): readonly (PillPosition | null)[] {
  const { step, bottom, columns } = room;
  const positions: (PillPosition | null)[] = levels.map(() => null);
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
      const clamped = Math.min(y, highest);
      positions[index] = { y: clamped, column };
      highest = clamped - step;
    }
    waiting = left;
  }
  return positions;
}

const tagPx = 18;
/** The last price's tag takes two rows: the countdown is beneath it. */
const lastTag = { above: tagPx, below: 2 * tagPx } as const;

/** klinecharts clamps the last price's tag to these shares of the pane when the price is out of view. */
const lastTagReach = { top: 0.05, bottom: 0.98 } as const;
/** Where the last price's tag is drawn, for the price's level in a pane of that height. */
export const getLastPriceTagY = (level: number, paneHeight: number): number =>
  Math.max(paneHeight * lastTagReach.top, Math.min(level, paneHeight * lastTagReach.bottom));

/** Stacks tags away from `start`, each at its level where that is free; null for those beyond `end`. */
function stackTags(levels: readonly number[], start: number, end: number): readonly (number | null)[] {
  const room = Math.max(0, Math.floor((end - start) / tagPx) + 1);
  const positions: number[] = [];
  let free = start;
  for (const level of levels.slice(0, room)) {
    const position = Math.max(level, free);
    positions.push(position);
    free = position + tagPx;
  }
  let last = end;
  for (let index = positions.length - 1; index >= 0; index -= 1) {
    const position = Math.min(positions[index] ?? last, last);
    positions[index] = position;
    last = position - tagPx;
  }
  return levels.map((_level, index) => positions[index] ?? null);
}

/**
 * Places the axis tags: at their level, or outwards from the last price's tag, so that no tags overlap. The farthest
 * ones have no tag if the pane is full.
 */
export function layOutTags(
  levels: readonly number[],
  last: number | null,
  paneHeight: number,
): readonly (number | null)[] {
  const positions: (number | null)[] = levels.map(() => null);
  const order = levels.map((level, index) => ({ level, index })).sort((a, b) => a.level - b.level);
  const edge = tagPx / 2;
  const bottom = paneHeight - edge;
  const put = (group: typeof order, row: readonly (number | null)[]) => {
    for (const [at, { index }] of group.entries()) positions[index] = row[at] ?? null;
  };
  if (last === null) {
    put(
      order,
      stackTags(
        order.map(({ level }) => level),
        edge,
        bottom,
      ),
    );
    return positions;
  }
  // The upper half is the mirror image of the lower one.
  const above = order.filter(({ level }) => level <= last).reverse();
  const mirrored = stackTags(
    above.map(({ level }) => -level),
    lastTag.above - last,
    -edge,
  );
  put(
    above,
    mirrored.map((position) => (position === null ? null : -position)),
  );
  const below = order.filter(({ level }) => level > last);
  put(
    below,
    stackTags(
      below.map(({ level }) => level),
      last + lastTag.below,
      bottom,
    ),
  );
  return positions;
}
