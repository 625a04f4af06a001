/** A figure against what it was a month of thirty days ago. */

export const daysShown = 30;

export interface Compared {
  readonly value: number;
  readonly change_pct: number | null;
  readonly days: number[];
}

const changeOf = (before: number, now: number): number | null =>
  before > 0 ? ((now - before) / before) * 100 : null;

/** Something that stands: `changes` of all days until today, the oldest first, and what there was before them. */
export function standing(before: number, changes: readonly number[]): Compared {
  let level = before;
  const levels = changes.map((change) => {
    level += change;
    return level;
  });
  const month = levels.slice(-daysShown);
  const monthAgo = levels.at(-daysShown - 1) ?? before;
  return { value: level, change_pct: changeOf(monthAgo, level), days: month };
}

/** Something that happens: how much of it on each of the last sixty days, the oldest first. */
export function happening(value: number, amounts: readonly number[]): Compared {
  const sum = (days: readonly number[]) => days.reduce((total, amount) => total + amount, 0);
  const month = amounts.slice(-daysShown);
  return {
    value,
    change_pct: changeOf(sum(amounts.slice(-2 * daysShown, -daysShown)), sum(month)),
    days: month,
  };
}
