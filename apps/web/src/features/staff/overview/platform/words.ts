/** What the platform panel calls things: sources, their states, and the invariants by what they are about. */
import type { Platform } from '../useOverview.ts';

export type FeedState = Platform['feeds'][number]['state'];
export type SourceName = Platform['feeds'][number]['source'];
export type Invariant = Platform['invariants'][number];

export const sourceNames: Readonly<Record<SourceName, string>> = {
  binance: 'Crypto exchange',
  yahoo: 'Quotes',
  simulated: 'Simulation',
  replay: 'Recording',
};

export type Tone = 'up' | 'warn' | 'down' | 'quiet';
export const stateLooks: Readonly<Record<FeedState, { readonly word: string; readonly tone: Tone }>> = {
  live: { word: 'Live', tone: 'up' },
  simulated: { word: 'Simulated', tone: 'warn' },
  replay: { word: 'Recorded day', tone: 'warn' },
  stale: { word: 'Stale', tone: 'warn' },
  down: { word: 'Down', tone: 'down' },
  idle: { word: 'Markets closed', tone: 'quiet' },
};

/** By the number under which the server keeps them. */
const subjects: Readonly<Record<number, string>> = {
  1: 'Ledger sums to zero',
  2: 'Balances are their ledger entries',
  3: 'Locked is margins and reserves',
  4: 'Everything booked has its source',
  5: 'PnL and fees are what was booked',
  6: 'Orders reserve and release once',
  9: 'Triggers fired at their price',
  10: 'Versions count every movement',
  13: 'Acts of staff are audited',
  14: 'History and totals agree',
};

/** The invariants about one subject; whole when each of them is. */
export interface Subject {
  readonly title: string;
  readonly failed: readonly Invariant[];
  /** What proves the first of them. */
  readonly proof: string;
}

/** In the order of their numbers, what does not hold first. */
export function subjectsOf(invariants: readonly Invariant[]): readonly Subject[] {
  const groups = new Map<string, Invariant[]>();
  for (const invariant of invariants) {
    const title = subjects[invariant.number] ?? sentence(invariant.name);
    groups.set(title, [...(groups.get(title) ?? []), invariant]);
  }
  const all = [...groups].map(([title, members]) => ({
    title,
    number: members[0]?.number ?? 0,
    failed: members.filter(({ ok }) => !ok),
    proof: members[0]?.detail ?? '',
  }));
  const isFailed = ({ failed }: Subject): number => (failed.length > 0 ? 0 : 1);
  return all.sort((a, b) => isFailed(a) - isFailed(b) || a.number - b.number);
}

export const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export interface Verdict {
  readonly text: string;
  readonly tone: 'up' | 'warn' | 'down';
}

/** The panel in one badge: the gravest of what is wrong. */
export function verdictOf({ engine, invariants, feeds, checked_at, controls }: VerdictOf): Verdict {
  const broken = subjectsOf(invariants).filter(({ failed }) => failed.length > 0).length;
  if (broken > 0)
    return { text: `${broken} ${broken === 1 ? 'invariant' : 'invariants'} broken`, tone: 'down' };
  if (engine.state === 'halted') return { text: 'Trading halted', tone: 'down' };
  const silent = feeds.filter(({ state }) => state === 'down').length;
  if (silent > 0) return { text: `${silent} ${silent === 1 ? 'feed' : 'feeds'} down`, tone: 'down' };
  const stale = feeds.filter(({ state }) => state === 'stale').length;
  if (stale > 0) return { text: `${stale} ${stale === 1 ? 'feed' : 'feeds'} stale`, tone: 'warn' };
  const held = controls.holds.length;
  if (held > 0) return { text: `${held} ${held === 1 ? 'price' : 'prices'} held`, tone: 'warn' };
  if (checked_at === null) return { text: 'Not checked yet', tone: 'warn' };
  return { text: 'All well', tone: 'up' };
}

type VerdictOf = Pick<Platform, 'engine' | 'invariants' | 'feeds' | 'checked_at'> & {
  readonly controls: { readonly holds: readonly unknown[] };
};
