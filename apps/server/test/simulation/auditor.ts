/**
 * An independent second opinion on every change of an account: the specification's rules implemented again, with own
 * arithmetic, on lists that it walks from end to end. It gets the commands with their times and prices, and predicts
 * the state afterwards. It imports types of packages/domain and nothing else of it.
 *
 * Known limitations: the auditor accepts any refusal reason that applies and predicts no single one; it learns the
 * ids of new rows from the store.
 */
import type { Command, JudgeCommand } from '@fulcrum/domain';
import { AuditedChallenges } from './audited-challenges.ts';
import { AuditedContext, accepted } from './audited-context.ts';
import { editPosition } from './audited-edit.ts';
import { changeOwn, isAfterContest, ownFaults } from './audited-limits.ts';
import {
  type AuditedMarket,
  type AuditedPair,
  closePriceOf,
  endingFaults,
  fundFaults,
  type Instant,
} from './audited-market.ts';
import { NetJudge } from './audited-net.ts';
import { isOrderWaiting } from './audited-net-case.ts';
import { AuditedOrders } from './audited-orders.ts';
import { AuditedPositions } from './audited-positions.ts';
import { isGoodReason } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedOwnLimits,
  accountOf,
  type House,
  type OpenedAccount,
  type Verdict,
} from './ledger-book.ts';

type Marks = JudgeCommand['marks'];

type CommandOfUser = Extract<Command, { kind: 'restrict' | 'delete' }>;
const isOfUser = (command: Command): command is CommandOfUser =>
  command.kind === 'restrict' || command.kind === 'delete';

/** What only an account with net positions has. */
const statesNetTerms = (command: Command): boolean => {
  if (command.kind === 'set_leverage' || command.kind === 'adjust_margin') return true;
  if (command.kind !== 'open' && command.kind !== 'place') return false;
  const { timeInForce, reduceOnly, quoteId } = command;
  if ((timeInForce ?? 'GTC') !== 'GTC' || quoteId) return true;
  if (command.kind === 'open') return Boolean(reduceOnly);
  const { triggerPrice, trailRate, closePosition, expiresAt, boundPositionId } = command;
  const isConditional = Boolean(triggerPrice) || Boolean(trailRate) || Boolean(expiresAt);
  return isConditional || Boolean(closePosition) || (Boolean(reduceOnly) && !boundPositionId);
};

export class Auditor {
  readonly accounts: AuditedAccount[] = [];
  /** By user: the accounts that still have to follow a command about the user. */
  readonly #following = new Map<
    string,
    { readonly command: CommandOfUser; readonly accounts: readonly AuditedAccount[] }
  >();
  readonly challenges = new AuditedChallenges(this.accounts);
  readonly #shared: AuditedContext;
  readonly #orders: AuditedOrders;
  readonly #positions: AuditedPositions;

  constructor(market: AuditedMarket) {
    this.#shared = new AuditedContext(market);
    this.#orders = new AuditedOrders(this.#shared);
    this.#positions = new AuditedPositions(this.#shared);
  }

  get house(): House {
    return this.#shared.house;
  }

  addAccount(opened: OpenedAccount): void {
    this.house.external -= opened.deposit;
    const account = accountOf(opened);
    const main = this.accounts.find(({ accountId }) => accountId === opened.ownerId);
    if (main) account.isRestricted = main.isRestricted;
    this.accounts.push(account);
  }

  accountOf(accountId: string): AuditedAccount | undefined {
    return this.accounts.find((account) => account.accountId === accountId && !account.isDeleted);
  }

  /**
   * The required outcome of the command; applies its changes. `ids`: those that the engine drew for it, one of which
   * names an opening at once, because positions of one moment differ by their ids alone (A111).
   */
  settle(accountId: string, command: Command, instant: Instant, ids: readonly string[] = []): Verdict {
    this.#shared.ids = ids;
    this.#shared.instant = { book: () => undefined, ...instant };
    const account = this.accountOf(accountId);
    if (!account) return ['not_found'];
    this.#shared.touched = new Set();
    if (command.kind !== 'fund' && this.#isFundingDue(account)) return ['funding_first'];
    const { length: before } = account.fills;
    const verdict = isOfUser(command)
      ? this.#judgeUser(account, command, instant)
      : account.isArchived
        ? ['account_archived']
        : this.#judge(account, command, instant);
    if (verdict.length > 0) return verdict;
    account.version += 1;
    for (const fill of account.fills.slice(before))
      fill.source = this.#shared.instant.quote(fill.of.symbol)?.source ?? null;
    for (const row of this.#shared.touched) {
      row.version += 1;
      row.accountVersion = account.version;
    }
    return verdict;
  }

  /** A command that comes before what is due would let its trader leave without paying (A113). */
  #isFundingDue(account: AuditedAccount): boolean {
    if (account.terms.rules !== 'perpetual') return false;
    return new NetJudge(this.#shared.netTools, account, this.#shared.instant, []).isFundingDue;
  }

  /** Its owner sets limits, which is a change without a decision. */
  setOwn(accountId: string, requested: AuditedOwnLimits, at: number): void {
    const account = this.accountOf(accountId);
    if (!account || account.isArchived) return;
    changeOwn(account, requested, at);
    account.version += 1;
  }

  /** Archives the account, which is a change without a decision. */
  archive(accountId: string): void {
    const account = this.accountOf(accountId);
    if (!account || account.isArchived) return;
    account.isArchived = true;
    account.version += 1;
  }

  /** Accounts that a command about their user has not reached, although it has reached another one of the user. */
  get leftOut(): readonly string[] {
    return [...this.#following.values()].flatMap(({ accounts }) =>
      accounts.map(({ accountId }) => accountId),
    );
  }

  /**
   * A72, A73 and A112: a restriction and a deletion concern all accounts of the user or none. The main account is first,
   * and the others have to follow with the same command.
   */
  #judgeUser(account: AuditedAccount, command: CommandOfUser, instant: Instant): Verdict {
    const { ownerId, accountId } = account;
    const following = this.#following.get(ownerId);
    if (!following) {
      if (accountId !== ownerId) return ['main_account_first'];
      const others = this.accounts.filter(
        (other) => other.ownerId === ownerId && other !== account && !other.isDeleted,
      );
      const faults = [account, ...others].flatMap((one) => this.#userFaults(one, command, instant));
      if (faults.length > 0) return faults;
      if (others.length > 0) this.#following.set(ownerId, { command, accounts: others });
    } else {
      if (following.command !== command || !following.accounts.includes(account)) return ['others_first'];
      const accounts = following.accounts.filter((other) => other !== account);
      if (accounts.length === 0) this.#following.delete(ownerId);
      else this.#following.set(ownerId, { command, accounts });
    }
    if (command.kind === 'restrict') this.#restrict(account, command.restricted);
    else this.#delete(account, instant);
    return accepted;
  }

  #userFaults(account: AuditedAccount, command: CommandOfUser, instant: Instant): readonly string[] {
    const faults = isGoodReason(command.reason) ? [] : ['reason_required'];
    if (command.kind === 'delete') return [...faults, ...endingFaults(account.positions, instant)];
    if (account.isRestricted === command.restricted) faults.push('restriction_unchanged');
    return faults;
  }

  #judge(account: AuditedAccount, command: Exclude<Command, CommandOfUser>, instant: Instant): Verdict {
    if (isAfterContest(account, command.kind, instant.at)) return ['contest_over'];
    const isNet = account.terms.rules === 'perpetual';
    this.#shared.own = isNet
      ? []
      : ownFaults(account, instant.at, (symbol) => instant.quote(symbol)?.price, null);
    const net = isNet ? this.#judgeNet(account, command) : null;
    if (net) return net;
    if (!isNet && statesNetTerms(command)) return ['not_perpetual'];
    switch (command.kind) {
      case 'open':
        return this.#orders.openByClick(account, command, instant);
      case 'place':
        return command.leverage === null
          ? ['leverage_invalid']
          : this.#orders.place(account, { ...command, leverage: command.leverage }, instant);
      case 'fill':
        return this.#orders.fill(account, command.orderId, command.price, instant);
      case 'cancel':
        return this.#orders.cancel(account, command.orderId);
      case 'amend':
        return this.#orders.amend(account, command, instant);
      case 'protect':
        return this.#positions.protect(account, command.positionId, command, instant);
      case 'close':
        return this.#positions.close(account, command, instant);
      case 'reverse':
        return this.#positions.reverse(account, command, instant);
      case 'close_at_reopen':
        return this.#positions.leave(account, command, instant);
      case 'trigger':
        return this.#positions.mark(account, command, instant);
      case 'adjust':
        return this.#adjust(account, command);
      case 'edit':
        return editPosition(this, account, command, instant.at, (position) => this.#shared.touch(position));
      case 'set_leverage':
      case 'adjust_margin':
      case 'expire':
      case 'follow':
      case 'fund':
        return ['not_perpetual'];
      case 'reset':
        return this.#reset(account, command, instant);
      case 'close_out':
        return this.#closeOut(account, command.marks, instant);
      case 'judge':
        return this.#judgeChallenge(account, command, instant);
    }
  }

  /** In a copy first, with a house of its own: what is refused changes nothing. */
  #judgeNet(account: AuditedAccount, command: Command): Verdict | null {
    const [copy, house] = [structuredClone(account), { ...this.house }];
    const tried = new NetJudge(this.#shared.netTools, copy, this.#shared.instant, this.#shared.ids).judge(
      command,
    );
    Object.assign(this.house, house);
    this.#shared.touched = new Set();
    if (tried === null || tried.length > 0) return tried;
    return new NetJudge(this.#shared.netTools, account, this.#shared.instant, this.#shared.ids).judge(
      command,
    );
  }

  pairOf(symbol: string): AuditedPair | undefined {
    return this.#shared.pairOf(symbol);
  }

  #fund(account: AuditedAccount, amount: bigint): void {
    account.balance += amount;
    this.house.external -= amount;
    if (amount !== 0n) {
      account.lines.push({ type: amount > 0n ? 'deposit' : 'withdrawal', amount, of: null });
      account.payments.push({ at: this.#shared.instant.at, amount });
    }
  }

  #adjust(account: AuditedAccount, command: Extract<Command, { kind: 'adjust' }>): Verdict {
    const { reason, sets } = command;
    const amount = sets === 'balance' ? command.amount - account.balance : command.amount;
    const faults = fundFaults(account, amount, reason);
    if (sets === 'balance' && command.amount < 0n) faults.push('funds_amount_invalid');
    if (sets === 'balance' && command.amount >= 0n && amount === 0n) {
      return faults.includes('reason_required')
        ? ['reason_required', 'funds_unchanged']
        : ['funds_unchanged'];
    }
    if (faults.length > 0) return faults;
    this.#fund(account, amount);
    account.notices.push('funds_changed');
    return accepted;
  }

  #restrict(account: AuditedAccount, isRestricted: boolean): void {
    account.isRestricted = isRestricted;
    account.notices.push(isRestricted ? 'restricted' : 'restriction_lifted');
    if (!isRestricted) return;
    for (const order of account.orders) {
      if (!isOrderWaiting(order)) continue;
      this.#orders.release(order);
      account.notices.push('order_canceled');
    }
  }

  #end(account: AuditedAccount, reason: 'manual' | 'staff' | 'program_end', instant: Instant): void {
    for (const order of account.orders) if (isOrderWaiting(order)) this.#orders.release(order);
    for (const position of [...account.positions]) {
      if (position.closing) continue;
      const closing = { ...closePriceOf(position, instant.quote(position.symbol)), reason, at: instant.at };
      this.#shared.closer.settleSides(account, position.symbol, closing, false);
      if (!position.closing) this.#shared.closer.closeAt(account, position, closing);
    }
  }

  // Programs

  /** Everything ends at the marks, on no book. */
  #endAt(account: AuditedAccount, marks: Marks, { at }: Instant): void {
    const quote = (symbol: string) => {
      const mark = marks[symbol];
      const [stale, marketOpen] = [mark?.state !== 'live', mark?.state !== 'shut'];
      return mark && { price: mark.price, held: false, stale, marketOpen, source: mark.source };
    };
    this.#shared.instant = { at, quote, book: () => undefined };
    this.#end(account, 'program_end', this.#shared.instant);
  }

  #closeOut(account: AuditedAccount, marks: Marks, instant: Instant): Verdict {
    const { limits } = account.terms;
    const hasEnded =
      limits?.setBy === 'contest' && limits.opensUntil !== null && instant.at >= limits.opensUntil;
    if (!hasEnded) return ['not_due'];
    this.#endAt(account, marks, instant);
    return accepted;
  }

  /** The verdict is of the account as it is by now, at the instant that the command states. */
  #judgeChallenge(account: AuditedAccount, command: JudgeCommand, instant: Instant): Verdict {
    const judged = this.challenges.judge(account, command);
    if ('faults' in judged) return judged.faults;
    this.#endAt(account, command.marks, instant);
    account.verdict = judged.verdict;
    account.isArchived = true;
    account.notices.push(judged.verdict.outcome === 'passed' ? 'challenge_passed' : 'challenge_failed');
    return accepted;
  }

  #reset(
    account: AuditedAccount,
    { startBalance, reason }: Extract<Command, { kind: 'reset' }>,
    instant: Instant,
  ): Verdict {
    const faults = [
      ...(reason !== undefined && !isGoodReason(reason) ? ['reason_required'] : []),
      ...(account.isRestricted ? ['account_restricted'] : []),
      ...endingFaults(account.positions, instant),
    ];
    if (faults.length > 0) return faults;
    this.#end(account, 'manual', instant);
    this.#fund(account, startBalance - account.balance);
    if (reason !== undefined) account.notices.push('account_reset');
    return accepted;
  }

  #delete(account: AuditedAccount, instant: Instant): void {
    this.#end(account, 'staff', instant);
    this.#fund(account, -account.balance);
    account.isDeleted = true;
  }
}
