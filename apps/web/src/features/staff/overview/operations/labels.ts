/** Labels of the operations panel: sources, their states, and the invariants by subject. */
import type { OperationsStatus } from '../useOverview.ts';

export type FeedState = OperationsStatus['feeds'][number]['state'];
export type SourceName = OperationsStatus['feeds'][number]['source'];
export type Invariant = OperationsStatus['invariants'][number];

export const sourceNames: Readonly<Record<SourceName, string>> = {
  binance: 'Crypto exchange',
  yahoo: 'Quotes',
  simulated: 'Simulation',
  replay: 'Recording',
};

export type Tone = 'up' | 'warn' | 'down' | 'quiet';
export const stateVariants: Readonly<Record<FeedState, { readonly label: string; readonly tone: Tone }>> = {
  live: { label: 'Live', tone: 'up' },
  simulated: { label: 'Simulated', tone: 'warn' },
  replay: { label: 'Recorded day', tone: 'warn' },
  stale: { label: 'Stale', tone: 'warn' },
  down: { label: 'Down', tone: 'down' },
  idle: { label: 'Markets closed', tone: 'quiet' },
};

/** Keyed by the server's number of the invariant. */
const groupTitles: Readonly<Record<number, string>> = {
  1: 'Ledger sums to zero',
  2: 'Balances are their ledger entries',
  3: 'Locked funds match margins and orders',
  4: 'Every entry has a source',
  5: 'PnL, fees and funding match the ledger',
  6: 'Orders reserve and release once',
  9: 'Triggers fired at their price',
  10: 'Versions count every change',
  13: 'Staff actions are audited',
  14: 'History and totals agree',
  15: 'Gains pay before the insurance',
  16: 'Fills are executions',
  17: 'Waiting conditions hold nothing',
};

/** The invariants about one subject; the group holds when each of them holds. */
export interface InvariantGroup {
  readonly title: string;
  readonly failed: readonly Invariant[];
  /** The evidence of the first invariant. */
  readonly proof: string;
}

/** Ordered by number, failed groups first. */
export function groupInvariants(invariants: readonly Invariant[]): readonly InvariantGroup[] {
  const groups = new Map<string, Invariant[]>();
  for (const invariant of invariants) {
    const title = groupTitles[invariant.number] ?? capitalize(invariant.name);
    groups.set(title, [...(groups.get(title) ?? []), invariant]);
  }
  const all = [...groups].map(([title, members]) => ({
    title,
    number: members[0]?.number ?? 0,
    failed: members.filter(({ ok }) => !ok),
    proof: members[0]?.detail ?? '',
  }));
  const isFailed = ({ failed }: InvariantGroup): number => (failed.length > 0 ? 0 : 1);
  return all.sort((a, b) => isFailed(a) - isFailed(b) || a.number - b.number);
}

export const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export interface OverallStatus {
  readonly text: string;
  readonly tone: 'up' | 'warn' | 'down';
}

/** The panel's status in one badge: the most severe problem. */
export function toOverallStatus({
  engine,
  invariants,
  feeds,
  checked_at,
  backup,
  processes,
  controls,
}: OverallStatusInput): OverallStatus {
  const broken = groupInvariants(invariants).filter(({ failed }) => failed.length > 0).length;
  if (broken > 0)
    return { text: `${broken} ${broken === 1 ? 'invariant' : 'invariants'} broken`, tone: 'down' };
  if (engine.state === 'halted') return { text: 'Trading halted', tone: 'down' };
  const down = feeds.filter(({ state }) => state === 'down').length;
  if (down > 0) return { text: `${down} ${down === 1 ? 'feed' : 'feeds'} down`, tone: 'down' };
  const silent = processes?.filter((process) => process.silent).length ?? 0;
  if (silent > 0) return { text: `${silent} ${silent === 1 ? 'process' : 'processes'} silent`, tone: 'warn' };
  const stale = feeds.filter(({ state }) => state === 'stale').length;
  if (stale > 0) return { text: `${stale} ${stale === 1 ? 'feed' : 'feeds'} stale`, tone: 'warn' };
  if (controls.replay?.jump) return { text: 'The recording waits', tone: 'warn' };
  const held = controls.holds.length;
  if (held > 0) return { text: `${held} ${held === 1 ? 'price' : 'prices'} held`, tone: 'warn' };
  if (backup?.trouble) return { text: capitalize(backup.trouble), tone: 'warn' };
  if (checked_at === null) return { text: 'Not checked yet', tone: 'warn' };
  return { text: 'All well', tone: 'up' };
}

type OverallStatusInput = Pick<
  OperationsStatus,
  'engine' | 'invariants' | 'feeds' | 'checked_at' | 'backup' | 'processes'
> & {
  readonly controls: {
    readonly holds: readonly unknown[];
    readonly replay?: { readonly jump: object | null } | null;
  };
};
