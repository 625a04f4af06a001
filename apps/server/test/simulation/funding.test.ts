/**
 * Net positions over many due instants (A113), on an engine that dies, is stopped, loses its database and starts again at any time, while
 * prices are held and positions come and go. Each instant is booked once, whatever happened in between.
 */
import {
  type AccountTerms,
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type Command,
  dayMs,
  hourMs,
  MAX_LEVERAGE,
  type MarketView,
  parseDecimal,
  type QuotedBook,
  type TradingPair,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { type CommitFault, Faults } from './faults.ts';
import { simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryStore } from './memory-store.ts';
import { type Chance, createChance } from './random.ts';

const lives = process.env.TEST_VOLUME === 'long' ? 1_500 : 150;
const stepsOfLife = 40;
const [crypto, forex] = [simulatedPairs[0], simulatedPairs[2]] as [TradingPair, TradingPair];
const pairs = new Map([crypto, forex].map((pair) => [pair.symbol, pair]));
/** They stay the same, so that each instant costs the same. */
const prices = new Map([
  [crypto.symbol, parseDecimal('26000')],
  [forex.symbol, parseDecimal('1.0731')],
]);
const sizes = new Map([
  [crypto.symbol, parseDecimal('0.5')],
  [forex.symbol, parseDecimal('10000')],
]);
const log = createLog({ logLevel: 'silent' });
const mainTerms: AccountTerms = {
  ...{ rules: 'standard', feeRate: asFeeRate(0n), leverageMax: MAX_LEVERAGE, fillProfile: 'exact' },
};
const terms: AccountTerms = { ...mainTerms, rules: 'perpetual', fillProfile: 'ideal' };
const faults: readonly CommitFault[] = ['refused', 'unreachable', 'lost before', 'lost after'];

class FundedLife {
  readonly #chance: Chance;
  readonly #clock = createManualClock(Date.parse('2026-11-21T03:00:00Z'));
  readonly database = new MemoryDatabase();
  readonly #accountIds: string[] = [];
  readonly #held = new Set<string>();
  #weather = new Faults(() => undefined);
  #store: MemoryStore;
  #engine: Engine;
  /** Engines that were started; crashes among them. */
  starts = 0;
  /** Instants that were booked. */
  booked = 0;

  constructor(seed: number) {
    this.#chance = createChance(seed);
    for (let number = 0; number < 4; number += 1) {
      const [ownerId, accountId] = [this.#chance.uuid(), this.#chance.uuid()];
      const own = `${accountId.slice(0, -2)}${ownerId.slice(-2)}`;
      this.database.addUser({ id: ownerId, role: 'trader', managerId: null, restricted: false });
      this.database.addAccount(own, { ownerId, terms, isArchived: false });
      const amounts = {
        available: asMoney(parseDecimal('100000')),
        margin: asMoney(0n),
        orderMargin: asMoney(0n),
      };
      this.database.wallets.set(own, { id: `wallet of ${own}`, accountId: own, version: 1, ...amounts });
      this.#accountIds.push(own);
    }
    [this.#store, this.#engine] = this.#make();
  }

  #marketAt(): MarketView {
    const quote = (symbol: string) => {
      const price = prices.get(symbol);
      const held = this.#held.has(symbol);
      return price === undefined ? undefined : { price: asPrice(price), stale: held, held, marketOpen: true };
    };
    return { pair: (symbol) => pairs.get(symbol), quote, book: (symbol) => this.#book(symbol) };
  }

  #book(symbol: string): QuotedBook | undefined {
    const [pair, mid] = [pairs.get(symbol), prices.get(symbol)];
    if (!pair || mid === undefined) return undefined;
    const side = (direction: bigint) => [
      { price: asPrice(mid + direction * pair.tickSize), size: asSize(pair.maxQty) },
    ];
    const at = this.#clock.now();
    const book = {
      source: 'modelled',
      quoteId: symbol,
      mid: asPrice(mid),
      at,
      minuteVolume: pair.maxQty,
    } as const;
    return { ...book, bids: side(-1n), asks: side(1n) };
  }

  #make(): [MemoryStore, Engine] {
    this.#weather = new Faults(() => undefined);
    const store = new MemoryStore(this.database, this.#weather, { terms: mainTerms, clock: this.#clock });
    const engine = new Engine({
      ...{ store, clock: this.#clock, bus: createBus(log), log, rules: 'standard' },
      newId: () => this.#chance.uuid(),
      priceTolerance: asPercent(parseDecimal('0.5')),
      limits: {
        ...defaultLimits,
        batch: this.#chance.pick([1, 3, 256]),
        accounts: this.#chance.pick([1, 1_000]),
      },
      marketAt: () => this.#marketAt(),
    });
    this.starts += 1;
    return [store, engine];
  }

  async #begin(): Promise<void> {
    [this.#store, this.#engine] = this.#make();
    await this.#engine.start();
  }

  async #submit(accountId: string, command: Command): Promise<void> {
    const ownerId = this.database.userOf(accountId) ?? '';
    const origin = { accountId, ownerId, actorId: ownerId, authority: null, reason: null };
    await this.#engine.submit(origin, command, null).catch(() => undefined);
  }

  /** Everything that was due by now and can be booked is booked. */
  async #settle(): Promise<void> {
    this.#weather.clear();
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      this.#engine.sweep();
      await this.#engine.idle();
    }
    expect(this.#engine.state()).toMatchObject({ halted: null, staleAccounts: 0 });
  }

  async live(): Promise<void> {
    await this.#engine.start();
    for (let step = 0; step < stepsOfLife; step += 1) await this.#step();
    this.#held.clear();
    await this.#settle();
    this.#check();
  }

  async #step(): Promise<void> {
    const chance = this.#chance;
    const symbol = chance.pick([crypto.symbol, forex.symbol]);
    const accountId = chance.pick(this.#accountIds);
    const open = [...this.database.positions.values()].find(
      (row) => row.accountId === accountId && row.symbol === symbol && row.closing === null,
    );
    switch (
      chance.pick([
        'wait',
        'wait',
        'wait',
        'trade',
        'trade',
        'sweep',
        'sweep',
        'hold',
        'fault',
        'end',
      ] as const)
    ) {
      case 'wait':
        this.#clock.advance(chance.pick([1, 1_000, hourMs, 3 * hourMs, 8 * hourMs, 2 * dayMs + 1]));
        return;
      case 'trade': {
        const side = chance.pick(['BUY', 'SELL']);
        const order: Command = {
          kind: 'open',
          ...{ symbol, side, size: asSize(sizes.get(symbol) ?? 1n), leverage: 20 },
          ...{ expectedPrice: null, takeProfitPrice: null, stopLossPrice: null },
        };
        const command: Command =
          open && chance.happens(0.5)
            ? { kind: 'close', positionId: open.id, size: null, reason: 'manual' }
            : order;
        // Sometimes the sweep and the command meet in one batch.
        if (chance.happens(0.5)) this.#engine.sweep();
        if (!open || command.kind === 'close') await this.#submit(accountId, command);
        return;
      }
      case 'sweep':
        this.#engine.sweep();
        if (chance.happens(0.7)) await this.#engine.idle();
        return;
      case 'hold':
        if (!this.#held.delete(symbol)) this.#held.add(symbol);
        return;
      case 'fault':
        this.#weather.fault(chance.pick(faults));
        return;
      case 'end':
        if (chance.happens(0.5)) {
          this.#store.die();
          this.#weather.clear();
          await this.#engine.idle();
          this.database.end(this.#store.epoch);
        } else {
          this.#weather.clear();
          await this.#engine.stop();
          this.database.end(this.#store.epoch);
        }
        if (chance.happens(0.5)) this.#clock.advance(chance.pick([7 * hourMs, dayMs, 3 * dayMs]));
        return this.#begin();
    }
  }

  /** Hour by hour on the clock, for each position that ever was. */
  #check(): void {
    const { positions, ledger } = this.database;
    for (const { id, symbol, side, size, createdAt, closing, funding } of positions.values()) {
      const hours = symbol === crypto.symbol ? [0, 8, 16] : [21];
      let instants = 0;
      const until = closing?.at ?? this.#clock.now();
      for (let hour = Math.ceil(createdAt / hourMs) * hourMs; hour <= until; hour += hourMs) {
        if (hour > createdAt && hours.includes(new Date(hour).getUTCHours())) instants += 1;
      }
      const rows = ledger.filter(({ sourceId, account }) => sourceId === id && account === 'house:funding');
      const value = (Number(prices.get(symbol)) * Number(size)) / 1e8;
      const rate = symbol === crypto.symbol ? 1e-4 : (side === 'BUY' ? 0.0625 : 0.0125) / 360;
      const each = BigInt(Math.round(value * rate)) * (side === 'BUY' ? -1n : 1n);
      expect([id, rows.length, funding]).toEqual([id, instants, each * BigInt(instants)]);
      this.booked += instants;
    }
    const sums = new Map<string, bigint>();
    for (const { groupId, amount } of ledger) sums.set(groupId, (sums.get(groupId) ?? 0n) + amount);
    for (const [group, sum] of sums) expect([group, sum]).toEqual([group, 0n]);
  }
}

test(`A113: in ${lives} lives with crashes each due instant is booked once, whatever the order of restarts`, async () => {
  let [booked, starts] = [0, 0];
  for (let seed = 113_001; seed < 113_001 + lives; seed += 1) {
    const life = new FundedLife(seed);
    try {
      await life.live();
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    booked += life.booked;
    starts += life.starts;
  }
  expect(booked).toBeGreaterThan(lives * 10);
  expect(starts).toBeGreaterThan(lives * 3);
}, 120_000);
