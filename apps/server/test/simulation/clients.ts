/**
 * The traders and the staff of a run: they send requests, repeat them with the same client id, and check the answers.
 * An answer has to be stored under its client id before it is sent, and audited when staff sent the request.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@fulcrum/contract';
import type { AccountTerms, CloseOutCommand, Command } from '@fulcrum/domain';
import type { Engine } from '../../src/features/trading/engine/engine.ts';
import type { CommandOrigin } from '../../src/features/trading/engine/queue.ts';
import { CommandLate, SlotMoved } from '../../src/features/trading/engine/router-errors.ts';
import type { Answer, IdempotencyKey } from '../../src/features/trading/engine/store.ts';
import { type Report, textOf } from './comparison.ts';
import type { SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { commandOf } from './requests.ts';
import type { Draws, RequestKind, Step } from './scenario.ts';

export const admin = 'admin';
export const manager = 'manager';
/** Of the trader, and of their main account. */
export const traderId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
/** Of another account of theirs, in the same slot; `place` from 1. */
export const otherAccountId = (trader: number, place: number): string =>
  `00000000-0000-4000-8000-0000000${place}000${trader}`;

/** An engine. */
export interface StaffDesk {
  readonly engine: Engine;
  /** Whether it was replaced: its answers reach no client. */
  readonly isGone: boolean;
  /** Whether its store has failed so far. */
  hasFailed(): boolean;
}

interface Sent {
  readonly desk: StaffDesk;
  readonly of: CommandOrigin;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  /** Staff may not do that there. */
  readonly isBarred: boolean;
  isAnswered: boolean;
}

export interface ClientsSetting {
  readonly database: MemoryDatabase;
  readonly market: SimulatedMarket;
  /** Of all traders. */
  readonly accountIds: readonly string[];
  /** The engine of that account. */
  readonly desk: (accountId: string) => StaffDesk;
  readonly now: () => number;
  readonly report: Report;
}

export class Clients {
  readonly #setting: ClientsSetting;
  readonly #sent: Sent[] = [];
  readonly #done = new Set<string>();
  /** Requests of unknown outcome: refused as busy, or never answered. */
  #unknown = 0;
  #lastKeyed: Sent | null = null;
  #keys = 0;
  /** Requests that staff may not make in an account of a program, and were refused. */
  barred = 0;

  constructor(setting: ClientsSetting) {
    this.#setting = setting;
  }

  request({ trader, request, draws }: Extract<Step, { kind: 'request' }>): void {
    const { database, market, accountIds } = this.#setting;
    const requested = accountIds[trader % accountIds.length];
    const ownerId = requested && database.userOf(requested);
    if (requested === undefined || ownerId === undefined) return;
    // Staff restrict and delete the user, by the main account.
    const accountId = request === 'restrict' || request === 'delete' ? ownerId : requested;
    const command = commandOf(request, draws, { database, market, accountId, now: this.#setting.now() });
    if (!command || isNotTheirs(request, command, database.accounts.get(accountId)?.terms)) return;
    const of = actorOf({ accountId, ownerId }, command, draws);
    const isKeyed = (draws[6] ?? 0) < 0.4;
    this.#keys += 1;
    const keyOwner = of.actorId === ownerId ? accountId : of.actorId;
    const key = isKeyed ? keyOf(keyOwner, `c${this.#keys}`, command) : null;
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
    const desk = this.#setting.desk(request.of.accountId);
    const sent: Sent = { ...request, desk, isBarred: this.#isBarred(request), isAnswered: false };
    this.#sent.push(sent);
    desk.engine.submit(sent.of, sent.command, sent.key).then(
      (answer) => this.#onAnswer(sent, answer),
      (error: Error) => this.#onError(sent, error),
    );
    return sent;
  }

  /** Of staff, in an account of a program; what concerns the user holds for all accounts. A repeat is answered as before. */
  #isBarred({ of, command }: Pick<Sent, 'of' | 'command'>): boolean {
    const setBy = this.#setting.database.accounts.get(of.accountId)?.terms?.limits?.setBy;
    const isOfUser = command.kind === 'restrict' || command.kind === 'delete';
    return of.actorId !== of.ownerId && !isOfUser && (setBy === 'contest' || setBy === 'challenge');
  }

  /** The contest of the account has ended: everything closes at these marks. */
  closeOut(accountId: string, marks: CloseOutCommand['marks']): void {
    const ownerId = this.#setting.database.userOf(accountId);
    if (ownerId === undefined) return;
    const of = { accountId, ownerId, actorId: ownerId, authority: null, reason: null };
    this.#send({ of, command: { kind: 'close_out', marks }, key: null });
  }

  /** The answer of a killed process reaches no client. */
  #isLost({ desk }: Sent): boolean {
    return desk.isGone;
  }

  #onAnswer(sent: Sent, answer: Answer): void {
    if (this.#isLost(sent)) return;
    sent.isAnswered = true;
    const { key, of, command } = sent;
    const { database, report } = this.#setting;
    if (sent.isBarred) report(`A112: ${of.actorId} traded in an account of a program: ${command.kind}`);
    this.#done.add(key ? `${key.ownerId} ${key.clientId}` : `without a name ${this.#done.size}`);
    if (!database.accounts.has(of.accountId)) return;
    if (key && database.accounts.has(key.ownerId)) {
      const stored = database.answers.get(`${key.ownerId} ${key.clientId}`);
      const isStored = stored?.bodyHash === key.bodyHash && isDeepStrictEqual(stored.answer, answer);
      if (!isStored) report(`invariant 7: the answer to ${key.clientId} is not the stored one`);
    }
    const { id } = answer;
    const isThere =
      typeof id !== 'string' ||
      database.wallets.get(of.accountId)?.id === id ||
      database.positions.has(id) ||
      database.orders.has(id);
    if (!isThere) report(`a ${command.kind} was answered and is not stored`);
    const isAudited = database.audits.some(
      ({ actorId, subjectId, detail }) =>
        actorId === of.actorId &&
        subjectId === of.ownerId &&
        (detail.account_id ?? of.ownerId) === of.accountId,
    );
    if (of.actorId !== of.ownerId && !isAudited) {
      report(`invariant 13: ${command.kind} by ${of.actorId} is not audited`);
    }
  }

  #onError(sent: Sent, error: Error): void {
    if (this.#isLost(sent)) return;
    sent.isAnswered = true;
    const { key, command, desk } = sent;
    const { database, report } = this.#setting;
    // One that has moved, or came too late, is not done.
    const isRefused = error instanceof SlotMoved || error instanceof CommandLate;
    if (!isRefused && (!(error instanceof AppError) || error.code === 'busy')) this.#unknown += 1;
    if (!(error instanceof AppError)) {
      // Refused on its own as well, which requires a fault of the store.
      if (!desk.hasFailed()) report(`${command.kind} failed: ${error.stack}`);
      return;
    }
    if (error.code === 'busy' && !desk.hasFailed()) report('busy for no reason');
    const isOfProgram = error.code === 'contest_account' || error.code === 'challenge_account';
    if (isOfProgram && !sent.isBarred) report(`${command.kind} is refused as staff’s: ${error.code}`);
    if (isOfProgram) this.barred += 1;
    if (error.code === 'trading_halted') report('halted for no reason');
    if (error.code !== 'idempotency_conflict' || !key || !database.accounts.has(key.ownerId)) return;
    const stored = database.answers.get(`${key.ownerId} ${key.clientId}`);
    if (!stored || stored.bodyHash === key.bodyHash) report('invariant 7: a conflict without one');
  }

  /** When everything is quiet: no client waits for an answer any more. */
  checkAnswered(): void {
    for (const sent of this.#sent.splice(0)) {
      if (sent.isAnswered) continue;
      if (this.#isLost(sent)) this.#unknown += 1;
      else this.#setting.report(`a ${sent.command.kind} was never answered`);
    }
  }

  /** Nothing is done twice: every applied command has a request of its own. */
  checkApplied(applied: number): void {
    const requested = this.#done.size + this.#unknown;
    if (applied > requested)
      this.#setting.report(`invariant 7: ${applied} commands were carried out, ${requested} requested`);
  }
}

/** The server refuses an owner's reset of an account that is locked. */
const isNotTheirs = (
  request: RequestKind,
  command: Command,
  terms: AccountTerms | null | undefined,
): boolean =>
  request === 'reset' && command.kind === 'reset' && command.reason === undefined && Boolean(terms?.limits);

const staffCommands: ReadonlySet<string> = new Set(['adjust', 'edit', 'restrict', 'delete']);

function actorOf(
  of: Pick<CommandOrigin, 'accountId' | 'ownerId'>,
  command: Command,
  draws: Draws,
): CommandOrigin {
  const isReasoned = command.kind === 'reset' && command.reason !== undefined;
  const isStaffs = staffCommands.has(command.kind) || isReasoned;
  const chosen = draws[5] ?? 0;
  // Staff may also impersonate the trader (A45).
  if (!isStaffs && chosen < 0.95) return { ...of, actorId: of.ownerId, authority: null, reason: null };
  const actorId = chosen < 0.5 ? manager : admin;
  const ofStaff = command.kind === 'delete' ? 'admin' : 'assigned';
  return { ...of, actorId, authority: isStaffs ? ofStaff : null, reason: 'a test' };
}

const keyOf = (ownerId: string, clientId: string, command: Command): IdempotencyKey => ({
  ownerId,
  clientId,
  procedure: command.kind,
  bodyHash: textOf(command),
});
