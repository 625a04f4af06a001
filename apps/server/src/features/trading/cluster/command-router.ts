/**
 * Brings commands to the engine of their account's slot, wherever that engine runs: one of this process is called, to any other one
 * they go over the link. Each engine has a line: what gathers while a message is on its way goes as the next one, at most 128
 * commands, in the order of their arrival. `command-handler.ts` is the other end.
 *
 * Invariants: a command is done at most once and its caller is answered within five seconds of its arrival. What was surely not done
 * is sent again, to the owner of then. What may have been done is sent again only under its client id, whose stored answer makes that
 * safe; without one the caller is refused as busy, and looks. While NATS is away commands wait here.
 *
 * Known limitation: after a failure a repeated command may be decided behind later ones of its account.
 */
import { busy } from '@fulcrum/contract';
import type { Command } from '@fulcrum/domain';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { type ClusterLink, MessageTooLarge, NoResponders } from '../../../platform/cluster/link.ts';
import type { Log } from '../../../platform/log/index.ts';
import { UseCounter } from '../../../platform/rate-limit/use-counter.ts';
import { currentRequestId, withinRequestOrNone } from '../../../platform/request/index.ts';
import type { EngineLimits } from '../engine/limits.ts';
import type { CommandOrigin } from '../engine/queue.ts';
import { slotOf } from '../engine/slots.ts';
import type { Answer, IdempotencyKey } from '../engine/store.ts';
import { decodeOutcomes, encodeCommands, type Outcome, outcomeOf } from './command-codec.ts';
import type { EngineHost } from './engine-host.ts';
import type { SlotOwners } from './slot-owners.ts';

interface RouterDependencies {
  readonly link: Pick<ClusterLink, 'processId' | 'request' | 'subscribe' | 'isConnected' | 'onConnection'>;
  /** Cluster time. */
  readonly clock: Clock;
  readonly log: Log;
  readonly readOwners: () => Promise<SlotOwners>;
  /** The engines of this process, as they are now. */
  readonly local: () => readonly EngineHost[];
  /** Commands that this process holds or waits for, in all and of one user. */
  readonly limits: Pick<EngineLimits, 'queue' | 'queuePerUser'>;
}

export interface RouterState {
  /** Commands without an answer: those that wait for an engine or for NATS or are at one of this process, and those at another one. */
  readonly waiting: number;
  readonly underWay: number;
  /** Slots without an engine, as PostgreSQL had it last. */
  readonly unownedSlots: number;
  /** Since the start. */
  readonly messages: number;
  readonly commands: number;
  readonly repeats: number;
}

export interface CommandRouter {
  /** As `Engine.submit`. */
  submit(origin: CommandOrigin, command: Command, key: IdempotencyKey | null): Promise<Answer>;
  start(): Promise<void>;
  /** Refuses what waits and what is under way. */
  stop(): void;
  state(): RouterState;
}

/** How long after its arrival a command is wanted. */
const validForMs = 5_000;
const commandsOfMessageMax = 128;
const replyWithinMs = 2_000;
/** Longer than the latency of any account, and than a full queue: a repeat is more work for an engine that is behind already. */
const outcomeWithinMs = 3_000;
const readOwnersEveryMs = 1_000;
/** What waits for another owner, and what nobody wants any more, is looked at this often while there is any. */
const retryEveryMs = 50;

interface Pending {
  readonly order: number;
  readonly origin: CommandOrigin;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  readonly requestId: string | null;
  readonly until: number;
  /** The id of the message that the command was last sent in. */
  id: number;
  sentAt: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Line {
  readonly engine: number;
  queue: Pending[];
  isSending: boolean;
  /** At the engine, by the id under which they were sent, in this order. */
  readonly underWay: Map<number, Pending>;
}

const reply = z.object({ receipts: z.array(z.enum(['taken', 'moved', 'late', 'unreadable'])) });

export const createCommandRouter = (deps: RouterDependencies): CommandRouter => new Router(deps);

class Router implements CommandRouter {
  readonly #deps: RouterDependencies;
  readonly #lines = new Map<number, Line>();
  /** Commands without an answer. */
  readonly #pending = new Set<Pending>();
  readonly #ofUser = new UseCounter();
  /** Those of them that wait for an owner. */
  #held: Pending[] = [];
  #owners: SlotOwners = { engines: [], living: new Set() };
  #reading: Promise<void> | undefined;
  #lastOrder = 0;
  #lastId = 0;
  #counts = { messages: 0, commands: 0, repeats: 0 };
  #isStopped = false;
  #ends: readonly (() => void)[] = [];
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(deps: RouterDependencies) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { link } = this.#deps;
    await this.#readOwners();
    const timer = setInterval(() => void this.#readOwners(), readOwnersEveryMs).unref();
    this.#ends = [
      link.subscribe(`done.${link.processId}`, (payload) => this.#receive(payload)),
      link.subscribe('tell.slots', () => void this.#readOwners()),
      link.onConnection((isConnected) => {
        if (isConnected) void this.#readOwners();
        else for (const line of this.#lines.values()) this.#loseUnderWay(line);
      }),
      () => clearInterval(timer),
    ];
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#ends) end();
    clearTimeout(this.#retryTimer);
    // What is refused here is not sent later.
    for (const line of this.#lines.values()) line.queue = [];
    for (const pending of [...this.#pending]) this.#settle(pending, busy());
  }

  state(): RouterState {
    const underWay = [...this.#lines.values()].reduce((sum, line) => sum + line.underWay.size, 0);
    return {
      waiting: this.#pending.size - underWay,
      underWay,
      unownedSlots: this.#owners.engines.filter((engine) => engine === null).length,
      ...this.#counts,
    };
  }

  submit(origin: CommandOrigin, command: Command, key: IdempotencyKey | null): Promise<Answer> {
    const { limits, clock } = this.#deps;
    const { ownerId } = origin;
    const isFull = this.#pending.size >= limits.queue || this.#ofUser.of(ownerId) >= limits.queuePerUser;
    if (isFull || this.#isStopped) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      this.#lastOrder += 1;
      const end = this.#ofUser.begin(ownerId);
      const pending: Pending = {
        ...{ origin, command, key, until: clock.now() + validForMs },
        ...{ order: this.#lastOrder, requestId: currentRequestId(), id: 0, sentAt: 0 },
        resolve: (answer) => {
          end();
          resolve(answer);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      this.#pending.add(pending);
      this.#queue(pending);
      this.#checkSoon();
    });
  }

  /** To the line of the owner, or to an engine of this process; without an owner it waits for the next map. */
  #queue(pending: Pending): void {
    const { origin, command, key, until, requestId } = pending;
    const slot = slotOf(origin.accountId);
    const own = this.#deps.local().find((host) => host.ownsSlot(slot));
    if (own) {
      const submitted = withinRequestOrNone(requestId, () => own.submit(origin, command, key, until));
      void outcomeOf(submitted).then((outcome) => this.#conclude(pending, outcome));
      return;
    }
    const engine = this.#owners.engines[slot] ?? null;
    if (engine === null) {
      this.#held.push(pending);
      return;
    }
    const known = this.#lines.get(engine);
    const line: Line = known ?? { engine, queue: [], isSending: false, underWay: new Map() };
    if (!known) this.#lines.set(engine, line);
    line.queue.push(pending);
    // What is read from the sockets in the same step of the event loop goes along.
    if (!line.isSending && line.queue.length === 1) setImmediate(() => void this.#send(line));
  }

  // Sending

  async #send(line: Line): Promise<void> {
    if (line.isSending) return;
    line.isSending = true;
    while (line.queue.length > 0 && this.#deps.link.isConnected()) await this.#sendNext(line);
    line.isSending = false;
  }

  async #sendNext({ engine, queue, underWay }: Line): Promise<void> {
    const { link } = this.#deps;
    const sent = queue.splice(0, commandsOfMessageMax);
    for (const pending of sent) {
      this.#lastId += 1;
      pending.id = this.#lastId;
      pending.sentAt = performance.now();
      // Before the reply: an outcome may be faster.
      underWay.set(pending.id, pending);
    }
    this.#counts.messages += 1;
    this.#counts.commands += sent.length;
    const ids = sent.map(({ id }) => id);
    const commands = sent.map(({ id, until, origin, command, key, requestId }) => ({
      ...{ id, until, origin, command, key, requestId },
    }));
    try {
      const answer = await link.request(
        `cmd.${engine}`,
        encodeCommands(link.processId, commands),
        replyWithinMs,
      );
      const { receipts } = reply.parse(answer);
      for (const [n, id] of ids.entries()) this.#takeReceipt(underWay, id, receipts[n] ?? 'unreadable');
    } catch (error) {
      const isUnsent = error instanceof NoResponders || error instanceof MessageTooLarge;
      // Whatever else happened, the commands may be at the engine.
      const kind = isUnsent ? 'moved' : 'unknown';
      for (const id of ids) this.#takeOutcome(underWay, id, { kind });
    }
  }

  #takeReceipt(underWay: Line['underWay'], id: number, receipt: z.infer<typeof reply>['receipts'][number]) {
    if (receipt === 'taken') return;
    this.#takeOutcome(underWay, id, { kind: receipt === 'unreadable' ? 'late' : receipt });
  }

  // Outcomes

  #receive(payload: unknown): void {
    for (const { id, outcome } of decodeOutcomes(payload)) {
      for (const { underWay } of this.#lines.values()) this.#takeOutcome(underWay, id, outcome);
    }
  }

  /** Of a command that is under way there; one that was answered meanwhile is passed over. */
  #takeOutcome(underWay: Line['underWay'], id: number, outcome: Outcome): void {
    const pending = underWay.get(id);
    if (!pending) return;
    underWay.delete(id);
    this.#conclude(pending, outcome);
  }

  #conclude(pending: Pending, outcome: Outcome): void {
    const { kind } = outcome;
    if (kind === 'done') this.#settle(pending, null, outcome.answer);
    else if (kind === 'refused') this.#settle(pending, outcome.error);
    else if (kind === 'late' || (kind === 'unknown' && pending.key === null)) this.#settle(pending, busy());
    else {
      if (kind === 'unknown') this.#counts.repeats += 1;
      this.#hold(pending);
    }
  }

  #settle(pending: Pending, error: Error | null, answer: Answer = {}): void {
    if (!this.#pending.delete(pending)) return;
    if (error) pending.reject(error);
    else pending.resolve(answer);
  }

  /** Until the map has been read again. */
  #hold(pending: Pending): void {
    this.#held.push(pending);
    this.#checkSoon();
  }

  #loseUnderWay({ underWay }: Line): void {
    for (const id of [...underWay.keys()]) this.#takeOutcome(underWay, id, { kind: 'unknown' });
  }

  // Owners and time

  #readOwners(): Promise<void> {
    this.#reading ??= this.#deps
      .readOwners()
      .then((owners) => this.#takeOwners(owners))
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, 'the owners of slots were not read'))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #takeOwners(owners: SlotOwners): void {
    this.#owners = owners;
    const moved = this.#held.splice(0);
    for (const line of this.#lines.values()) {
      const isOver = !owners.living.has(line.engine);
      if (isOver) this.#loseUnderWay(line);
      const [leaving, staying] = [[] as Pending[], [] as Pending[]];
      for (const pending of line.queue)
        (owners.engines[slotOf(pending.origin.accountId)] === line.engine ? staying : leaving).push(pending);
      line.queue = staying;
      moved.push(...leaving);
      if (isOver) this.#lines.delete(line.engine);
    }
    // Those that the end of an engine has freed come along.
    moved.push(...this.#held.splice(0));
    for (const pending of moved.sort((a, b) => a.order - b.order)) {
      if (this.#pending.has(pending)) this.#queue(pending);
    }
    for (const line of this.#lines.values()) void this.#send(line);
  }

  #checkSoon(): void {
    if (this.#retryTimer !== undefined || this.#isStopped) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.#check();
      if (this.#pending.size > 0) this.#checkSoon();
    }, retryEveryMs);
  }

  /** Answers what nobody wants any more, and asks again for what is overdue or has no owner. */
  #check(): void {
    const now = this.#deps.clock.now();
    for (const pending of this.#pending) {
      // In the order of their arrival.
      if (pending.until > now) break;
      this.#settle(pending, busy());
    }
    const overdue = performance.now() - outcomeWithinMs;
    for (const line of this.#lines.values()) {
      line.queue = line.queue.filter((pending) => this.#pending.has(pending));
      for (const [id, pending] of line.underWay) {
        if (!this.#pending.has(pending)) line.underWay.delete(id);
        else if (pending.sentAt < overdue && pending.key !== null)
          this.#takeOutcome(line.underWay, id, { kind: 'unknown' });
      }
    }
    this.#held = this.#held.filter((pending) => this.#pending.has(pending));
    if (this.#held.length > 0) void this.#readOwners();
  }
}
