/**
 * The engines of this process behind the interface of one, a lane each. A command goes to the engine of its account's slot; a price
 * goes to all of them. Invariants: a slot has at most one engine, which the commit of each batch proves; when one engine halts,
 * all do.
 */
import type { Command } from '@fulcrum/domain';
import { type EngineHost, hostOf } from './cluster/engine-host.ts';
import type { Engine } from './engine/engine.ts';
import type { HaltCause } from './engine/halt.ts';
import type { CommandOrigin } from './engine/queue.ts';
import { allSlots, slotOf } from './engine/slots.ts';
import { type EngineState, sumOf } from './engine/state.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';

/** One lane: the engine of a server alone, or a member of a cluster, whose slots others decide with it. */
export interface Lane extends Pick<Engine, 'start' | 'stop' | 'serves' | 'resume' | 'state'> {
  /** Of a member another one after each start. */
  readonly engine: Pick<
    Engine,
    | 'submit'
    | 'tick'
    | 'sweep'
    | 'checkDue'
    | 'reload'
    | 'forgetCached'
    | 'halt'
    | 'idle'
    | 'settled'
    | 'symbolsInUse'
    | 'bookedSymbols'
  >;
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
  readonly #lanes: readonly [Lane, ...Lane[]];
  readonly #hosts: readonly EngineHost[];

  constructor(lanes: readonly Lane[]) {
    const [first, ...others] = lanes;
    if (!first) throw new RangeError('there is at least one lane');
    this.#lanes = [first, ...others];
    this.#hosts = lanes.map(hostOf);
  }

  /** Slots go to the lanes in turn: ids are random, so every lane gets the same share. @throws StartError as `Engine.start`; then no engine runs. */
  async start(): Promise<void> {
    const lanes = this.#lanes.length;
    const started = await Promise.allSettled(
      this.#lanes.map((lane, n) => lane.start(allSlots.filter((slot) => slot % lanes === n))),
    );
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (!failed) return;
    await this.stop();
    throw failed.reason;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** As `Engine.submit`. */
  submit(
    origin: CommandOrigin,
    command: Command,
    key: IdempotencyKey | null,
    until: number | null = null,
  ): Promise<Answer> {
    // One that does not serve the slot refuses the command.
    const { engine } = this.#laneOf(origin.accountId) ?? this.#lanes[0];
    return engine.submit(origin, command, key, until);
  }

  /** Each engine by itself, for commands of other processes. */
  hosts(): readonly EngineHost[] {
    return this.#hosts;
  }

  tick(symbol: string): void {
    for (const { engine } of this.#lanes) engine.tick(symbol);
  }

  sweep(): void {
    for (const { engine } of this.#lanes) engine.sweep();
  }

  checkDue(): void {
    for (const { engine } of this.#lanes) engine.checkDue();
  }

  reload(accountIds: Iterable<string>): void {
    const ids = [...accountIds];
    for (const { engine } of this.#lanes) engine.reload(ids);
  }

  /** As `Engine.forgetCached`. */
  forgetCached(): void {
    for (const { engine } of this.#lanes) engine.forgetCached();
  }

  /** The epoch under which this account's changes are written; 0 for a slot without an engine. */
  epochOf(accountId: string): number {
    return this.#laneOf(accountId)?.state().epoch ?? 0;
  }

  halt(cause: HaltCause, reason: string): void {
    for (const { engine } of this.#lanes) engine.halt(cause, reason);
  }

  /** False where an engine can never write again. */
  async resume(): Promise<boolean> {
    const resumed = await Promise.all(this.#lanes.map((lane) => lane.resume()));
    return resumed.every(Boolean);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#lanes.map(({ engine }) => engine.idle()));
  }

  settled(): Promise<void> | null {
    const settling = this.#lanes.flatMap(({ engine }) => engine.settled() ?? []);
    return settling.length === 0 ? null : Promise.all(settling).then(() => undefined);
  }

  symbolsInUse(): ReadonlySet<string> {
    return new Set(this.#lanes.flatMap(({ engine }) => [...engine.symbolsInUse()]));
  }

  bookedSymbols(): ReadonlySet<string> {
    return new Set(this.#lanes.flatMap(({ engine }) => [...engine.bookedSymbols()]));
  }

  state(): EngineState {
    const [first, ...others] = this.#lanes;
    return sumOf([first.state(), ...others.map((lane) => lane.state())]);
  }

  #laneOf(accountId: string): Lane | undefined {
    const slot = slotOf(accountId);
    return this.#lanes.find((lane) => lane.serves(slot));
  }
}
