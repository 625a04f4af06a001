/**
 * Random lives of accounts with net positions (A113, A114) beside the auditor: `decide` on an account of the engine, a book for
 * each price, and after each command what the auditor has computed from the published tables. `net-scenarios.test.ts` has what is written,
 * repeated and restarted.
 */
import {
  type AccountTerms,
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type Command,
  type Context,
  decide,
  NO_MONEY,
  type Order,
  type Position,
  type Price,
  parseDecimal,
  type TradingPair,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { Draft } from '../../src/features/trading/engine/draft.ts';
import { ledgerRowsOf } from '../../src/features/trading/engine/ledger-rows.ts';
import { consequencesOf } from './audited-market.ts';
import { Auditor } from './auditor.ts';
import { compareAccount, compareHouseAccount } from './comparison.ts';
import { simulatedBook, simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { textOf } from './observer.ts';
import { type Chance, createChance } from './random.ts';

const [fine, dust] = [simulatedPairs[0], simulatedPairs[3]] as [TradingPair, TradingPair];
const pairs = new Map([fine, dust].map((pair) => [pair.symbol, pair]));
const lives = process.env.TEST_VOLUME === 'long' ? 4_000 : 300;
const stepsOfLife = 60;
const accountId = '0f000000-0000-4000-8000-000000000001';
const terms: AccountTerms = {
  ...{ rules: 'perpetual', fillProfile: 'pro', leverageMax: 125 },
  feeRate: asFeeRate(50_000n),
};

class NetLife {
  readonly #chance: Chance;
  readonly #database = new MemoryDatabase();
  readonly #named = { positions: new Map<string, Position>(), orders: new Map<string, Order>() };
  readonly #draft: Draft;
  readonly #auditor = new Auditor({ tolerancePercent: parseDecimal('0.5'), pairs: [...pairs.values()] });
  readonly #sums = new Map<string, bigint>();
  readonly #prices = new Map<string, Price>([
    [fine.symbol, asPrice(parseDecimal('26000'))],
    [dust.symbol, asPrice(parseDecimal('0.0000613'))],
  ]);
  /** Of the symbols whose price does not trade now. */
  readonly #shut = new Map<string, { stale?: boolean; held?: boolean; marketOpen?: boolean }>();
  #now = 1_700_000_000_000;
  /** Of each kind of command, how many were accepted; of each refusal, how many there were. */
  readonly outcomes: Map<string, number>;

  constructor(seed: number, outcomes: Map<string, number>) {
    this.#chance = createChance(seed);
    this.outcomes = outcomes;
    const deposit = asMoney(parseDecimal(this.#chance.pick(['300', '5000', '2000000'])));
    this.#database.addUser({ id: accountId, role: 'trader', managerId: null, restricted: false });
    const wallet = {
      ...{ id: 'wallet', accountId, available: deposit, margin: NO_MONEY, orderMargin: NO_MONEY, version: 1 },
    };
    this.#draft = new Draft(
      {
        ...{ ownerId: accountId, terms, isArchived: false, wallet, restricted: false },
        ...{ positions: new Map(), orders: new Map(), leverages: new Map(), trades: [] },
      },
      this.#named,
    );
    this.#database.wallets.set(accountId, wallet);
    this.#database.transactions.set('start', {
      ...{ id: 'start', accountId, type: 'deposit', amount: deposit, description: 'Initial balance' },
    });
    this.#sums.set('external', -deposit);
    this.#auditor.addAccount({ accountId, ownerId: accountId, terms, deposit });
  }

  live(): void {
    for (let step = 0; step < stepsOfLife; step += 1) {
      this.#now += this.#chance.pick([0, 40, 900, 3_000, 61_000]);
      if (this.#chance.happens(0.35)) this.#tick();
      else this.#settle(this.#request());
    }
  }

  get #positions(): Position[] {
    return [...this.#draft.openPositions()];
  }

  #priceOf(symbol: string): Price {
    const price = this.#prices.get(symbol);
    if (price === undefined) throw new RangeError(symbol);
    return price;
  }

  /** Mostly a little, sometimes as much as liquidates. */
  #tick(): void {
    const pair = this.#chance.pick([fine, dust]);
    this.#shut.delete(pair.symbol);
    if (this.#chance.happens(0.1)) {
      const shut = [{ stale: true }, { stale: true, held: true }, { marketOpen: false }];
      this.#shut.set(pair.symbol, this.#chance.pick(shut));
    }
    const before = this.#priceOf(pair.symbol);
    const share = this.#chance.happens(0.25) ? 0.08 : 0.0008;
    const ticks = BigInt(
      Math.round(Number(before / pair.tickSize) * share * (this.#chance.fraction() * 2 - 1)),
    );
    const after = before + ticks * pair.tickSize;
    this.#prices.set(pair.symbol, asPrice(after > 0n ? after : before));
    for (const position of this.#auditor.accountOf(accountId)?.positions ?? []) {
      const price = this.#priceOf(position.symbol);
      const [first] = consequencesOf(position, price);
      if (first && position.id) {
        this.#settle({ kind: 'trigger', trigger: first, positionId: position.id, price });
      }
    }
    for (const { id, symbol } of [...this.#draft.openOrders()]) {
      if (!this.#shut.has(symbol)) this.#settle({ kind: 'fill', orderId: id, price: this.#priceOf(symbol) });
    }
  }

  #request(): Command {
    const chance = this.#chance;
    const pair = chance.pick([fine, fine, dust]);
    const market = this.#priceOf(pair.symbol);
    const near = asPrice(market + BigInt(chance.below(25) - 12) * pair.tickSize);
    const isUsual = chance.happens(0.85);
    const leverage = isUsual ? this.#draft.leverageOf(pair.symbol) : chance.pick([1, 5, 20, 50, 125, 126]);
    const wealth = Number(this.#draft.wallet.available) / 1e8;
    const worth = wealth * leverage * chance.pick([0.001, 0.1, 0.4, 1.2]) * chance.fraction();
    const steps = BigInt(Math.floor((worth * 1e16) / Number(market) / Number(pair.stepSize)));
    const size = asSize((steps > 0n ? steps : 1n) * pair.stepSize);
    const side = chance.pick(['BUY', 'SELL'] as const);
    const away = BigInt(chance.below(200) + 1) * pair.tickSize * (side === 'BUY' ? 1n : -1n);
    const protection = {
      takeProfitPrice: chance.happens(0.2) ? asPrice(market + away) : null,
      stopLossPrice: chance.happens(0.2) ? asPrice(market - away) : null,
    };
    const trade = { symbol: pair.symbol, side, size, leverage, ...protection };
    const more = {
      reduceOnly: chance.happens(0.2),
      quoteId: chance.happens(0.2) ? `${pair.symbol}@${chance.happens(0.5) ? market : 1n}@1` : null,
    };
    const expected = chance.happens(0.2) ? near : null;
    const position = this.#positions[chance.below(this.#positions.length || 1)];
    const orders = [...this.#draft.openOrders()];
    const order = orders[chance.below(orders.length || 1)];
    const open: Command = { kind: 'open', ...trade, ...more, expectedPrice: expected };
    switch (
      chance.pick(['open', 'open', 'place', 'place', 'place', 'position', 'order', 'leverage'] as const)
    ) {
      case 'open':
        return open;
      case 'place':
        return {
          ...{ kind: 'place', ...trade, ...more, clientId: null, keepRejected: chance.happens(0.5) },
          ...(chance.happens(0.3) ? { type: 'MARKET', price: expected } : { type: 'LIMIT', price: near }),
          timeInForce: chance.pick(['GTC', 'GTC', 'IOC', 'FOK', 'GTX']),
        };
      case 'order':
        if (!order) return open;
        if (chance.happens(0.4)) return { kind: 'cancel', orderId: order.id };
        return { kind: 'amend', orderId: order.id, price: near, ...(chance.happens(0.6) && { size }) };
      case 'leverage':
        return { kind: 'set_leverage', symbol: pair.symbol, leverage };
      case 'position': {
        if (!position) return open;
        const positionId = position.id;
        const amount = asMoney((position.margin * BigInt(chance.below(160) - 80)) / 100n);
        const part = (position.size * BigInt(chance.below(110))) / 100n;
        const ofPair = pairs.get(position.symbol)?.stepSize ?? 1n;
        return chance.pick<Command>([
          { kind: 'close', positionId, size: null, reason: 'manual' },
          { kind: 'close', positionId, size: asSize(part - (part % ofPair)), reason: 'manual' },
          { kind: 'reverse', positionId, expectedPrice: expected },
          { kind: 'adjust_margin', positionId, amount },
          { kind: 'adjust_margin', positionId, amount },
          { kind: 'protect', positionId, ...protection },
          { kind: 'reset', startBalance: asMoney(parseDecimal('5000')) },
        ]);
      }
    }
  }

  #settle(command: Command): void {
    const ids: string[] = [];
    const quote = (symbol: string) => ({
      ...{ price: this.#priceOf(symbol), stale: false, held: false, marketOpen: true },
      ...this.#shut.get(symbol),
    });
    const book = (symbol: string) => {
      const pair = pairs.get(symbol);
      return pair && simulatedBook(pair, { mid: this.#priceOf(symbol), at: this.#now });
    };
    const context: Context = {
      ...{ ...terms, now: this.#now, priceTolerance: asPercent(parseDecimal('0.5')) },
      market: { pair: (symbol) => pairs.get(symbol), quote, book },
      newId: () => {
        const id = this.#chance.uuid();
        ids.push(id);
        return id;
      },
    };
    const decision = decide(this.#draft, command, context);
    const outcome = decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code;
    const name = outcome === 'accepted' ? command.kind : outcome;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    const verdict = this.#auditor.settle(accountId, command, { at: this.#now, quote, book } as never, ids);
    const what = textOf(command);
    expect(verdict.length === 0 ? ['accepted'] : verdict, what).toContain(outcome);
    if (decision.outcome === 'accepted') this.#write(decision.effects);
    const disagreements: string[] = [];
    const account = this.#auditor.accountOf(accountId);
    if (!account) throw new RangeError('the account is gone');
    compareAccount(account, this.#database, (text) => disagreements.push(text));
    compareHouseAccount(this.#auditor, this.#sums, (text) => disagreements.push(text));
    expect(disagreements.join('\n'), what).toBe('');
  }

  #write(effects: Parameters<Draft['apply']>[0]): void {
    this.#draft.apply(effects, this.#now);
    this.#database.wallets.set(accountId, effects.wallet);
    for (const { after } of effects.positions) this.#database.positions.set(after.id, after);
    for (const { after } of effects.orders) this.#database.orders.set(after.id, after);
    this.#database.executions.push(...effects.executions.map((row) => ({ ...row, at: this.#now })));
    const { leverage } = effects;
    if (leverage)
      this.#database.leverages.set(
        accountId,
        new Map([...(this.#database.leverages.get(accountId) ?? []), [leverage.symbol, leverage.leverage]]),
      );
    for (const transaction of effects.transactions) {
      this.#database.transactions.set(transaction.id, { ...transaction, accountId });
    }
    for (const { id, kind } of effects.notifications) {
      this.#database.notifications.set(id, { id, kind, accountId, positionId: null, orderId: null });
    }
    for (const group of effects.ledger) {
      for (const { account, amount } of ledgerRowsOf(accountId, group)) {
        this.#sums.set(account, (this.#sums.get(account) ?? 0n) + amount);
      }
    }
  }
}

test(`A113, A114: ${lives} lives of accounts with net positions agree with the auditor, command by command`, () => {
  const outcomes = new Map<string, number>();
  for (let seed = 120_001; seed < 120_001 + lives; seed += 1) {
    try {
      new NetLife(seed, outcomes).live();
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  // The lives are meaningful: every kind of command was accepted, often, and the refusals of A113 and A114 occurred.
  for (const kind of ['open', 'place', 'close', 'reverse', 'amend', 'cancel', 'fill', 'trigger'] as const)
    expect(outcomes.get(kind), kind).toBeGreaterThan(lives / 4);
  for (const kind of ['set_leverage', 'adjust_margin', 'protect', 'reset'] as const)
    expect(outcomes.get(kind), kind).toBeGreaterThan(lives / 10);
  for (const code of [
    'quote_changed',
    'order_not_fillable',
    'order_would_take',
    'nothing_to_reduce',
    'not_crossed',
  ])
    expect(outcomes.get(code), code).toBeGreaterThan(lives / 10);
  for (const code of [
    'position_too_large',
    'leverage_in_use',
    'margin_beyond_free',
    'price_stale',
    'market_closed',
  ])
    expect(outcomes.get(code), code).toBeGreaterThan(lives / 10);
}, 140_000);
