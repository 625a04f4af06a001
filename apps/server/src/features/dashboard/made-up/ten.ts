/**
 * Ten of many headlines: the newest, but of each category at least one where there is any, jumps of the last hours in any case,
 * and not the same market, subject or way of telling again and again. What the rules leave short is filled without them.
 */
import { hourMs } from '@fulcrum/domain';
import type { Category, Draft } from './drafts.ts';

const wanted = 10;
const mostOfCategory = 5;
const mostOfSymbol = 2;
const mostOfAngle = 2;
const jumpsMax = 3;
const jumpsKeptMs = 3 * hourMs;

/** `drafts` are all of the past, the weightier of one minute first; the ten are the newest first. */
export function chooseTen(drafts: readonly Draft[], now: number): Draft[] {
  const newest = [...drafts].sort((left, right) => right.at - left.at);
  const chosen = new Set<Draft>();
  const take = (draft: Draft): void => void chosen.add(draft);
  const isTaken = (draft: Draft): boolean =>
    chosen.has(draft) || [...chosen].some((one) => one.headline === draft.headline);
  const count = (of: (one: Draft) => boolean): number => [...chosen].filter(of).length;

  const jumps = newest.filter(({ angle, at }) => angle === 'jump' && at > now - jumpsKeptMs);
  jumps.slice(0, jumpsMax).forEach(take);
  for (const draft of newest) {
    if (chosen.size >= wanted) break;
    if (!isTaken(draft) && isWelcome(draft, count)) take(draft);
  }
  for (const category of ['market', 'crypto', 'stocks', 'economy'] as const) {
    if (count((one) => one.category === category) > 0) continue;
    const missing = newest.find((draft) => draft.category === category && !isTaken(draft));
    const leaving = missing && spareOf(chosen, count);
    if (!missing || (chosen.size >= wanted && !leaving)) continue;
    if (leaving && chosen.size >= wanted) chosen.delete(leaving);
    take(missing);
  }
  for (const draft of newest) {
    if (chosen.size >= wanted) break;
    if (!isTaken(draft)) take(draft);
  }
  return newest.filter((draft) => chosen.has(draft));
}

type Count = (of: (one: Draft) => boolean) => number;

function isWelcome(draft: Draft, count: Count): boolean {
  const { category, symbol, about, angle } = draft;
  return (
    count((one) => one.category === category) < mostOfCategory &&
    (symbol === null || count((one) => one.symbol === symbol) < mostOfSymbol) &&
    (symbol !== null || count((one) => one.about === about) === 0) &&
    count((one) => one.angle === angle) < mostOfAngle
  );
}

/** The oldest one of a category that has more. */
function spareOf(chosen: ReadonlySet<Draft>, count: Count): Draft | undefined {
  const most = (category: Category): number => count((one) => one.category === category);
  return [...chosen]
    .filter(({ angle, category }) => angle !== 'jump' && most(category) > 1)
    .sort((left, right) => left.at - right.at)[0];
}
