/**
 * The engines of this process behind the interface of one, a lane each. A command goes to the engine of its account's slot; a price
 * goes to all of them. Invariants: a slot has at most one engine, which the commit of each batch proves; when one engine halts,
 * all do.
 */
import type { Command } from '@fulcrum/domain';
import { type EngineHost, hostOf } from './cluster/engine-host.ts';
import type { Engine, EngineState } from './engine/engine.ts';
import { type HaltCause, severityOf } from './engine/halt.ts';
import type { CommandOrigin } from './engine/queue.ts';
import { allSlots, slotOf } from './engine/slots.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';

/** One lane: an engine of a server alone, or a member of a cluster, whose slots others decide with it. */
export interface Lane
  extends Pick<
      Engine,
      | 'submit'
      | 'tick'
      | 'sweep'
      | 'checkDue'
      | 'reload'
      | 'forgetCached'
      | 'halt'
      | 'resume'
      | 'idle'
      | 'settled'
      | 'state'
      | 'stop'
    >,
    Pick<Engine, 'symbolsInUse' | 'bookedSymbols' | 'serves'> {
  start(slots: readonly number[]): Promise<void>;
}

/** Moves slots to one of the engines of a server alone. Commands of their accounts are refused as moved meanwhile. After a failure it may be repeated. */
export async function moveSlots(
  engines: readonly Engine[],
  slots: readonly number[],
  to: number,
): Promise<void> {
  const target = engines[to];
  if (!target) throw new RangeError(`there is no lane ${to}`);
  const leaving = slots.filter((slot) => !target.serves(slot));
  if (leaving.length === 0) return;
  for (const engine of engines) if (engine !== target) await engine.give(leaving);
  await target.take(leaving);
}

export class Lanes {
  readonly #engines: readonly [Lane, ...Lane[]];
  readonly #hosts: readonly EngineHost[];

  constructor(engines: readonly Lane[]) {
    const [first, ...others] = engines;
    if (!first) throw new RangeError('there is at least one lane');
    this.#engines = [first, ...others];
    this.#hosts = engines.map(hostOf);
  }

  /** Slots go to the lanes in turn: ids are random, so every lane gets the same share. @throws StartError as `Engine.start`; then no engine runs. */
  async start(): Promise<void> {
    const lanes = this.#engines.length;
    const started = await Promise.allSettled(
      this.#engines.map((engine, lane) => engine.start(allSlots.filter((slot) => slot % lanes === lane))),
    );
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (!failed) return;
    await this.stop();
    throw failed.reason;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.stop()));
  }

  /** As `Engine.submit`. */
  submit(
    origin: CommandOrigin,
    command: Command,
    key: IdempotencyKey | null,
    until: number | null = null,
  ): Promise<Answer> {
    // One that does not serve the slot refuses the command.
    const engine = this.#engineOf(origin.accountId) ?? this.#engines[0];
    return engine.submit(origin, command, key, until);
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

  /** As `Engine.forgetCached`. */
  forgetCached(): void {
    for (const engine of this.#engines) engine.forgetCached();
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

  #engineOf(accountId: string): Lane | undefined {
    const slot = slotOf(accountId);
    return this.#engines.find((engine) => engine.serves(slot));
  }
}
