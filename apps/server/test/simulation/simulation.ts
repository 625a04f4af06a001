/**
 * Runs a scenario: real engines on the memory store, the real hub behind a hostile feed, a clock that only steps
 * advance, and the auditor beside them. Every random value comes from the scenario's seed, so the same scenario always
 * takes the same course, to the last id.
 *
 * With several engines each owns slots. A slot moves while commands and prices arrive, and an engine may be ended at any time; then
 * another one takes its slots. Half of the times the taker serves them at once and arms what waits there page by page, as in a cluster. Now and
 * then an engine does not believe any more that it lives, and takes nothing until it does.
 */
import {
  asFeeRate,
  asPercent,
  type ClosingMark,
  changeOwnLimits,
  dayMs,
  equityOf,
  MAX_LEVERAGE,
  orderTriggerOf,
  triggersOf,
  utcDayStart,
} from '@fulcrum/domain';
import type { CommandLogEntry } from '../../src/features/trading/engine/command-log.ts';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { allSlots } from '../../src/features/trading/engine/slots.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { ledgerHash } from '../harness/command-replay.ts';
import { Auditor } from './auditor.ts';
import { Clients, traderId } from './clients.ts';
import { compareAccount, compareHouseAccount } from './comparison.ts';
import { Faults } from './faults.ts';
import { movePrice } from './feed.ts';
import { type Desk, HandOvers } from './hand-overs.ts';
import { LedgerChecks } from './ledger-checks.ts';
import { ownLimitsOf } from './locked-accounts.ts';
import { SimulatedMarket, simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryStore } from './memory-store.ts';
import { Observer } from './observer.ts';
import { createChance } from './random.ts';
import type { Draws, Scenario, Step } from './scenario.ts';
import { addUsers, firstInstant } from './simulated-users.ts';

const log = createLog({ logLevel: 'silent' });
/** Per cent, 1e-8. */
const tolerance = 50_000_000n;
/** Between two sweeps of the engines' timers: within what an equity book takes for a gap. */
const sweepMs = 2_500;
/** Sweeps after a failure until no account is stale any more. */
const recoverySweeps = 8;

/** The difference, the steps before it, and how to reproduce it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  readonly scenario: Scenario;
  constructor(scenario: Scenario, step: number, found: readonly string[]) {
    super(`seed ${scenario.seed}, step ${step}:\n  ${found.slice(0, 8).join('\n  ')}`);
    this.scenario = scenario;
  }
}

export interface Outcome {
  readonly ledgerHash: string;
  readonly commandLog: readonly CommandLogEntry[];
  readonly database: MemoryDatabase;
  readonly settled: number;
  /** Requests of staff that an account of a program refused. */
  readonly barred: number;
  readonly crossings: number;
  readonly failures: number;
  readonly engines: number;
  /** Hand-overs of slots. */
  readonly moves: number;
  /** Batches that were written without the engine finding out, so that no command log has them. */
  readonly adopted: number;
}

/** `setImmediate` runs after all microtasks of this iteration. */
const eventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One run, step by step. */
class Run {
  readonly #scenario: Scenario;
  readonly #clock = createManualClock(firstInstant);
  readonly #chance;
  readonly #bus = createBus(log);
  readonly #database = new MemoryDatabase();
  readonly #market: SimulatedMarket;
  readonly #auditor: Auditor;
  readonly #ledger: LedgerChecks;
  readonly #observer: Observer;
  readonly #clients: Clients;
  readonly #found: string[] = [];
  readonly #accountIds: string[] = [];
  readonly #announced = new Map<string, number>();
  /** Draws of the lanes alone, so that a scenario with one engine takes its course without them. */
  readonly #laneChance;
  readonly #desks: Desk[] = [];
  readonly #handOvers: HandOvers;
  #made = 0;
  /** The engines whose reads of the market the simulator itself causes. */
  #checking: ReadonlySet<number> = new Set();
  /** Calls of the store that failed, of all engines. */
  #failures = 0;
  #step = 0;
  #sweptAt = firstInstant;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#chance = createChance(scenario.seed ^ 0x5eed);
    this.#laneChance = createChance(scenario.seed ^ 0x1a9e5);
    const pairs = scenario.pairs.flatMap((at) => simulatedPairs[at] ?? []);
    this.#market = new SimulatedMarket(pairs, { clock: this.#clock, bus: this.#bus, log });
    this.#auditor = new Auditor({ tolerancePercent: tolerance, pairs });
    const accounts = { market: this.#market, auditor: this.#auditor, accountIds: this.#accountIds };
    addUsers(scenario, { database: this.#database, ...accounts });
    this.#ledger = new LedgerChecks(this.#database);
    const report = (disagreement: string): unknown => this.#found.push(disagreement);
    this.#observer = new Observer(this.#auditor, this.#database, this.#market, report);
    this.#clients = new Clients({
      ...{ database: this.#database, market: this.#market, accountIds: this.#accountIds, report },
      desk: (accountId) => this.#deskOf(accountId),
      now: () => this.#clock.now(),
    });
    this.#bus.subscribe('market.tick', ({ symbol }) => this.#onTick(symbol));
    this.#bus.subscribe('account.changed', ({ changes }) => {
      for (const { table, record } of changes) {
        const { id, version = 0 } = record as { id: string; version?: number };
        if (table !== 'positions' && table !== 'orders') continue;
        // An engine that was ended may still announce what it wrote before another one wrote more.
        this.#announced.set(id, Math.max(version, this.#announced.get(id) ?? 0));
      }
    });
    this.#handOvers = new HandOvers({
      ...{ database: this.#database, desks: this.#desks, observer: this.#observer },
      ...{ chance: this.#laneChance, report },
    });
    for (let lane = 0; lane < scenario.engines; lane += 1) this.#desks.push(this.#makeDesk());
  }

  /** Commands of an account whose slot is free go to some engine, which refuses them. */
  #deskOf(accountId: string): Desk {
    const owner = this.#database.ownerOf(accountId);
    return this.#desks.find(({ store }) => store.epoch === owner) ?? this.#firstDesk;
  }

  get #firstDesk(): Desk {
    const [first] = this.#desks;
    if (!first) throw new RangeError('a scenario has at least one engine');
    return first;
  }

  /** The engine that a step is about. */
  #pickDesk(): Desk {
    return this.#desks.length === 1 ? this.#firstDesk : this.#laneChance.pick(this.#desks);
  }

  #makeWeather(): Faults {
    return new Faults(() => {
      this.#failures += 1;
      this.#observer.onFailure();
    });
  }

  #makeDesk(): Desk {
    const { rules, feeRate, limits } = this.#scenario;
    const terms = {
      ...{ rules, feeRate: asFeeRate(feeRate), leverageMax: MAX_LEVERAGE },
      fillProfile: 'exact',
    } as const;
    const weather = this.#makeWeather();
    const store = new MemoryStore(this.#database, weather, { terms, clock: this.#clock });
    const connection = this.#observer.connect(() => store.epoch);
    const number = this.#made;
    this.#made += 1;
    const isMember = this.#scenario.engines > 1;
    const engine = new Engine({
      ...(isMember && { lease: { isHeld: () => !desk.isLapsed } }),
      store,
      clock: this.#clock,
      bus: this.#bus,
      log,
      newId: () => this.#chance.uuid(),
      rules,
      priceTolerance: asPercent(tolerance),
      limits: { ...defaultLimits, ...limits },
      commandLog: connection.commandLog,
      marketAt: (now) => {
        const instant = this.#market.at(now);
        if (!this.#checking.has(number)) connection.onDeciding(instant);
        return instant;
      },
    });
    // A command that meets a hand-over is refused, as after a fault.
    const hasFailed = (): boolean => weather.failures > 0 || isMember;
    const desk: Desk = {
      ...{ number, weather, store, connection, engine, hasFailed },
      ...{ isGone: false, isLapsed: false },
    };
    return desk;
  }

  #sweep(): void {
    this.#sweptAt = this.#clock.now();
    this.#observer.onSweep(this.#clock.now());
    this.#checkDuring((engine) => engine.sweep());
  }

  /** While `work` runs, the simulator reads the market, and nothing is decided. */
  #checkDuring(work: (engine: Engine) => void): void {
    this.#checking = new Set(this.#desks.map(({ number }) => number));
    for (const { engine } of this.#desks) work(engine);
    this.#checking = new Set();
  }

  #onTick(symbol: string): void {
    this.#observer.onTick(symbol, this.#market.at(this.#clock.now()));
    this.#checkDuring((engine) => engine.tick(symbol));
  }

  async start(): Promise<void> {
    for (const { symbol } of this.#market.pairs)
      this.#market.report(symbol, this.#market.lastReported(symbol));
    for (const [lane, desk] of this.#desks.entries())
      await this.#startDesk(
        desk,
        allSlots.filter((slot) => slot % this.#desks.length === lane),
      );
  }

  async #startDesk({ number, engine }: Desk, slots: readonly number[]): Promise<void> {
    // Its start sweeps in the same iteration in which it has read everything.
    this.#checking = new Set([number]);
    await engine.start(slots);
    this.#checking = new Set();
  }

  /** Another engine on the same database, in place of that one. */
  async #replace(old: Desk): Promise<void> {
    this.#observer.onFailure();
    this.#announced.clear();
    if (this.#chance.happens(0.3)) this.#market.forget();
    old.isGone = true;
    const next = this.#makeDesk();
    this.#desks[this.#desks.indexOf(old)] = next;
    const slots = this.#desks.length === 1 ? allSlots : [];
    this.#database.end(old.store.epoch);
    old.connection.close();
    await this.#startDesk(next, slots);
    if (this.#desks.length > 1) await this.#takeFree(old);
  }

  /** After an engine was ended: one of the others takes its slots, or the new one. */
  async #takeFree(ended: Desk): Promise<void> {
    // What it has written by now is recorded, or never will be.
    await eventLoop();
    ended.connection.adopt();
    await this.#handOvers.end();
    const [taker, free] = [this.#pickDesk(), this.#database.slotsOf(0)];
    taker.weather.calm();
    if (free.length > 0) await this.#handOvers.take(taker, free);
  }

  async perform(steps: readonly Step[]): Promise<void> {
    for (const [i, step] of steps.entries()) {
      this.#step = i;
      await this.#perform(step);
      if (this.#found.length > 0) throw new Disagreement(this.#scenario, i, this.#found);
    }
    await this.#settle();
  }

  async #perform(step: Step): Promise<void> {
    const desk = this.#pickDesk();
    const { engine, weather } = desk;
    switch (step.kind) {
      case 'price':
        if (step.move === 'confirm') this.#observer.isDisturbed = true;
        return movePrice(
          { market: this.#market, database: this.#database, pass: (ms) => this.#pass(ms) },
          step,
        );
      case 'wait':
        // A crossing may become too old to fire.
        if (this.#desks.some((one) => one.engine.state().queued > 0 || one.weather.isHolding))
          this.#observer.isDisturbed = true;
        return this.#wait(step.ms);
      case 'request':
        return this.#clients.request(step);
      case 'resend':
        return this.#clients.resend(step.sameBody);
      case 'loops':
        for (let i = 0; i < step.loops; i += 1) await eventLoop();
        return;
      case 'settle':
        return this.#settle();
      case 'sweep':
        return this.#sweep();
      case 'fault':
        if (step.fault === 'unready') weather.unreadyFor += 1;
        else if (step.fault === 'unreadable') weather.unreadableFor += 1;
        else weather.fault(step.fault);
        return;
      case 'hold':
        return weather.hold();
      case 'release':
        return weather.release();
      case 'crash':
        return this.#crash(desk);
      case 'takeover':
        return this.#takeover(desk);
      case 'stop':
        await this.#handOvers.end();
        weather.clear();
        await engine.stop();
        return this.#replace(desk);
      case 'move':
        return this.#handOvers.move(step.draws);
      case 'archive':
        return this.#archive(step.account);
      case 'own':
        return this.#setOwnLimits(step.account, step.draws);
      case 'closeOut':
        return this.#closeOut();
      case 'midnight':
        return this.#passMidnight();
      case 'unassign': {
        const trader = this.#database.users.get(traderId(0));
        if (trader) trader.managerId = null;
      }
    }
  }

  /** Lets the time pass; with timers the engines sweep meanwhile. */
  #pass(ms: number): void {
    if (!this.#scenario.hasTimers) {
      this.#clock.advance(ms);
      return;
    }
    const until = this.#clock.now() + ms;
    while (this.#sweptAt + sweepMs <= until) {
      this.#clock.advance(Math.max(0, this.#sweptAt + sweepMs - this.#clock.now()));
      this.#sweep();
    }
    this.#clock.advance(Math.max(0, until - this.#clock.now()));
  }

  async #wait(ms: number): Promise<void> {
    if (!this.#scenario.hasTimers) return this.#pass(ms);
    for (let left = ms; left > 0; left -= sweepMs) {
      this.#pass(Math.min(left, sweepMs));
      await eventLoop();
    }
  }

  /** As the server does it: past the engine, which then reads the account again. */
  #setOwnLimits(account: number, draws: Draws): void {
    const accountId = this.#accountIds[account % this.#accountIds.length];
    const setBy = accountId && this.#database.accounts.get(accountId)?.terms?.limits?.setBy;
    // Reading it again in the middle of a judgement makes a second one of the same instant.
    if (accountId === undefined || setBy === 'challenge') return;
    const now = this.#clock.now();
    const requested = ownLimitsOf(draws);
    const stored = this.#database.ownLimits.get(accountId) ?? null;
    if (!this.#database.setOwnLimits(accountId, changeOwnLimits(stored, requested, now))) return;
    this.#observer.isDisturbed = true;
    this.#observer.onOutside(accountId, () => this.#auditor.setOwn(accountId, requested, now));
    this.#deskOf(accountId).engine.reload([accountId]);
  }

  #closeOut(): void {
    const { market, now } = { market: this.#market.at(this.#clock.now()), now: this.#clock.now() };
    for (const [accountId, { terms }] of this.#database.accounts) {
      const limits = terms?.limits;
      if (limits?.setBy !== 'contest' || limits.opensUntil === null || now < limits.opensUntil) continue;
      const marks: Record<string, ClosingMark> = {};
      for (const { symbol } of this.#market.pairs) {
        const quote = market.quote(symbol);
        const state = quote?.held ? 'held' : quote?.marketOpen ? (quote.stale ? 'old' : 'live') : 'shut';
        if (quote) marks[symbol] = { price: quote.price, state, source: 'simulated' };
      }
      this.#clients.closeOut(accountId, marks);
    }
  }

  /** The engines pass no second until then. What the accounts are worth is stored as the day begins, as the server does it. */
  async #passMidnight(): Promise<void> {
    await this.#settle();
    const midnight = utcDayStart(this.#clock.now()) + dayMs;
    this.#clock.advance(midnight - 1_500 - this.#clock.now());
    this.#sweptAt = this.#clock.now();
    this.#auditor.challenges.onGap();
    for (const { symbol } of this.#market.pairs) this.#market.repeat(symbol);
    for (const { symbol } of this.#market.pairs)
      this.#market.report(symbol, this.#market.lastReported(symbol));
    this.#sweep();
    await this.#wait(3_000);
    await this.#settle();
    const at = this.#clock.now();
    const market = this.#market.at(at);
    for (const account of this.#auditor.accounts) {
      const { accountId } = account;
      const wallet = this.#database.wallets.get(accountId);
      const positions = [...this.#database.positions.values()].filter((row) => row.accountId === accountId);
      if (!wallet) continue;
      this.#database.snapshots.push({ accountId, at, equity: equityOf(wallet, positions, market) });
      account.snapshots.push({ at, equity: this.#observer.worthOf(account, market) });
    }
  }

  /** As the server does it: past the engine, which then reads the account again. */
  #archive(account: number): void {
    const accountId = this.#accountIds[account % this.#accountIds.length];
    if (accountId === undefined || !this.#database.archive(accountId)) return;
    this.#observer.isDisturbed = true;
    this.#observer.onArchived(accountId);
    this.#deskOf(accountId).engine.reload([accountId]);
  }

  /** Committed writes stay, nothing more is written; waiting clients get no answer. */
  async #crash(desk: Desk): Promise<void> {
    desk.store.die();
    desk.weather.clear();
    desk.isGone = true;
    await desk.engine.idle();
    await this.#replace(desk);
  }

  /** The old engine resumes after it was ended: the fence prevents its writes. */
  async #takeover(old: Desk): Promise<void> {
    const { weather, engine } = old;
    const isHeld = weather.isHolding;
    weather.forgetFaults();
    await this.#replace(old);
    weather.release();
    await engine.idle();
    if (isHeld && engine.state().halted === null) this.#found.push('an engine lives on after its epoch');
  }

  // Audit

  async #settle(): Promise<void> {
    await this.#handOvers.end();
    for (const { weather } of this.#desks) weather.calm();
    await this.#idle();
    if (this.#observer.isDisturbed) await this.#recover();
    if (this.#observer.hasRested(this.#clock.now())) {
      this.#sweep();
      await this.#idle();
    }
    this.#audit();
    this.#observer.isDisturbed = false;
  }

  async #idle(): Promise<void> {
    for (const { engine } of this.#desks) await engine.idle();
  }

  /** As the timer does it once a second. */
  async #recover(): Promise<void> {
    for (const { weather } of this.#desks) weather.clear();
    for (let i = 0; i < recoverySweeps; i += 1) {
      this.#sweep();
      await this.#idle();
      if (this.#desks.every(({ engine }) => engine.state().staleAccounts === 0) && i > 0) return;
    }
    this.#found.push('accounts stay stale');
  }

  #audit(): void {
    const report = (disagreement: string): unknown => this.#found.push(disagreement);
    for (const { engine, number } of this.#desks) {
      const { halted, queued } = engine.state();
      if (halted !== null) report(`engine ${number} is halted: ${halted}`);
      if (queued > 0) report(`${queued} still wait`);
    }
    this.#checkOwners(report);
    this.#observer.catchUp();
    for (const account of this.#auditor.accounts) compareAccount(account, this.#database, report);
    this.#ledger.check(report);
    compareHouseAccount(this.#auditor, this.#ledger.sums, report);
    this.#observer.checkQuiet(this.#clock.now());
    this.#clients.checkAnswered();
    this.#clients.checkApplied(this.#observer.applied);
    this.#checkAnnounced(report);
    if (this.#found.length > 0) throw new Disagreement(this.#scenario, this.#step, this.#found);
  }

  /** Each slot has one living engine, and what waits is armed there and nowhere else. */
  #checkOwners(report: (disagreement: string) => unknown): void {
    if (this.#desks.length === 1) return;
    const owned = this.#desks.map(({ store }) => this.#database.slotsOf(store.epoch).length);
    if (owned.reduce((sum, slots) => sum + slots, 0) !== allSlots.length)
      report(`the engines own ${owned.join(' and ')} slots`);
    for (const { engine, store, number } of this.#desks) {
      const isOwn = ({ accountId }: { readonly accountId: string }): boolean =>
        this.#database.ownerOf(accountId) === store.epoch;
      const waiting = [...this.#database.orders.values()].filter((row) => isOwn(row) && orderTriggerOf(row));
      const armed =
        [...this.#database.positions.values()].filter(isOwn).flatMap((row) => triggersOf(row)).length +
        waiting.length;
      // An order of an account with net positions may rest without a price.
      const resting = waiting.filter(({ rules }) => rules === 'perpetual').length;
      const found = engine.state().armed;
      if (found > armed || found < armed - resting)
        report(`engine ${number} has ${found} armed prices, its accounts have ${armed}`);
    }
  }

  /** Invariant 10: a listener has received the last version of everything that this engine changed. */
  #checkAnnounced(report: (disagreement: string) => unknown): void {
    // The next change reveals a batch of unknown fate, as a gap.
    if (this.#observer.adopted > 0) return;
    for (const [id, version] of this.#announced) {
      const row = this.#database.positions.get(id) ?? this.#database.orders.get(id);
      if (row && row.version !== version) report(`invariant 10: ${id} was announced as version ${version}`);
    }
  }

  outcome(): Outcome {
    return {
      ledgerHash: ledgerHash(this.#database.ledger.filter(({ batchId }) => batchId !== 'none')),
      commandLog: this.#observer.commandLog,
      database: this.#database,
      settled: this.#observer.settled,
      barred: this.#clients.barred,
      crossings: this.#observer.crossings,
      failures: this.#failures,
      engines: this.#made,
      moves: this.#handOvers.moves,
      adopted: this.#observer.adopted,
    };
  }
}

/** @throws Disagreement with the seed and the step at the first difference. */
export async function runScenario(scenario: Scenario): Promise<Outcome> {
  const run = new Run(scenario);
  await run.start();
  await run.perform(scenario.steps);
  return run.outcome();
}
