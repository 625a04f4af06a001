/**
 * The accounts in challenges, their days and peaks: a tick moves their equity (`equity-columns.ts`), and only those whom it brings near a
 * limit are reckoned exactly (`judgements.ts`). Invariants: an entry is a hint, the engine's decision judges the account again at the same
 * marks; a peak is of what is committed by now; an account waits for at most one judgement. What nobody in a challenge holds costs one look-up.
 *
 * Known limitations: a peak is of a tick that this server had, so a time without a server has none, and a crash forgets those of the last
 * `storesEveryMs`. A day begins at the last prices before midnight, or, after
 * a halt or a time without a server, at the first ones that trade in all open markets of the account, which has no peak and is not judged until
 * then, unless it holds nothing; what it closes and opens before counts for the former day. At its deadline an account waits for prices at most
 * `endWaitsForPricesMs`: then the last accepted ones decide. One that was not judged before passes by those of its deadline, if it has not changed since.
 */
import {
  type AccountChallenge,
  type ChallengeState,
  challengeDayOf,
  dayMs,
  endWaitsForPricesMs,
  type JudgeCommand,
  type Position,
  type Price,
  type Wallet,
  withNewDay,
  withTradingDays,
} from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';
import { EquityColumns } from './equity-columns.ts';
import { countOpening, isOver, markUnjudged, type QuoteOf, type Row } from './equity-row.ts';
import { isSilent, type Judgement, judge, judgeOwed, toJudgeCommand } from './judgements.ts';

interface StoredState {
  readonly accountId: string;
  readonly state: ChallengeState;
}

export interface Entrant {
  readonly wallet: Wallet;
  readonly positions: Iterable<Position>;
}

/** Peaks are stored that often; the begin of a day at once. */
export const storesEveryMs = 10_000;
/** Without a pass for longer, by a halt or a time without a server, the last prices are of before a gap. */
const gapMs = 5_000;

export class EquityBook {
  readonly #rows = new Map<string, Row>();
  readonly #columns = new EquityColumns();
  /** Judgements of what was never committed. */
  readonly #void = new WeakSet<JudgeCommand>();
  #nextDay = 0;
  #passedAt = 0;
  #storedAt = 0;

  /** The number of accounts. */
  get size(): number {
    return this.#rows.size;
  }

  has(accountId: string): boolean {
    return this.#rows.has(accountId);
  }

  /** From the stored account; of one that is known the state in memory stays, which is never behind. */
  arm(
    { wallet, positions }: Entrant,
    { step, state, tradedOn, changedAt }: Omit<AccountChallenge, 'programId'>,
    quoteOf: QuoteOf,
  ): void {
    const known = this.#rows.get(wallet.accountId);
    if (known) this.#columns.reckonPeak(known);
    const row = known ?? this.#columns.add(wallet, step, state);
    this.#rows.set(wallet.accountId, row);
    row.tradedOn = tradedOn;
    row.state = withTradingDays(row.state, tradedOn);
    row.awaits = 'nothing';
    markUnjudged(row, this.#passedAt);
    row.changedAt = Math.max(row.changedAt, changedAt);
    this.#columns.hold(row, wallet, [...positions], quoteOf);
    if (!known && !this.#takePrices(row, quoteOf)) this.#columns.mute(row);
    // The next pass ends the days that passed without a server, or while it was read.
    if (challengeDayOf(row.state.day.begins) + dayMs < this.#nextDay) this.#nextDay = 0;
  }

  /**
   * A decision changed the account, which `confirm` or `abandon` follows; `opens`: it opened something. Nothing for an account
   * that is not here.
   */
  follow({ wallet, positions }: Entrant, opens: boolean, at: number, quoteOf: QuoteOf): void {
    const row = this.#rows.get(wallet.accountId);
    if (!row) return;
    // Of what it held until now.
    this.#begin(row);
    if (opens) countOpening(row, challengeDayOf(at));
    row.changedAt = at;
    this.#columns.hold(row, wallet, [...positions], quoteOf);
  }

  /** A decision ended the account; the caller disarms it once that is committed. */
  end(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    this.#begin(row);
    row.awaits = 'decision';
  }

  #begin(row: Row): void {
    this.#columns.reckonPeak(row);
    const { state, tradedOn, wallet, positions, owed } = row;
    row.committed ??= { state, tradedOn, wallet, positions, owed };
  }

  /** What it follows is committed. */
  confirm(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    row.committed = null;
    row.unsure = null;
  }

  /** What it followed is not committed, or its fate is unknown: it has no peak and no judgement until `arm`. */
  abandon(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row?.committed) return;
    const { state, tradedOn, wallet, owed } = row.committed;
    if (row.unsure) this.#void.add(row.unsure);
    this.#columns.dropPeak(row);
    row.state = state;
    row.tradedOn = tradedOn;
    row.owed = owed;
    row.committed = null;
    row.unsure = null;
    row.awaits = 'reading';
    // `arm` has what it holds.
    this.#columns.hold(row, wallet, [], () => undefined);
  }

  /**
   * The command with the days of what was opened since it was sent, which is in the balance that it judges. `openedOn`: the day on which the
   * batch that decides it opened something; null for nothing.
   */
  withOpenings({ trigger: { accountId }, command }: Judgement, openedOn: number | null): JudgeCommand {
    const row = this.#rows.get(accountId);
    if (!row) return command;
    const { at, endsDay, state } = command;
    const judged = challengeDayOf(endsDay ? at - 1 : at);
    const tradedOn = openedOn === null ? row.tradedOn : [...new Set([...row.tradedOn, openedOn])];
    return {
      ...command,
      state: withTradingDays(
        state,
        tradedOn.filter((day) => day <= judged),
      ),
    };
  }

  /** Whether it judges what was never committed, and is not decided. */
  isVoid(command: JudgeCommand): boolean {
    return this.#void.has(command);
  }

  /** The judgement was decided, and the account goes on. */
  settle({ trigger: { accountId }, command }: Judgement): void {
    const row = this.#rows.get(accountId);
    if (row?.awaits === 'decision' && !this.isVoid(command)) row.awaits = 'nothing';
  }

  disarm(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    this.#rows.delete(accountId);
    this.#columns.remove(row);
  }

  forgetSlots(slots: ReadonlySet<number>): void {
    for (const accountId of [...this.#rows.keys()]) if (slots.has(slotOf(accountId))) this.disarm(accountId);
  }

  /** A price that may trade. Whose challenge it may decide, by exact arithmetic. */
  tick(symbol: string, price: Price, at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    const near = this.#columns.tick(symbol, price);
    return near?.flatMap((row) => judge(this.#columns, row, at, quoteOf) ?? []) ?? [];
  }

  /** Exactly, after a change of the account. */
  check(accountId: string, at: number, quoteOf: QuoteOf): Judgement | null {
    const row = this.#rows.get(accountId);
    return row ? judge(this.#columns, row, at, quoteOf) : null;
  }

  /** Ends the days of which the midnight has passed, and steps whose time is over; judges who was not; a part of the columns is reckoned anew. */
  pass(at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    this.#passedAt = at;
    for (const row of this.#rows.values()) if (!row.isPriced) this.#endGap(row, at, quoteOf);
    const judged = this.passDay(at, quoteOf);
    for (const row of this.#rows.values()) {
      const owed = judgeOwed(row);
      if (owed) judged.push(owed);
      const judgement = row.isUnjudged || isOver(row, at) ? judge(this.#columns, row, at, quoteOf) : null;
      if (judgement) judged.push(judgement);
    }
    this.#columns.rebaseNext();
    return judged;
  }

  /** The same of days alone: before the first price of a day, and before its first decision. */
  passDay(at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    if (at < this.#nextDay) return [];
    this.#nextDay = challengeDayOf(at) + dayMs;
    return [...this.#rows.values()].flatMap((row) => this.#endDay(row, at, quoteOf) ?? []);
  }

  #noteGap(at: number): void {
    if (at - this.#passedAt <= gapMs) return;
    // A shorter one is part of the minute, so that a slow server decides too.
    const before = this.#passedAt;
    const isLong = at - before > endWaitsForPricesMs;
    this.#passedAt = at;
    for (const row of this.#rows.values()) {
      this.#columns.mute(row);
      markUnjudged(row, before);
      if (isLong) row.waitsSince = null;
    }
  }

  #endGap(row: Row, at: number, quoteOf: QuoteOf): void {
    row.waitsSince ??= at;
    const { deadline } = row.state;
    const isLate = deadline !== null && at >= Math.max(deadline, row.waitsSince) + endWaitsForPricesMs;
    if (!this.#takePrices(row, quoteOf, isLate)) return;
    row.isPriced = true;
    row.waitsSince = null;
    this.#columns.rebase(row);
    if (challengeDayOf(row.state.day.begins) + dayMs < this.#nextDay) this.#nextDay = 0;
  }

  /**
   * The present prices of what it holds, that of a market which is shut being its last one. False while an open market has none that may trade,
   * unless the last accepted ones count too.
   */
  #takePrices(row: Row, quoteOf: QuoteOf, countsOld = false): boolean {
    let isPriced = true;
    for (const holders of row.seats.keys()) {
      const quote = quoteOf(holders.symbol);
      if (!countsOld && isSilent(quote)) isPriced = false;
      else if (quote) this.#columns.moveTo(holders, Number(quote.price));
    }
    return isPriced;
  }

  #endDay(row: Row, at: number, quoteOf: QuoteOf): Judgement | null {
    const midnight = challengeDayOf(at);
    if (row.awaits === 'reading' || !row.isPriced) return null;
    if (challengeDayOf(row.state.day.begins) >= midnight) return null;
    const judgement = judge(this.#columns, row, at, quoteOf, midnight);
    if (!row.isPriced) return judgement;
    for (const held of [row, row.committed]) {
      if (!held) continue;
      if (!judgement || held !== row)
        held.owed ??= toJudgeCommand({
          ...{ columns: this.#columns, step: row.step, held },
          ...{ at: midnight, quoteOf, endsDay: true },
        });
      const newDay = withNewDay(held.state, { at: midnight, ...this.#columns.standingOf(held, quoteOf) });
      held.state = withTradingDays(newDay, held.tradedOn);
    }
    row.unstored = 'now';
    this.#columns.rebase(row);
    return judgement;
  }

  /** States that memory is ahead with, at most `max`, each in its order. They stay until `stored`. */
  unstored(at: number, max: number): StoredState[] {
    const withPeaks = at - this.#storedAt >= storesEveryMs;
    const found: StoredState[] = [];
    for (const row of this.#rows.values()) {
      if (found.length >= max) break;
      if (row.committed) continue;
      if (withPeaks) this.#columns.reckonPeak(row);
      if (row.unstored === 'now' || (withPeaks && row.unstored === 'soon')) found.push(row);
    }
    // The rest follows with the next call, before these.
    if (withPeaks && found.length < max) this.#storedAt = at;
    return found.map(({ accountId, state }) => {
      const row = this.#rows.get(accountId);
      this.#rows.delete(accountId);
      if (row) this.#rows.set(accountId, row);
      return { accountId, state };
    });
  }

  /** All of them, of accounts that another engine, or the next start, goes on with. */
  ahead(isConcerned: (accountId: string) => boolean): StoredState[] {
    const rows = [...this.#rows.values()].filter(({ accountId }) => isConcerned(accountId));
    for (const row of rows) this.#columns.reckonPeak(row);
    return rows
      .filter(({ unstored }) => unstored !== 'no')
      .map(({ accountId, state }) => ({ accountId, state }));
  }

  /** The same states are stored now. */
  stored(states: readonly StoredState[]): void {
    for (const { accountId, state } of states) {
      const row = this.#rows.get(accountId);
      if (row?.state === state) row.unstored = 'no';
    }
  }
}
