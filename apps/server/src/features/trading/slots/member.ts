/**
 * One engine of this process as a member of a cluster: it beats, polls the rows of the others, serves the slots that its row owns, and gives
 * slots back. An engine that was ended is dropped, and a new one with a row of its own takes its place. Invariants: it serves a slot only
 * while the database has it as this engine's; it gives a slot only after its last batch of it. Nothing here is needed for safety: the fence
 * of each commit is.
 *
 * Known limitation: a price that is reached only while a slot is not armed has no effect, as during a restart.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Engine } from '../engine/engine.ts';
import type { PostgresStore } from '../engine/postgres-store.ts';
import type { EngineState } from '../engine/state.ts';
import type { Lane } from '../lanes.ts';
import { beatEveryMs, Lease } from './lease.ts';
import {
  findDeadEngines,
  hasReceivers,
  isEmptyPlan,
  planSlots,
  pollEveryMs,
  type SlotPlan,
  Suspects,
  slotsToGive,
} from './rules.ts';
import { beat, changeSlots, type Membership, readMembership, setTakesSlots } from './store.ts';

/** How long a stop waits for others to take the slots; then it ends the engine, which frees them as well. */
const drainMs = 10_000;
/** Five seconds in which the database answers, but the engine does not get its lock back: PostgreSQL may keep a lost session for long. */
const lostPollsMax = 5_000 / pollEveryMs;

interface MemberDependencies {
  readonly db: Database;
  /** Opens the connection of the beats, which nothing else may delay. */
  readonly openBeatConnection: () => Database;
  readonly log: Log;
  /** Makes the engine of one start. It calls `onOver` when a commit finds the engine ended. */
  readonly create: (
    lease: Lease,
    onOver: () => void,
  ) => { readonly engine: Engine; readonly store: PostgresStore };
  /** Whether this process gets no prices from the market while it goes on for others; left out: never. */
  readonly isCutOff?: () => boolean;
  /** What each poll has found. */
  readonly onPoll: (membership: Membership) => void;
  /** Slots have changed hands, as far as this engine knows. */
  readonly onChange: () => void;
}

/** One start of the engine. */
interface Instance {
  readonly engine: Engine;
  readonly store: PostgresStore;
  readonly lease: Lease;
  isOver: boolean;
}

/** What an engine takes commands of. */
export interface HeldSlots {
  /** Its id: the epoch of its batches. */
  readonly engine: number;
  readonly slots: readonly number[];
}

const nothing: SlotPlan = { over: [], owners: new Map() };

/** A clock that only goes forward. */
const monotonic: Clock = { now: () => performance.now() };

export class Member implements Lane {
  readonly #deps: MemberDependencies;
  #instance: Instance;
  #beats: Database | undefined;
  #timers: readonly NodeJS.Timeout[] = [];
  #isStopping: boolean = false;
  #beating: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #starting: Promise<void> | undefined;
  #isReconnecting: boolean = false;
  /** Polls in a row that found no writing session of this engine. */
  #lostPolls = 0;
  #suspects = new Suspects();
  #latest: Membership | undefined;
  /** Slots that are being given; after a failure they are given again. */
  #giving: readonly number[] = [];
  #given: Promise<void> | undefined;
  /** Of slots that were given: a poll that began before one may have found what is no longer so. */
  #gifts = 0;
  /** Engines that were ended, until they have let go. */
  readonly #dropped = new Set<Promise<void>>();

  constructor(deps: MemberDependencies) {
    this.#deps = deps;
    this.#instance = this.#create();
  }

  #create(): Instance {
    const lease = new Lease(monotonic);
    const instance: Instance = {
      ...this.#deps.create(lease, () => this.#drop(instance, 'a commit was refused')),
      ...{ lease, isOver: false },
    };
    return instance;
  }

  /** Begins the engine, with whatever slots are free. @throws StartError when a server alone runs on this database. */
  async start(): Promise<void> {
    this.#beats = this.#deps.openBeatConnection();
    await this.#begin(this.#instance);
    this.#timers = [
      setInterval(() => void this.#beat(), beatEveryMs).unref(),
      setInterval(() => void this.#poll(), pollEveryMs).unref(),
    ];
  }

  async #begin({ engine, store }: Instance): Promise<void> {
    await engine.start([]);
    this.#deps.log.info({ epoch: store.epoch }, 'the engine is a member of the cluster');
    // One under way may be of the engine before.
    await this.#beating;
    await this.#beat();
    await this.#poll();
  }

  /** Gives the slots to the others, ends the engine and its row. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const [beats, polls] = this.#timers;
    this.#timers = [];
    clearInterval(polls);
    await this.#starting;
    if (!this.#instance.isOver && beats) await this.#drain(this.#instance);
    clearInterval(beats);
    await this.#letGo(this.#instance);
    await Promise.all([this.#beating, this.#polling, this.#given, ...this.#dropped]);
    const connection = this.#beats;
    this.#beats = undefined;
    await connection?.close();
  }

  async #drain({ store, engine }: Instance): Promise<void> {
    const deadline = monotonic.now() + drainMs;
    await setTakesSlots(this.#deps.db, store.epoch, false).catch(() => undefined);
    while (monotonic.now() < deadline && engine.servedSlots().length > 0) {
      await this.#poll();
      if (this.#given) await this.#given;
      else if (this.#latest && hasReceivers(this.#latest, store.epoch)) await sleep(pollEveryMs / 2);
      else return;
    }
  }

  /** Ends the engine and its row. */
  async #letGo({ engine, store }: Instance): Promise<void> {
    const { epoch } = store;
    await engine.stop();
    if (epoch === 0) return;
    const over = [epoch];
    try {
      const isChanged = await changeSlots(
        this.#deps.db,
        (membership) =>
          membership.engines.some(({ id }) => id === epoch) ? planSlots(membership, over) : nothing,
        true,
      );
      if (isChanged) this.#deps.onChange();
    } catch (error) {
      // The others find that it has no lock.
      this.#deps.log.warn({ err: error, epoch }, 'the row of an engine could not be ended');
    }
  }

  // The engine is over

  #drop(instance: Instance, reason: string): void {
    if (instance.isOver) return;
    instance.isOver = true;
    instance.lease.end();
    this.#deps.log.warn({ epoch: instance.store.epoch, reason }, 'the engine was ended; a new one begins');
    instance.engine.halt('epoch', reason);
    this.#giving = [];
    this.#gifts += 1;
    this.#suspects = new Suspects();
    this.#lostPolls = 0;
    const dropped = this.#letGo(instance).finally(() => this.#dropped.delete(dropped));
    this.#dropped.add(dropped);
    this.#deps.onChange();
    this.#restart();
  }

  /** The next beat tries again. */
  #restart(): void {
    if (this.#isStopping || this.#starting) return;
    const next = this.#create();
    this.#starting = this.#begin(next)
      .then(
        () => undefined,
        (error: unknown) => {
          next.isOver = true;
          this.#deps.log.error({ err: error }, 'the engine cannot begin; trying again');
        },
      )
      .finally(() => {
        this.#starting = undefined;
      });
    // Its beats and polls are those of this member from now on.
    this.#instance = next;
  }

  // Beats

  #beat(): Promise<void> {
    this.#beating ??= this.#beatOnce().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #beatOnce(): Promise<void> {
    const instance = this.#instance;
    if (instance.isOver) return this.#restart();
    if (!this.#beats || instance.store.epoch === 0) return;
    const sentAt = monotonic.now();
    try {
      if (await beat(this.#beats, instance.store.epoch)) instance.lease.renew(sentAt);
      else this.#drop(instance, 'its row has ended');
    } catch {
      // The connection has logged it, and the belief runs out.
    }
  }

  // Polls

  #poll(): Promise<void> {
    this.#polling ??= this.#pollOnce()
      .catch((error: unknown) => {
        this.#deps.log.debug({ err: error }, 'polling the engines failed');
      })
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    const instance = this.#instance;
    const { store, engine } = instance;
    if (instance.isOver || store.epoch === 0) return;
    if (store.sessionAgeMs === null) this.#reconnect(engine);
    const membership = await this.#read(instance);
    if (!membership) return;
    this.#lostPolls = store.sessionAgeMs === null ? this.#lostPolls + 1 : 0;
    if (this.#lostPolls > lostPollsMax) return this.#drop(instance, 'its session does not come back');
    await this.#leaveOrReturn(instance, membership);
    this.#latest = membership;
    this.#suspects.observe(membership, monotonic.now());
    let planned = this.#plan(instance, membership);
    const plan = (of: Membership): SlotPlan => {
      planned = this.#plan(instance, of);
      return planned;
    };
    if (!isEmptyPlan(planned) && (await changeSlots(this.#deps.db, plan))) {
      const { over, owners } = planned;
      if (over.length > 0)
        this.#deps.log.warn({ over, slots: owners.size }, 'engines without a lock or a beat were ended');
      this.#deps.onChange();
      await this.#read(instance);
    } else
      this.#give(instance, this.#giving.length > 0 ? this.#giving : slotsToGive(membership, store.epoch));
  }

  /** Without prices it gives its slots to those who have them, and gets its share again when they come again. */
  async #leaveOrReturn({ store }: Instance, { engines }: Membership): Promise<void> {
    const isCutOff = this.#deps.isCutOff?.() ?? false;
    const row = engines.find(({ id }) => id === store.epoch);
    if (!row || row.takesSlots === !isCutOff || this.#isStopping) return;
    await setTakesSlots(this.#deps.db, store.epoch, !isCutOff);
    const text = isCutOff
      ? 'no prices come to the engine, which gives its slots to others'
      : 'prices come to the engine again';
    this.#deps.log.warn({ epoch: store.epoch }, text);
  }

  /** Without its lock the engine would be ended, also one that has nothing to write. */
  #reconnect(engine: Engine): void {
    if (this.#isReconnecting) return;
    this.#isReconnecting = true;
    engine
      .reconnect()
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, 'the engine has no connection'))
      .finally(() => {
        this.#isReconnecting = false;
      });
  }

  #plan({ store, lease }: Instance, membership: Membership): SlotPlan {
    const poller = { id: store.epoch, sessionAgeMs: store.sessionAgeMs, leaseHeldMs: lease.heldMs() };
    return planSlots(membership, findDeadEngines(membership, poller, this.#suspects, monotonic.now()));
  }

  /** Reads the rows and serves what they have as this engine's. Undefined when the engine is over. */
  async #read(instance: Instance): Promise<Membership | undefined> {
    const gifts = this.#gifts;
    const membership = await readMembership(this.#deps.db);
    if (instance.isOver) return undefined;
    const { epoch } = instance.store;
    if (!membership.engines.some(({ id }) => id === epoch)) {
      this.#drop(instance, 'its row has ended');
      return undefined;
    }
    this.#deps.onPoll(membership);
    if (gifts === this.#gifts) this.#serve(instance, membership);
    return membership;
  }

  #serve(instance: Instance, { owners }: Membership): void {
    const { engine, store } = instance;
    const isNew = (slot: number): boolean => !engine.serves(slot) && !this.#giving.includes(slot);
    const added = owners.flatMap((owner, slot) => (owner === store.epoch && isNew(slot) ? [slot] : []));
    if (added.length === 0) return;
    engine.serve(added);
    this.#deps.onChange();
    void this.#arm(instance, added);
  }

  /** Page by page, while commands are taken. */
  async #arm(instance: Instance, slots: readonly number[]): Promise<void> {
    const { engine } = instance;
    for (let from: string | null = null; ; ) {
      try {
        from = await engine.armNext(slots, from);
        if (from === null) return engine.sweep();
      } catch (error) {
        if (instance.isOver || this.#isStopping) return;
        this.#deps.log.warn({ err: error }, 'what waits in taken slots is not armed yet; trying again');
        await sleep(pollEveryMs, undefined, { ref: false });
      }
    }
  }

  #give(instance: Instance, slots: readonly number[]): void {
    if (this.#given || slots.length === 0) return;
    this.#giving = slots;
    this.#given = instance.engine
      .give(slots)
      .then(
        () => {
          this.#gifts += 1;
          if (!instance.isOver) this.#giving = [];
          this.#deps.onChange();
        },
        (error: unknown) => {
          if (!instance.isOver) this.#deps.log.warn({ err: error }, 'slots are not given yet; trying again');
        },
      )
      .finally(() => {
        this.#given = undefined;
        // The engine with fewest gets them now.
        if (!this.#isStopping) void this.#poll();
      });
  }

  // The lane

  get engine(): Engine {
    return this.#instance.engine;
  }

  /** The engine that takes commands now, and of which slots. */
  held(): HeldSlots {
    const { engine, store } = this.#instance;
    return { engine: store.epoch, slots: engine.servedSlots() };
  }

  /** Why nothing can be written; null while it can. */
  get refusal(): string | null {
    return this.#instance.store.refusal;
  }

  serves(slot: number): boolean {
    return !this.#instance.isOver && this.#instance.engine.serves(slot);
  }

  /** The next engine follows the halts in force by itself. */
  async resume(): Promise<boolean> {
    const { engine, isOver } = this.#instance;
    return isOver || (await engine.resume()) || this.#instance.engine !== engine;
  }

  /** The end of one engine halts nothing: the others and the next one go on. */
  state(): EngineState {
    const state = this.#instance.engine.state();
    if (state.haltCause !== 'epoch')
      return { ...state, running: state.running && this.#instance.lease.isHeld() };
    return { ...state, halted: null, haltCause: null, haltedAt: null, running: false };
  }
}
