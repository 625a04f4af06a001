/**
 * The traders and the staff of a run: they ask, ask again with the same client id, and look hard at what they are answered.
 * An answer has to be stored before it is given, under its client id, and audited when staff asked.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@fulcrum/contract';
import type { Command } from '@fulcrum/domain';
import type { Engine } from '../../src/features/trading/engine/engine.ts';
import type { CommandOf } from '../../src/features/trading/engine/queue.ts';
import type { Answer, IdempotencyKey } from '../../src/features/trading/engine/store.ts';
import type { Report } from './comparison.ts';
import type { SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { textOf } from './observer.ts';
import { commandOf } from './requests.ts';
import type { Draws, Step } from './scenario.ts';

export const admin = 'admin';
export const manager = 'manager';
export const traderId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

/** The engine that answers now. */
export interface Desk {
  readonly engine: Engine;
  /** How many engines there were before it. */
  readonly generation: number;
  /** Whether its store has failed so far. */
  hasFailed(): boolean;
}

interface Sent {
  readonly generation: number;
  readonly of: CommandOf;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  isAnswered: boolean;
}

export interface ClientsSetting {
  readonly database: MemoryDatabase;
  readonly market: SimulatedMarket;
  readonly traders: number;
  readonly desk: () => Desk;
  readonly report: Report;
}

export class Clients {
  readonly #setting: ClientsSetting;
  readonly #sent: Sent[] = [];
  readonly #done = new Set<string>();
  /** Requests whose outcome their client cannot know: told that we are busy, or never told anything. */
  #unknown = 0;
  #lastKeyed: Sent | null = null;
  #keys = 0;

  constructor(setting: ClientsSetting) {
    this.#setting = setting;
  }

  request({ trader, request, draws }: Extract<Step, { kind: 'request' }>): void {
    const { database, market, traders } = this.#setting;
    const userId = traderId(trader % traders);
    const command = commandOf(request, draws, { database, market, userId });
    if (!command) return;
    const of = actorOf(userId, command, draws);
    const isKeyed = (draws[6] ?? 0) < 0.4;
    this.#keys += 1;
    const key = isKeyed ? keyOf(of.actorId, `c${this.#keys}`, command) : null;
    const sent = this.#send({ of, command, key });
    if (key) this.#lastKeyed = sent;
  }

  /** The last request that had a client id, once more; or another body under the same id. */
  resend(isSameBody: boolean): void {
    const last = this.#lastKeyed;
    if (!last?.key) return;
    const key = isSameBody ? last.key : { ...last.key, bodyHash: `${last.key.bodyHash}!` };
    this.#send({ of: last.of, command: last.command, key });
  }

  #send(request: Pick<Sent, 'of' | 'command' | 'key'>): Sent {
    const { engine, generation } = this.#setting.desk();
    const sent: Sent = { ...request, generation, isAnswered: false };
    this.#sent.push(sent);
    engine.submit(sent.of, sent.command, sent.key).then(
      (answer) => this.#onAnswer(sent, answer),
      (error: Error) => this.#onError(sent, error),
    );
    return sent;
  }

  /** The answer of a process that is gone reaches nobody. */
  #isLost({ generation }: Sent): boolean {
    return generation !== this.#setting.desk().generation;
  }

  #onAnswer(sent: Sent, answer: Answer): void {
    if (this.#isLost(sent)) return;
    sent.isAnswered = true;
    const { key, of, command } = sent;
    const { database, report } = this.#setting;
    this.#done.add(key ? `${key.ownerId} ${key.clientId}` : `without a name ${this.#done.size}`);
    if (!database.users.has(of.userId)) return;
    if (key && database.users.has(key.ownerId)) {
      const stored = database.answers.get(`${key.ownerId} ${key.clientId}`);
      const isStored = stored?.bodyHash === key.bodyHash && isDeepStrictEqual(stored.answer, answer);
      if (!isStored) report(`invariant 7: the answer to ${key.clientId} is not the stored one`);
    }
    const { id } = answer;
    const isThere =
      typeof id !== 'string' ||
      database.wallets.get(of.userId)?.id === id ||
      database.positions.has(id) ||
      database.orders.has(id);
    if (!isThere) report(`a ${command.kind} was answered and is not stored`);
    const isAudited = database.audits.some(
      ({ actorId, subjectId }) => actorId === of.actorId && subjectId === of.userId,
    );
    if (of.actorId !== of.userId && !isAudited) {
      report(`invariant 13: ${command.kind} by ${of.actorId} is not audited`);
    }
  }

  #onError(sent: Sent, error: Error): void {
    if (this.#isLost(sent)) return;
    sent.isAnswered = true;
    const { key, command } = sent;
    const { database, report, desk } = this.#setting;
    if (!(error instanceof AppError) || error.code === 'busy') this.#unknown += 1;
    if (!(error instanceof AppError)) {
      // Refused alone as well, which takes a fault of the store.
      if (!desk().hasFailed()) report(`${command.kind} failed: ${error.stack}`);
      return;
    }
    if (error.code === 'busy' && !desk().hasFailed()) report('busy for no reason');
    if (error.code === 'trading_halted') report('halted for no reason');
    if (error.code !== 'idempotency_conflict' || !key || !database.users.has(key.ownerId)) return;
    const stored = database.answers.get(`${key.ownerId} ${key.clientId}`);
    if (!stored || stored.bodyHash === key.bodyHash) report('invariant 7: a conflict without one');
  }

  /** When everything is quiet: nobody waits for an answer any more. */
  checkAnswered(): void {
    for (const sent of this.#sent.splice(0)) {
      if (sent.isAnswered) continue;
      if (this.#isLost(sent)) this.#unknown += 1;
      else this.#setting.report(`a ${sent.command.kind} was never answered`);
    }
  }

  /** Nothing is done twice: what was done was asked for, each by a request of its own. */
  checkApplied(applied: number): void {
    const asked = this.#done.size + this.#unknown;
    if (applied > asked)
      this.#setting.report(`invariant 7: ${applied} commands were carried out, ${asked} asked`);
  }
}

const staffCommands: ReadonlySet<string> = new Set(['adjust', 'edit', 'restrict', 'delete']);

function actorOf(userId: string, command: Command, draws: Draws): CommandOf {
  const isStaffs = staffCommands.has(command.kind);
  const chosen = draws[5] ?? 0;
  // Staff may also act in the trader's name (A45).
  if (!isStaffs && chosen < 0.95) return { userId, actorId: userId, authority: null, reason: null };
  const actorId = chosen < 0.5 ? manager : admin;
  const ofStaff = command.kind === 'delete' ? 'admin' : 'assigned';
  return { userId, actorId, authority: isStaffs ? ofStaff : null, reason: 'a test' };
}

const keyOf = (ownerId: string, clientId: string, command: Command): IdempotencyKey => ({
  ownerId,
  clientId,
  procedure: command.kind,
  bodyHash: textOf(command),
});
