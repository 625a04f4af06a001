/**
 * The engines of this process behind the interface of one, a lane each. A command goes to the engine of its account's slot; a price
 * goes to all of them. Invariants: a slot has at most one engine, which the commit of each batch proves; when one engine halts,
 * all do.
 */
import { busy } from '@fulcrum/contract';
import type { Command } from '@fulcrum/domain';
import { type EngineHost, hostOf } from './cluster/engine-host.ts';
import type { Engine, EngineState } from './engine/engine.ts';
import { type HaltCause, severityOf } from './engine/halt.ts';
import type { CommandOrigin } from './engine/queue.ts';
import { allSlots, slotOf } from './engine/slots.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';

/** Slots in turn: ids are random, so every lane gets the same share of accounts. */
const laneOfSlot = (slot: number, lanes: number): number => slot % lanes;

export class Lanes {
  readonly #engines: readonly Engine[];
  readonly #hosts: readonly EngineHost[];
  /** The lane of each slot. */
  readonly #laneOf: number[];

  constructor(engines: readonly Engine[]) {
    this.#engines = engines;
    this.#hosts = engines.map(hostOf);
    this.#laneOf = allSlots.map((slot) => laneOfSlot(slot, engines.length));
  }

  /** @throws StartError as `Engine.start`; then no engine runs. */
  async start(): Promise<void> {
    const started = await Promise.allSettled(
      this.#engines.map((engine, lane) =>
        engine.start(allSlots.filter((slot) => this.#laneOf[slot] === lane)),
      ),
    );
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (!failed) return;
    await this.stop();
    throw failed.reason;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.stop()));
  }

  submit(origin: CommandOrigin, command: Command, key: IdempotencyKey | null): Promise<Answer> {
    return this.#engineOf(origin.accountId)?.submit(origin, command, key) ?? Promise.reject(busy());
  }

  /** Each engine by itself, for commands of other processes. */
  hosts(): readonly EngineHost[] {
    return this.#hosts;
  }

  tick(symbol: string): void {
    for (const engine of this.#engines) engine.tick(symbol);
  }

  sweep(): void {
    for (const engine of this.#engines) engine.sweep();
  }

  checkDue(): void {
    for (const engine of this.#engines) engine.checkDue();
  }

  reload(accountIds: Iterable<string>): void {
    const ids = [...accountIds];
    for (const engine of this.#engines) engine.reload(ids);
  }

  /** The epoch under which this account's changes are written; 0 for a slot without an engine. */
  epochOf(accountId: string): number {
    return this.#engineOf(accountId)?.state().epoch ?? 0;
  }

  halt(cause: HaltCause, reason: string): void {
    for (const engine of this.#engines) engine.halt(cause, reason);
  }

  /** False where an engine can never write again. */
  async resume(): Promise<boolean> {
    const resumed = await Promise.all(this.#engines.map((engine) => engine.resume()));
    return resumed.every(Boolean);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.idle()));
  }

  settled(): Promise<void> | null {
    const settling = this.#engines.flatMap((engine) => engine.settled() ?? []);
    return settling.length === 0 ? null : Promise.all(settling).then(() => undefined);
  }

  symbolsInUse(): ReadonlySet<string> {
    return new Set(this.#engines.flatMap((engine) => [...engine.symbolsInUse()]));
  }

  bookedSymbols(): ReadonlySet<string> {
    return new Set(this.#engines.flatMap((engine) => [...engine.bookedSymbols()]));
  }

  /** The sums of all lanes; of several halts the gravest, and the highest epoch. */
  state(): EngineState {
    const states = this.#engines.map((engine) => engine.state());
    const [gravest] = states.toSorted((a, b) => severityOf(b.haltCause) - severityOf(a.haltCause));
    if (!gravest) throw new RangeError('there is at least one lane');
    const sum = (figure: (state: EngineState) => number): number =>
      states.reduce((total, state) => total + figure(state), 0);
    return {
      halted: gravest.halted,
      haltCause: gravest.haltCause,
      haltedAt: gravest.haltedAt,
      running: states.every(({ running }) => running),
      epoch: Math.max(...states.map(({ epoch }) => epoch)),
      queued: sum(({ queued }) => queued),
      accounts: sum(({ accounts }) => accounts),
      positions: sum(({ positions }) => positions),
      orders: sum(({ orders }) => orders),
      armed: sum(({ armed }) => armed),
      staleAccounts: sum(({ staleAccounts }) => staleAccounts),
      batches: sum(({ batches }) => batches),
      commands: sum(({ commands }) => commands),
      crossings: sum(({ crossings }) => crossings),
    };
  }

  /** Moves slots to a lane. Commands of their accounts are refused as busy meanwhile. After a failure it may be repeated. */
  async move(slots: readonly number[], to: number): Promise<void> {
    const target = this.#engines[to];
    if (!target) throw new RangeError(`there is no lane ${to}`);
    for (const [lane, engine] of this.#engines.entries()) {
      const leaving = slots.filter((slot) => this.#laneOf[slot] === lane);
      if (leaving.length === 0 || engine === target) continue;
      await engine.give(leaving);
      await target.take(leaving);
      for (const slot of leaving) this.#laneOf[slot] = to;
    }
  }

  #engineOf(accountId: string): Engine | undefined {
    return this.#engines[this.#laneOf[slotOf(accountId)] ?? -1];
  }
}
