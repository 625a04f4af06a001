/**
 * Runs a scenario: the real engine on the memory store, the real hub behind a hostile feed, a clock that only steps
 * advance, and the auditor beside it. Every random value comes from the scenario's seed, so the same scenario always
 * takes the same course, to the last id.
 */
import { asFeeRate, asPercent } from '@fulcrum/domain';
import { ledgerHash } from '../../src/features/trading/command-replay.ts';
import type { CommandLogEntry } from '../../src/features/trading/engine/command-log.ts';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { Auditor } from './auditor.ts';
import { admin, Clients, manager, traderId } from './clients.ts';
import { compareAccount, compareHouseAccount } from './comparison.ts';
import { Faults } from './faults.ts';
import { movePrice } from './feed.ts';
import { LedgerChecks } from './ledger-checks.ts';
import { SimulatedMarket, simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryStore } from './memory-store.ts';
import { Observer } from './observer.ts';
import { createChance } from './random.ts';
import type { Scenario, Step } from './scenario.ts';

const log = createLog({ logLevel: 'silent' });
const firstDeposit = 1_000_000_000_000n;
/** 2026-11-21T00:00:00Z. */
const firstInstant = 1_795_219_200_000;
/** Per cent, 1e-8. */
const tolerance = 50_000_000n;
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
  readonly crossings: number;
  readonly failures: number;
  readonly engines: number;
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
  readonly #announced = new Map<string, number>();
  #weather = this.#makeWeather();
  #store = new MemoryStore(this.#database, this.#weather);
  #engine: Engine;
  #generation = 0;
  /** The engine whose reads of the market the simulator itself causes. */
  #checking: number | null = null;
  /** Calls of the store that failed, of all engines. */
  #failures = 0;
  #step = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#chance = createChance(scenario.seed ^ 0x5eed);
    const pairs = scenario.pairs.flatMap((at) => simulatedPairs[at] ?? []);
    this.#market = new SimulatedMarket(pairs, { clock: this.#clock, bus: this.#bus, log });
    const { rules, feeRate } = scenario;
    this.#auditor = new Auditor({ rules, feeRate, tolerancePercent: tolerance, pairs });
    this.#addUsers();
    this.#ledger = new LedgerChecks(this.#database);
    const report = (disagreement: string): unknown => this.#found.push(disagreement);
    this.#observer = new Observer(this.#auditor, this.#database, this.#market, report);
    this.#clients = new Clients({
      ...{ database: this.#database, market: this.#market, traders: scenario.traders, report },
      desk: () => ({
        engine: this.#engine,
        generation: this.#generation,
        hasFailed: () => this.#weather.failures > 0,
      }),
    });
    this.#bus.subscribe('market.tick', ({ symbol }) => this.#onTick(symbol));
    this.#bus.subscribe('account.changed', ({ changes }) => {
      for (const { table, record } of changes) {
        const row = record as { id: string; version?: number };
        if (table === 'positions' || table === 'orders') this.#announced.set(row.id, row.version ?? 0);
      }
    });
    this.#engine = this.#makeEngine();
  }

  #addUsers(): void {
    const { users, wallets, ledger, transactions } = this.#database;
    users.set(admin, { id: admin, role: 'admin', managerId: null, restricted: false });
    users.set(manager, { id: manager, role: 'manager', managerId: null, restricted: false });
    for (let number = 0; number < this.#scenario.traders; number += 1) {
      const accountId = traderId(number);
      // The last of several starts without a wallet, as RULE-26 has it.
      const isPoor = number === 2;
      users.set(accountId, { id: accountId, role: 'trader', managerId: manager, restricted: false });
      this.#auditor.addTrader(accountId, isPoor ? 0n : firstDeposit);
      if (isPoor) continue;
      const group = `first deposit of ${accountId}`;
      const row = { groupId: group, kind: 'deposit', sourceId: group, batchId: 'none' } as const;
      ledger.push({ ...row, account: 'user:cash', accountId, amount: firstDeposit as never });
      ledger.push({ ...row, account: 'external', accountId: null, amount: -firstDeposit as never });
      const deposit = {
        id: group,
        type: 'deposit',
        amount: firstDeposit,
        description: 'Initial balance',
        accountId,
      } as const;
      transactions.set(group, deposit);
      const amounts = { available: firstDeposit as never, margin: 0n as never, orderMargin: 0n as never };
      wallets.set(accountId, { id: `wallet of ${accountId}`, accountId, version: 1, ...amounts });
    }
  }

  #makeWeather(): Faults {
    return new Faults(() => {
      this.#failures += 1;
      this.#observer.isDisturbed = true;
    });
  }

  #makeEngine(): Engine {
    const { rules, feeRate, limits } = this.#scenario;
    const { commandLog, onDeciding } = this.#observer.connect();
    const generation = this.#generation;
    return new Engine({
      store: this.#store,
      clock: this.#clock,
      bus: this.#bus,
      log,
      newId: () => this.#chance.uuid(),
      rules,
      feeRate: asFeeRate(feeRate),
      priceTolerance: asPercent(tolerance),
      limits: { ...defaultLimits, ...limits },
      commandLog,
      marketAt: (now) => {
        const instant = this.#market.at(now);
        if (this.#checking !== generation) onDeciding(instant);
        return instant;
      },
    });
  }

  /** While `work` runs, the simulator reads the market, and nothing is decided. */
  #checkDuring(work: () => void): void {
    this.#checking = this.#generation;
    work();
    this.#checking = null;
  }

  #onTick(symbol: string): void {
    this.#observer.onTick(symbol, this.#market.at(this.#clock.now()));
    this.#checkDuring(() => this.#engine.tick(symbol));
  }

  async start(): Promise<void> {
    for (const { symbol } of this.#market.pairs)
      this.#market.report(symbol, this.#market.lastReported(symbol));
    await this.#startEngine();
  }

  async #startEngine(): Promise<void> {
    // Its start sweeps in the same iteration in which it has read everything.
    this.#checking = this.#generation;
    await this.#engine.start();
    this.#checking = null;
  }

  /** The next engine on the same database. */
  async #replace(): Promise<void> {
    this.#observer.isDisturbed = true;
    this.#announced.clear();
    if (this.#chance.happens(0.3)) this.#market.forget();
    this.#generation += 1;
    this.#weather = this.#makeWeather();
    this.#store = new MemoryStore(this.#database, this.#weather);
    this.#engine = this.#makeEngine();
    await this.#startEngine();
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
    switch (step.kind) {
      case 'price':
        if (step.move === 'confirm') this.#observer.isDisturbed = true;
        return movePrice({ market: this.#market, database: this.#database, clock: this.#clock }, step);
      case 'wait':
        // A crossing may become too old to fire.
        if (this.#engine.state().queued > 0 || this.#weather.isHolding) this.#observer.isDisturbed = true;
        this.#clock.advance(step.ms);
        return;
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
        return this.#checkDuring(() => this.#engine.sweep());
      case 'fault':
        if (step.fault === 'unready') this.#weather.unreadyFor += 1;
        else if (step.fault === 'unreadable') this.#weather.unreadableFor += 1;
        else this.#weather.fault(step.fault);
        return;
      case 'hold':
        return this.#weather.hold();
      case 'release':
        return this.#weather.release();
      case 'crash':
        return this.#crash();
      case 'takeover':
        return this.#takeover();
      case 'stop':
        this.#weather.clear();
        await this.#engine.stop();
        return this.#replace();
      case 'unassign': {
        const trader = this.#database.users.get(traderId(0));
        if (trader) trader.managerId = null;
      }
    }
  }

  /** Committed writes stay, nothing more is written; waiting clients get no answer. */
  async #crash(): Promise<void> {
    this.#store.die();
    this.#weather.clear();
    this.#generation += 1;
    await this.#engine.idle();
    await this.#replace();
  }

  /** The old engine resumes after the new one has started: the epoch prevents its writes. */
  async #takeover(): Promise<void> {
    const [old, weather] = [this.#engine, this.#weather];
    const isHeld = weather.isHolding;
    weather.forgetFaults();
    await this.#replace();
    weather.release();
    await old.idle();
    if (isHeld && old.state().halted === null) this.#found.push('an engine lives on after its epoch');
  }

  // Audit

  async #settle(): Promise<void> {
    this.#weather.calm();
    await this.#engine.idle();
    if (this.#observer.isDisturbed) await this.#recover();
    this.#audit();
    this.#observer.isDisturbed = false;
  }

  /** As the timer does it once a second. */
  async #recover(): Promise<void> {
    this.#weather.clear();
    for (let i = 0; i < recoverySweeps; i += 1) {
      this.#checkDuring(() => this.#engine.sweep());
      await this.#engine.idle();
      if (this.#engine.state().staleAccounts === 0 && i > 0) return;
    }
    this.#found.push('accounts stay stale');
  }

  #audit(): void {
    const report = (disagreement: string): unknown => this.#found.push(disagreement);
    const { halted, queued } = this.#engine.state();
    if (halted !== null) report(`halted: ${halted}`);
    if (queued > 0) report(`${queued} still wait`);
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
      crossings: this.#observer.crossings,
      failures: this.#failures,
      engines: this.#generation + 1,
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
