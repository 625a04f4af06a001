/**
 * The auditor's challenges (A112): it values every account in a challenge at every tick, and states which tick has to decide. The engine's judgement has
 * to be of that instant, by the same peak and the same day, and none may be missing. Money is that of the auditor's own accounts.
 *
 * After a failure the engine may have forgotten peaks; then the state that a judgement names is taken, if it is of the right day, and its verdict is
 * judged (`isExact`).
 */
import type { JudgeCommand } from '@fulcrum/domain';
import { worthOf } from './audited-sides.ts';
import {
  type AuditedStep,
  dayOf,
  endStepDay,
  isStepLocked,
  judgeStep,
  type StepNow,
  type StepPast,
  type StepVerdict,
  stepBegins,
} from './audited-step.ts';
import type { AuditedAccount } from './ledger-book.ts';

interface ChallengeQuote {
  readonly price: bigint;
  readonly stale: boolean;
  readonly held: boolean;
  readonly marketOpen: boolean;
}
export interface ChallengeInstant {
  readonly at: number;
  quote(symbol: string): ChallengeQuote | undefined;
}

/** What a judgement has to name. */
interface Asked {
  readonly at: number;
  readonly endsDay: boolean;
  readonly past: StepPast;
  readonly marks: Readonly<Record<string, { readonly price: bigint; readonly state: string }>>;
  /** A time limit is judged within a second, so an earlier judgement of the same account may find it. */
  readonly isRequired: boolean;
}

interface Entry {
  past: StepPast;
  /** One of them has been asked for, and is not decided. */
  asked: Asked[];
  /** Of a day that ended meanwhile. */
  owed: Asked | null;
  /** False after a gap until every open market of the account has a price again, or a minute has passed since the deadline. */
  isPriced: boolean;
  /** The first sweep after the gap. */
  waitsSince: number | null;
  /** Since the gap no sweep has judged it. */
  isUnjudged: boolean;
  changedAt: number;
}

const waitsAtMost = 60_000;

/** The engine's columns are floats, in which a peak may be passed over by so little. */
const peakError = 100n;

export type Judged = { readonly faults: readonly string[] } | { readonly verdict: StepVerdict };

export class AuditedChallenges {
  readonly #accounts: readonly AuditedAccount[];
  readonly #entries = new Map<string, Entry>();
  /** The last price of each symbol that could trade. */
  readonly #last = new Map<string, bigint>();
  #held = new Set<string>();
  #sweptAt: number = 0;
  isExact: boolean = true;

  constructor(accounts: readonly AuditedAccount[]) {
    this.#accounts = accounts;
  }

  begin(accountId: string, at: number): void {
    const account = this.#accounts.find((one) => one.accountId === accountId);
    if (!account) return;
    const past = stepBegins(account.balance, at, account.terms.limits?.deadline ?? null);
    this.#entries.set(accountId, {
      ...{ past, asked: [], owed: null, isPriced: true, waitsSince: null },
      ...{ isUnjudged: false, changedAt: at },
    });
  }

  *#open(): Generator<readonly [AuditedAccount, Entry]> {
    for (const account of this.#accounts) {
      const entry = this.#entries.get(account.accountId);
      if (entry && !account.isArchived && !account.isDeleted) yield [account, entry];
    }
  }

  /** The engine has passed no second lately: what was seen before is of before the gap. */
  onGap(): void {
    for (const [, entry] of this.#open()) {
      entry.isPriced = false;
      entry.waitsSince = null;
      if (!isDue(entry, this.#sweptAt)) entry.isUnjudged = true;
    }
  }

  onTick(symbol: string, instant: ChallengeInstant): void {
    this.#endDays(instant);
    const quote = instant.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    this.#last.set(symbol, quote.price);
    for (const [account, entry] of this.#open()) {
      const holds = account.positions.some((row) => row.symbol === symbol && !row.closing);
      if (holds && entry.isPriced) this.#see(account, entry, instant, false);
    }
  }

  /** The first decision of a day, too, comes after its end. */
  onDeciding(instant: ChallengeInstant): void {
    this.#endDays(instant);
  }

  /** Once a second every price that is in use counts as one more tick. */
  onSweep(instant: ChallengeInstant): void {
    this.#sweptAt = instant.at;
    for (const symbol of this.#held) this.onTick(symbol, instant);
    for (const [account, entry] of this.#open()) if (!entry.isPriced) this.#endGap(account, entry, instant);
    this.#endDays(instant);
    for (const [account, entry] of this.#open()) {
      if (entry.owed && entry.asked.length === 0) {
        entry.asked = [entry.owed];
        entry.owed = null;
      }
      const isDueNow = isDue(entry, instant.at);
      if (isDueNow) this.#passLate(account, entry, instant);
      if (entry.isPriced && this.#waits(account, entry, instant)) {
        entry.isPriced = false;
        entry.waitsSince = instant.at;
      }
      if (!isJudged(account, entry)) continue;
      if (isDueNow || entry.isUnjudged) this.#see(account, entry, instant, true);
      if (entry.isPriced) entry.isUnjudged = false;
    }
  }

  /** Commands have changed the account. */
  onChanged(accountId: string, instant: ChallengeInstant): void {
    const before = this.#held;
    this.#held = new Set();
    for (const [{ positions }] of this.#open())
      for (const { symbol, closing } of positions) if (!closing) this.#held.add(symbol);
    for (const symbol of this.#held) {
      const quote = before.has(symbol) ? undefined : instant.quote(symbol);
      if (quote) this.#last.set(symbol, quote.price);
    }
    for (const [account, entry] of this.#open()) {
      if (account.accountId !== accountId) continue;
      entry.changedAt = instant.at;
      if (isJudged(account, entry)) this.#see(account, entry, instant, true);
    }
  }

  /** What the engine was due to judge and has not. */
  *missing(): Generator<string> {
    if (!this.isExact) return;
    for (const [{ accountId }, { asked }] of this.#open()) {
      const due = asked.find(({ isRequired }) => isRequired);
      if (due) yield `the challenge of ${accountId} had to be judged at ${due.at}, and was not`;
    }
  }

  judge(account: AuditedAccount, command: JudgeCommand): Judged {
    const entry = this.#entries.get(account.accountId);
    const step = account.terms.limits?.step;
    if (!entry || !step) return { faults: ['not_due'] };
    const { at, endsDay, marks } = command;
    // A tick of a deadline and a change of the account may fall on one millisecond.
    const asked = entry.asked.filter((one) => one.at === at && one.endsDay === endsDay);
    const exact = asked.map((one) => sameAs(one, command, step));
    const past = this.isExact
      ? (exact.find((one) => typeof one !== 'string') ?? exact[0])
      : pastOf(command, entry.past);
    if (typeof past === 'string') return { faults: [past] };
    if (!past) return { faults: [`no judgement at ${at}`] };
    entry.asked = [];
    const standing = this.#standing(account, (symbol) => marks[symbol]?.price);
    const now = { ...standing, days: openedDays(account, endsDay ? at - 1 : at), at, endsDay };
    const verdict = judgeStep(step, past, now);
    return verdict ? { verdict } : { faults: ['not_due'] };
  }

  #standing(
    account: AuditedAccount,
    markOf: (symbol: string) => bigint | undefined = (symbol) => this.#last.get(symbol),
  ): Omit<StepNow, 'at' | 'endsDay'> {
    const { balance, positions } = account;
    const days = openedDays(account, Number.POSITIVE_INFINITY);
    return { balance, equity: balance + worthOf(positions, markOf), days };
  }

  #askedOf(
    account: AuditedAccount,
    past: StepPast,
    instant: ChallengeInstant,
    endsDay: boolean,
  ): Asked | null {
    const step = account.terms.limits?.step;
    const at = endsDay ? dayOf(instant.at) : instant.at;
    const verdict = step && judgeStep(step, past, { ...this.#standing(account), at, endsDay });
    if (!verdict) return null;
    const marks: Record<string, Asked['marks'][string]> = {};
    for (const { symbol, closing } of account.positions) {
      const quote = instant.quote(symbol);
      const price = this.#last.get(symbol) ?? quote?.price;
      if (!closing && price !== undefined) marks[symbol] = { price, state: stateOf(quote) };
    }
    return { at, endsDay, past: { ...past }, marks, isRequired: verdict.rule !== 'time_limit' };
  }

  /** Its equity at the last prices. */
  #see(account: AuditedAccount, entry: Entry, instant: ChallengeInstant, isRequired: boolean): void {
    const { past } = entry;
    const { equity } = this.#standing(account);
    if (equity > past.peak) past.peak = equity;
    if (entry.asked.some((asked) => asked.isRequired) || this.#waits(account, entry, instant)) return;
    const asked = this.#askedOf(account, past, instant, false);
    if (asked) entry.asked.push({ ...asked, isRequired: asked.isRequired || isRequired });
  }

  /** A pass before the deadline counts, though the gap hid it: of what has not changed since, at the last prices, just before the deadline. */
  #passLate(account: AuditedAccount, entry: Entry, instant: ChallengeInstant): void {
    const { deadline } = entry.past;
    const step = account.terms.limits?.step;
    if (!entry.isUnjudged || deadline === null || !step || entry.asked.length > 0) return;
    entry.isUnjudged = false;
    if (entry.changedAt >= deadline) return;
    const at = deadline - 1;
    const verdict = judgeStep(step, entry.past, { ...this.#standing(account), at, endsDay: false });
    const asked =
      verdict?.outcome === 'passed' &&
      this.#askedOf(account, entry.past, { at, quote: (symbol) => instant.quote(symbol) }, false);
    if (asked) entry.asked = [{ ...asked, isRequired: true }];
  }

  /** At its deadline, while an open market of the account is silent. */
  #waits({ positions }: AuditedAccount, { past }: Entry, instant: ChallengeInstant): boolean {
    const { deadline } = past;
    if (deadline === null || instant.at < deadline || instant.at >= deadline + waitsAtMost) return false;
    return positions.some((row) => !row.closing && isSilent(instant.quote(row.symbol)));
  }

  #endDays(instant: ChallengeInstant): void {
    const midnight = dayOf(instant.at);
    for (const [account, entry] of this.#open()) {
      const { past } = entry;
      if (!entry.isPriced || dayOf(past.day.begins) >= midnight) continue;
      if (this.#waits(account, entry, instant)) continue;
      if (isDue(entry, midnight)) this.#passLate(account, entry, instant);
      const { balance, equity } = this.#standing(account);
      if (equity > past.peak) past.peak = equity;
      const asked = this.#askedOf(account, past, instant, true);
      if (asked && entry.asked.length === 0) entry.asked = [{ ...asked, isRequired: true }];
      else entry.owed ??= asked && { ...asked, isRequired: true };
      endStepDay(past, midnight, balance, equity);
    }
  }

  #endGap({ positions }: AuditedAccount, entry: Entry, instant: ChallengeInstant): void {
    const { deadline } = entry.past;
    entry.waitsSince ??= instant.at;
    const isLate = deadline !== null && instant.at >= Math.max(deadline, entry.waitsSince) + waitsAtMost;
    let isPriced = true;
    for (const symbol of new Set(positions.flatMap((row) => (row.closing ? [] : [row.symbol])))) {
      const quote = instant.quote(symbol);
      if (!isLate && isSilent(quote)) isPriced = false;
      else if (quote) this.#last.set(symbol, quote.price);
    }
    entry.isPriced = isPriced;
    if (isPriced) entry.waitsSince = null;
  }
}

/** How many days have an opening, until the day of `at`. A decision may come after the midnight that follows what it judges. */
function openedDays({ fills }: AuditedAccount, at: number): number {
  const opened = fills.filter(({ of, pnl }) => pnl === null && of.splitFrom === null);
  const flipped = fills.filter(({ flippedFrom }) => flippedFrom !== null);
  const days = new Set([...opened, ...flipped].map(({ of }) => dayOf(of.createdAt)));
  return [...days].filter((day) => day <= at).length;
}

const isDue = ({ past: { deadline } }: Entry, at: number): boolean => deadline !== null && deadline <= at;
const isSilent = (quote: ChallengeQuote | undefined): boolean => !quote || (quote.marketOpen && quote.stale);
/** What holds nothing needs no price. */
const isJudged = ({ positions }: AuditedAccount, { isPriced }: Entry): boolean =>
  isPriced || positions.every(({ closing }) => closing !== null);

function stateOf(quote: ChallengeQuote | undefined): string {
  if (quote?.held) return 'held';
  if (quote?.marketOpen === false) return 'shut';
  return quote && !quote.stale ? 'live' : 'old';
}

/** Whether both peaks give the same floor: only a trailing one that is not locked follows them. */
function isSamePeak({ maxLoss }: AuditedStep, past: StepPast, peak: bigint): boolean {
  if (maxLoss.mode !== 'trailing_intraday') return true;
  if (isStepLocked(maxLoss, past, past.peak) && isStepLocked(maxLoss, past, peak)) return true;
  return past.peak - peak <= peakError && peak - past.peak <= peakError;
}

/** The auditor's own past, or what the engine's differs in. */
function sameAs(
  { past, marks }: Asked,
  { state, marks: named }: JudgeCommand,
  step: AuditedStep,
): StepPast | string {
  const { day } = past;
  const wrong = [
    ...(state.initial === past.initial ? [] : ['initial']),
    ...(state.deadline === past.deadline ? [] : ['deadline']),
    ...(state.day.begins === day.begins && state.day.balance === day.balance ? [] : ['day']),
    ...(state.day.equity === day.equity ? [] : ['equity of the day']),
    ...(isSamePeak(step, past, state.peak) ? [] : [`peak than ${past.peak}`]),
    ...(Object.keys(marks).length === Object.keys(named).length ? [] : ['marks']),
    ...Object.entries(marks).flatMap(([symbol, { price, state: how }]) =>
      named[symbol]?.price === price && named[symbol].state === how ? [] : [`mark of ${symbol}`],
    ),
  ];
  if (wrong.length > 0) return `another ${wrong.join(', ')}`;
  return { ...past, peak: state.peak };
}

/** The engine's, after the days that the auditor has seen end by the instant that is judged; or that its day is not that of then. A gap ends no day. */
function pastOf({ at, endsDay, state }: JudgeCommand, seen: StepPast): StepPast | string {
  const { initial, deadline, peak, day } = state;
  const days = [...seen.former, seen.day];
  const index = days.findLastIndex(({ begins }) => begins <= (endsDay ? at - 1 : at));
  if (days[index]?.begins !== day.begins) return 'another day';
  return { ...{ initial, deadline, peak, day }, former: days.slice(0, index) };
}
