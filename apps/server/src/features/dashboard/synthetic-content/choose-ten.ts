/**
 * Selects ten of many headlines: the newest, at least one of each category that has any, always jumps of the last hours, and
 * few of the same market, subject or angle. Places that these rules leave free are filled without them.
 */
import { hourMs } from '@fulcrum/domain';
import type { Category, Draft } from './drafts.ts';

const itemsMax = 10;
const categoryMax = 5;
const symbolMax = 2;
const angleMax = 2;
const jumpsMax = 3;
const jumpAgeMsMax = 3 * hourMs;

/** `drafts` are all of the past, the weightier of one minute first; the ten are the newest first. */
export function chooseTen(drafts: readonly Draft[], now: number): Draft[] {
  const newest = [...drafts].sort((left, right) => right.at - left.at);
  const chosen = new Set<Draft>();
  const take = (draft: Draft): void => void chosen.add(draft);
  const isTaken = (draft: Draft): boolean =>
    chosen.has(draft) || [...chosen].some((one) => one.headline === draft.headline);
  const count = (of: (one: Draft) => boolean): number => [...chosen].filter(of).length;

  const jumps = newest.filter(({ angle, at }) => angle === 'jump' && at > now - jumpAgeMsMax);
  jumps.slice(0, jumpsMax).forEach(take);
  for (const draft of newest) {
    if (chosen.size >= itemsMax) break;
    if (!isTaken(draft) && isWithinQuotas(draft, count)) take(draft);
  }
  for (const category of ['market', 'crypto', 'stocks', 'economy'] as const) {
    if (count((one) => one.category === category) > 0) continue;
    const missing = newest.find((draft) => draft.category === category && !isTaken(draft));
    const replaced = missing && findReplaceable(chosen, count);
    if (!missing || (chosen.size >= itemsMax && !replaced)) continue;
    if (replaced && chosen.size >= itemsMax) chosen.delete(replaced);
    take(missing);
  }
  for (const draft of newest) {
    if (chosen.size >= itemsMax) break;
    if (!isTaken(draft)) take(draft);
  }
  return newest.filter((draft) => chosen.has(draft));
}

type Count = (of: (one: Draft) => boolean) => number;

function isWithinQuotas(draft: Draft, count: Count): boolean {
  const { category, symbol, about, angle } = draft;
  return (
    count((one) => one.category === category) < categoryMax &&
    (symbol === null || count((one) => one.symbol === symbol) < symbolMax) &&
    (symbol !== null || count((one) => one.about === about) === 0) &&
    count((one) => one.angle === angle) < angleMax
  );
}

/** The oldest one of a category that has more. */
function findReplaceable(chosen: ReadonlySet<Draft>, count: Count): Draft | undefined {
  const most = (category: Category): number => count((one) => one.category === category);
  return [...chosen]
    .filter(({ angle, category }) => angle !== 'jump' && most(category) > 1)
    .sort((left, right) => left.at - right.at)[0];
}
