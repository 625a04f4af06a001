/** Slots that move from one engine to another while commands and prices arrive, and while either of the two may be ended. */
import type { StaffDesk } from './clients.ts';
import type { Report } from './comparison.ts';
import type { Faults } from './faults.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryStore } from './memory-store.ts';
import type { Connection, Observer } from './observer.ts';
import type { createChance } from './random.ts';
import type { Draws } from './scenario.ts';

/** An engine with what belongs to it alone. */
export interface Desk extends StaffDesk {
  readonly number: number;
  readonly weather: Faults;
  readonly store: MemoryStore;
  readonly connection: Connection;
  isGone: boolean;
  /** It believes that it was ended. */
  isLapsed: boolean;
}

/** Tries of a hand-over: a fault may meet each of its writes, and a lost connection the next one. */
const moveTries = 6;

export interface HandOversSetting {
  readonly database: MemoryDatabase;
  readonly desks: readonly Desk[];
  readonly observer: Observer;
  /** Of the lanes alone. */
  readonly chance: ReturnType<typeof createChance>;
  readonly report: Report;
}

export class HandOvers {
  readonly #setting: HandOversSetting;
  /** The hand-over under way: the engine that still has to give its slots, and the one that takes them. */
  #moving: {
    giver: Desk | null;
    readonly taker: Desk;
    readonly given: Promise<void>;
    readonly ended: Promise<void>;
  } | null = null;
  /** What waits in slots that are served already is being armed. */
  readonly #arming = new Set<{ readonly taker: Desk; readonly armed: Promise<void> }>();
  moves = 0;

  constructor(setting: HandOversSetting) {
    this.#setting = setting;
  }

  /** Begins to move slots from one engine to another; the next steps meet it under way. It ends early with either of the two. */
  async move([from = 0, to = 0, share = 0]: Draws): Promise<void> {
    await this.#endGiving();
    const giver = this.#setting.desks[Math.floor(from * this.#setting.desks.length)];
    const others = this.#setting.desks.filter((desk) => desk !== giver);
    const taker = others[Math.floor(to * others.length)];
    if (!giver || !taker) return;
    const own = this.#setting.database.slotsOf(giver.store.epoch);
    const moved = share < 0.5 ? own : own.filter((slot) => slot % 2 === 0);
    if (moved.length === 0) return;
    this.#setting.observer.isDisturbed = true;
    this.moves += 1;
    for (const desk of this.#setting.desks) desk.isLapsed = this.#setting.chance.happens(0.1);
    const given = this.#repeat(giver, () => giver.engine.give(moved));
    const taken = given.then(async () => {
      if (this.#moving?.giver === giver) this.#moving.giver = null;
      if (giver.isGone) return;
      giver.connection.adopt();
      await this.take(taker, moved);
    });
    const ended = taken.catch((error: Error) => {
      this.#setting.report(`a hand-over failed: ${error.stack}`);
    });
    this.#moving = { giver, taker, given, ended };
  }

  async take(taker: Desk, slots: readonly number[]): Promise<void> {
    if (taker.isGone) return;
    if (this.#setting.chance.happens(0.5)) return this.#repeat(taker, () => taker.engine.take(slots));
    // As the transaction of another engine gives them.
    this.#setting.database.take(taker.store.epoch, slots);
    taker.engine.serve(slots);
    const armed = this.#arm(taker, slots).catch((error: Error) => {
      this.#setting.report(`arming failed: ${error.stack}`);
    });
    this.#arming.add({ taker, armed });
  }

  async #arm(taker: Desk, slots: readonly number[]): Promise<void> {
    let from: string | null = null;
    do {
      const at: string | null = from;
      await this.#repeat(taker, async () => {
        from = await taker.engine.armNext(slots, at);
      });
    } while (from !== null && !taker.isGone);
  }

  /** Until it succeeds, or the engine is ended. */
  async #repeat(desk: Desk, work: () => Promise<void>): Promise<void> {
    for (let tries = 1; !desk.isGone; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === moveTries && !desk.isGone) throw error;
        if (tries > moveTries / 2) desk.weather.clear();
      }
    }
  }

  /** Lets the hand-over under way end: nothing is held any more. An engine that was ended has nothing to give. */
  async end(): Promise<void> {
    for (const desk of this.#setting.desks) desk.isLapsed = false;
    await this.#endGiving();
    for (const { taker, armed } of this.#arming) {
      for (const { weather } of this.#setting.desks) weather.calm();
      if (!taker.isGone) await armed;
    }
    this.#arming.clear();
  }

  async #endGiving(): Promise<void> {
    const moving = this.#moving;
    if (!moving) return;
    for (const { weather } of this.#setting.desks) weather.calm();
    // An engine that was ended takes nothing either, and its commit may be held for longer than this.
    if (!moving.giver?.isGone)
      await (moving.taker.isGone ? moving.given.catch(() => undefined) : moving.ended);
    this.#moving = null;
  }
}
