/** Compares a figure with its value thirty days ago. */

export const daysShown = 30;

interface MonthComparison {
  readonly value: number;
  readonly change_pct: number | null;
  readonly days: number[];
}

const getChangePct = (before: number, now: number): number | null =>
  before > 0 ? ((now - before) / before) * 100 : null;

/** Compares a level: `changes` of all days until today, the oldest first, and the level `before` them. */
export function compareLevel(before: number, changes: readonly number[]): MonthComparison {
  let level = before;
  const levels = changes.map((change) => {
    level += change;
    return level;
  });
  const month = levels.slice(-daysShown);
  const monthAgo = levels.at(-daysShown - 1) ?? before;
  return { value: level, change_pct: getChangePct(monthAgo, level), days: month };
}

/** Something that happens: how much of it on each of the last sixty days, the oldest first. */
export function compareTotal(value: number, amounts: readonly number[]): MonthComparison {
  const sum = (days: readonly number[]) => days.reduce((total, amount) => total + amount, 0);
  const month = amounts.slice(-daysShown);
  return {
    value,
    change_pct: getChangePct(sum(amounts.slice(-2 * daysShown, -daysShown)), sum(month)),
    days: month,
  };
}
