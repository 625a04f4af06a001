/**
 * Which engines are ended, and which slots they get or give, from what one poll has found. Every engine polls by itself, and all come to the same
 * decisions; one at a time carries them out. Ending an engine that still lives costs time and nothing else.
 */
import { slotCount } from '../engine/slots.ts';
import { leaseMs } from './lease.ts';

export const pollEveryMs = 250;
/** Two polls in a row, also where one of them was late. */
const locklessMs = 200;
/** Of the polling engine's session and belief: after a failure of the database no engine has a lock or a beat yet. */
const graceMs = 2_000;
/** Slots that one engine gives at a time. */
export const slotsPerMoveMax = 16;

/** An engine that has not ended. */
export interface SeenEngine {
  readonly id: number;
  /** The process; null for an engine of a server alone. */
  readonly processId: string | null;
  /** Since its last beat, by the database's clock, in milliseconds; null without a beat. */
  readonly silentMs: number | null;
  /** Whether some session holds its lock. */
  readonly isLocked: boolean;
  readonly takesSlots: boolean;
}

export interface SlotView {
  /** By id. */
  readonly engines: readonly SeenEngine[];
  /** The living engine of each slot; 0 for none. */
  readonly owners: readonly number[];
}

/** The engine that polls. */
export interface Poller {
  readonly id: number;
  /** Of its writing session; null while that is lost. */
  readonly sessionAgeMs: number | null;
  /** How long its lease has been held without a gap. */
  readonly leaseHeldMs: number;
}

/** What a poll changes. */
export interface SlotPlan {
  /** Engines to be ended. */
  readonly over: readonly number[];
  /** New owners of slots. */
  readonly owners: ReadonlyMap<number, number>;
}

export const isEmptyPlan = ({ over, owners }: SlotPlan): boolean => over.length === 0 && owners.size === 0;

const isSilent = ({ silentMs }: SeenEngine): boolean => silentMs !== null && silentMs >= leaseMs;
const takesSlots = (engine: SeenEngine): boolean =>
  engine.takesSlots && engine.isLocked && engine.silentMs !== null && !isSilent(engine);

/** Remembers since when engines have no lock, as this engine has seen it. */
export class Suspects {
  #since = new Map<number, number>();

  /** `now`: milliseconds of a clock that only goes forward. */
  observe({ engines }: SlotView, now: number): void {
    const lockless = engines.filter(({ isLocked }) => !isLocked);
    this.#since = new Map(lockless.map(({ id }) => [id, this.#since.get(id) ?? now]));
  }

  isLost(id: number, now: number): boolean {
    const since = this.#since.get(id);
    return since !== undefined && now - since >= locklessMs;
  }
}

/** The engines that have died, or hang. */
export function findDeadEngines(view: SlotView, poller: Poller, suspects: Suspects, now: number): number[] {
  const { sessionAgeMs, leaseHeldMs } = poller;
  if (sessionAgeMs === null || sessionAgeMs < graceMs || leaseHeldMs < graceMs) return [];
  return view.engines
    .filter((engine) => isSilent(engine) || (!engine.isLocked && suspects.isLost(engine.id, now)))
    .flatMap(({ id }) => (id === poller.id ? [] : [id]));
}

/** Slots without an owner, and those of the engines that are over, go to the engines with fewest. */
export function planSlots(view: SlotView, over: readonly number[]): SlotPlan {
  const counts = new Map(
    view.engines.filter((engine) => takesSlots(engine) && !over.includes(engine.id)).map(({ id }) => [id, 0]),
  );
  for (const owner of view.owners) {
    const count = counts.get(owner);
    if (count !== undefined) counts.set(owner, count + 1);
  }
  const owners = new Map<number, number>();
  for (const [slot, owner] of view.owners.entries()) {
    if (owner !== 0 && !over.includes(owner)) continue;
    const [fewest] = [...counts].toSorted(([a, ofA], [b, ofB]) => ofA - ofB || a - b);
    if (!fewest) break;
    const [taker, count] = fewest;
    owners.set(slot, taker);
    counts.set(taker, count + 1);
  }
  return { over, owners };
}

const receiversBeside = ({ engines }: SlotView, id: number): readonly SeenEngine[] =>
  engines.filter((engine) => engine.id !== id && takesSlots(engine));

/** Whether another engine takes what this one gives. */
export const hasReceivers = (view: SlotView, id: number): boolean => receiversBeside(view, id).length > 0;

/** The slots that this engine gives next: those above its share while another engine has fewer than its own, and all when it leaves. */
export function slotsToGive(view: SlotView, id: number): number[] {
  const self = view.engines.find((engine) => engine.id === id);
  const others = receiversBeside(view, id);
  // What was given is taken first.
  if (!self || others.length === 0 || view.owners.includes(0)) return [];
  const own = view.owners.flatMap((owner, slot) => (owner === id ? [slot] : []));
  if (!self.takesSlots) return own.slice(0, slotsPerMoveMax);
  const share = slotCount / (others.length + 1);
  const surplus = own.length - Math.ceil(share);
  const fewest = Math.min(...others.map((other) => view.owners.filter((owner) => owner === other.id).length));
  if (surplus <= 0 || fewest >= Math.floor(share)) return [];
  return own.slice(-Math.min(surplus, slotsPerMoveMax));
}
