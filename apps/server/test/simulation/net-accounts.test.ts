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
  followTriggerOf,
  hourMs,
  isFundingDue,
  minuteMs,
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
import { compareAccount, compareHouseAccount, textOf } from './comparison.ts';
import { simulatedBook, simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { type Chance, createChance } from './random.ts';

const [fine, forex, dust] = [0, 2, 3].map((at) => simulatedPairs[at]) as [
  TradingPair,
  TradingPair,
  TradingPair,
];
const traded = [fine, forex, dust];
const pairs = new Map(traded.map((pair) => [pair.symbol, pair]));
const lives = process.env.TEST_VOLUME === 'long' ? 4_000 : 300;
const stepsOfLife = 75;
const accountId = '0f000000-0000-4000-8000-000000000001';
/** Every second life has latency. */
const termsOf = (seed: number): AccountTerms =>
  seed % 2 === 0
    ? { rules: 'perpetual', fillProfile: 'pro', leverageMax: 125, feeRate: asFeeRate(50_000n) }
    : { rules: 'perpetual', fillProfile: 'retail', leverageMax: 125, feeRate: asFeeRate(60_000n) };

/** The middle of an exchange's book beside the last price, between two ticks. */
const liveMiddle = ({ tickSize }: TradingPair, price: Price): Price =>
  asPrice(price + ((price / tickSize) % 5n) * tickSize - 2n * tickSize + tickSize / 2n);

const conditions = [
  ...(['STOP_MARKET', 'TAKE_PROFIT_MARKET', 'STOP', 'TAKE_PROFIT', 'TRAILING_STOP_MARKET'] as const),
  'TRAILING_STOP_MARKET',
] as const;

/** Mostly of a kind that the type takes. */
function timeOf(chance: Chance, now: number, hasLimit: boolean) {
  const timeInForce = chance.pick([
    'GTC',
    'GTC',
    'IOC',
    'FOK',
    ...(hasLimit ? ['GTX', 'GTD', 'GTD'] : ['GTD']),
  ]);
  const expiresAt = timeInForce === 'GTD' ? now + chance.pick([1, 11, 12, 20]) * minuteMs : null;
  return { timeInForce, expiresAt };
}

class NetLife {
  readonly #chance: Chance;
  readonly #database = new MemoryDatabase();
  readonly #named = { positions: new Map<string, Position>(), orders: new Map<string, Order>() };
  readonly #draft: Draft;
  readonly #auditor = new Auditor({ tolerancePercent: parseDecimal('0.5'), pairs: [...pairs.values()] });
  readonly #sums = new Map<string, bigint>();
  readonly #prices = new Map<string, Price>([
    [fine.symbol, asPrice(parseDecimal('26000'))],
    [forex.symbol, asPrice(parseDecimal('1.0731'))],
    [dust.symbol, asPrice(parseDecimal('0.0000613'))],
  ]);
  /** Of the symbols whose price does not trade now. */
  readonly #shut = new Map<string, { stale?: boolean; held?: boolean; marketOpen?: boolean }>();
  #now = 1_700_000_000_000;
  /** Of each kind of command, how many were accepted; of each refusal, how many there were. */
  readonly outcomes: Map<string, number>;

  readonly #terms: AccountTerms;
  /** Whether the exchange's own books are traded on, while the price trades. */
  readonly #isLive: boolean;

  constructor(seed: number, outcomes: Map<string, number>) {
    const terms = termsOf(seed);
    this.#terms = terms;
    this.#isLive = seed % 3 === 0;
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
      // Hours for funding and financing, with and without several instants between two steps.
      this.#now += this.#chance.pick([0, 40, 900, 3_000, 61_000, 200_000, 4 * hourMs, 30 * hourMs]);
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
    const pair = this.#chance.pick(traded);
    this.#shut.delete(pair.symbol);
    if (this.#chance.happens(0.1)) {
      const shut = [{ stale: true }, { stale: true, held: true }, { marketOpen: false }];
      this.#shut.set(pair.symbol, this.#chance.pick(shut));
    }
    this.#move(pair);
    for (const position of this.#auditor.accountOf(accountId)?.positions ?? []) {
      const price = this.#priceOf(position.symbol);
      const [first] = consequencesOf(position, price);
      if (first && position.id) {
        this.#settle({ kind: 'trigger', trigger: first, positionId: position.id, price });
      }
    }
    for (const order of [...this.#draft.openOrders()]) {
      const { id: orderId, symbol, expiresAt } = order;
      if (expiresAt !== null && (this.#now >= expiresAt || this.#chance.happens(0.2)))
        this.#settle({ kind: 'expire', orderId });
      if (this.#shut.has(symbol)) continue;
      const price = this.#priceOf(symbol);
      if (order.dueAt !== null) {
        this.#now = Math.max(this.#now, order.dueAt - this.#chance.pick([0, 1]));
        this.#settle({ kind: 'fill', orderId, price: null });
      }
      if (followTriggerOf(order) !== null) this.#settle({ kind: 'follow', orderId, price });
      this.#settle({ kind: 'fill', orderId, price });
    }
  }

  #move(pair: TradingPair): void {
    const before = this.#priceOf(pair.symbol);
    const share = this.#chance.happens(0.25) ? 0.08 : 0.0008;
    const ticks = BigInt(
      Math.round(Number(before / pair.tickSize) * share * (this.#chance.fraction() * 2 - 1)),
    );
    const after = before + ticks * pair.tickSize;
    this.#prices.set(pair.symbol, asPrice(after > 0n ? after : before));
  }

  #request(): Command {
    const chance = this.#chance;
    const pair = chance.pick([fine, fine, fine, fine, forex, dust, dust]);
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
      chance.pick([
        ...(['open', 'open', 'place', 'place', 'condition', 'condition', 'position', 'order'] as const),
        'leverage',
      ] as const)
    ) {
      case 'open':
        return open;
      case 'condition': {
        const closePosition = position !== undefined && chance.happens(0.3);
        // A close of the whole is mostly a stop, so that there sometimes is one already.
        const type =
          closePosition && chance.happens(0.8)
            ? chance.pick(['STOP_MARKET', 'STOP_MARKET', 'TAKE_PROFIT_MARKET'] as const)
            : chance.pick(conditions);
        const hasPrice = type === 'STOP' || type === 'TAKE_PROFIT';
        const isTrailing = type === 'TRAILING_STOP_MARKET';
        const ofPosition = position && {
          ...{ symbol: position.symbol, side: position.side === 'BUY' ? 'SELL' : 'BUY' },
          leverage: this.#draft.leverageOf(position.symbol),
        };
        const at = ofPosition ? this.#priceOf(ofPosition.symbol) : market;
        const tick = pairs.get(ofPosition?.symbol ?? pair.symbol)?.tickSize ?? 1n;
        const trigger = asPrice(at + BigInt(chance.below(400) - 200) * tick);
        const isMissing = chance.happens(isTrailing ? 0.5 : 0.05);
        return {
          ...{ kind: 'place', ...trade, ...ofPosition, clientId: null, keepRejected: chance.happens(0.5) },
          ...{ type, price: hasPrice ? asPrice(trigger + BigInt(chance.below(9) - 4) * tick) : null },
          ...{ triggerPrice: isMissing ? null : trigger, closePosition },
          ...(isTrailing && { trailRate: asPercent(parseDecimal(chance.pick(['0.1', '1', '20', '21']))) }),
          ...(closePosition && { size: asSize(0n), takeProfitPrice: null, stopLossPrice: null }),
          boundPositionId: chance.happens(0.2) ? (position?.id ?? null) : null,
          reduceOnly: chance.happens(0.3),
          ...timeOf(chance, this.#now, hasPrice),
        };
      }
      case 'place':
        return {
          ...{ kind: 'place', ...trade, ...more, clientId: null, keepRejected: chance.happens(0.5) },
          ...(chance.happens(0.3) ? { type: 'MARKET', price: expected } : { type: 'LIMIT', price: near }),
          ...timeOf(chance, this.#now, true),
        };
      case 'order':
        if (!order) return open;
        if (chance.happens(0.4)) return { kind: 'cancel', orderId: order.id };
        return {
          ...{ kind: 'amend', orderId: order.id, price: near, ...(chance.happens(0.6) && { size }) },
          ...(chance.happens(0.3) && { triggerPrice: asPrice(market - away) }),
        };
      case 'leverage':
        return { kind: 'set_leverage', symbol: pair.symbol, leverage };
      case 'position': {
        if (!position) return open;
        const positionId = position.id;
        const amount = asMoney((position.margin * BigInt(chance.below(160) - 80)) / 100n);
        const part = (position.size * BigInt(chance.below(110))) / 100n;
        const ofPair = pairs.get(position.symbol)?.stepSize ?? 1n;
        // In a third of them the stop loss is not named, and stays.
        const named = amount % 3n === 0n ? { takeProfitPrice: protection.takeProfitPrice } : protection;
        return chance.pick<Command>([
          { kind: 'close', positionId, size: null, reason: 'manual' },
          { kind: 'close', positionId, size: asSize(part - (part % ofPair)), reason: 'manual' },
          { kind: 'reverse', positionId, expectedPrice: expected },
          { kind: 'adjust_margin', positionId, amount },
          { kind: 'adjust_margin', positionId, amount },
          { kind: 'protect', positionId, ...named },
          { kind: 'fund', positionId },
          { kind: 'reset', startBalance: asMoney(parseDecimal('5000')) },
        ]);
      }
    }
  }

  #quoteOf(symbol: string) {
    return {
      ...{ price: this.#priceOf(symbol), stale: false, held: false, marketOpen: true },
      ...this.#shut.get(symbol),
    };
  }

  /** As the engine does it: what is due comes first. */
  #settle(command: Command): void {
    const market = {
      pair: (symbol: string) => pairs.get(symbol),
      quote: (symbol: string) => this.#quoteOf(symbol),
    };
    for (const { id } of this.#positions) {
      for (let position = this.#draft.position(id); position; position = this.#draft.position(id)) {
        if (!isFundingDue(position, { now: this.#now, market })) break;
        this.#settleOne({ kind: 'fund', positionId: id });
      }
    }
    this.#settleOne(command);
  }

  #settleOne(command: Command): void {
    const ids: string[] = [];
    const quote = (symbol: string) => this.#quoteOf(symbol);
    const book = (symbol: string) => {
      const pair = pairs.get(symbol);
      if (!pair) return undefined;
      const price = this.#priceOf(symbol);
      const isLive = this.#isLive && !this.#shut.has(symbol);
      return simulatedBook(pair, {
        mid: isLive ? liveMiddle(pair, price) : price,
        at: this.#now,
        source: isLive ? 'live' : 'modelled',
      });
    };
    const context: Context = {
      ...{ ...this.#terms, now: this.#now, priceTolerance: asPercent(parseDecimal('0.5')) },
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
    if (decision.outcome === 'refused' && decision.refusal.code === 'in_transit') {
      const { until, arrivalPrice } = decision.refusal;
      this.#now = until + this.#chance.pick([0, 30]);
      if (this.#chance.happens(0.5)) this.#move(this.#chance.pick(traded));
      this.#settle({ ...command, arrivalPrice } as Command);
    }
    if (decision.outcome === 'accepted' && command.kind === 'fund') {
      for (const { kind, entries } of decision.effects.ledger) {
        const isFromMargin = entries.some(({ account }) => account === 'user:margin');
        for (const what of [kind, ...(isFromMargin ? ['from margin'] : [])])
          this.outcomes.set(what, (this.outcomes.get(what) ?? 0) + 1);
      }
    }
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
  for (const kind of [
    ...(['set_leverage', 'adjust_margin', 'protect', 'reset', 'follow', 'expire'] as const),
    ...(['fund', 'funding', 'financing'] as const),
  ])
    expect(outcomes.get(kind), kind).toBeGreaterThan(lives / 10);
  for (const code of [
    'in_transit',
    'quote_changed',
    'order_not_fillable',
    'order_would_take',
    'nothing_to_reduce',
    'not_crossed',
    'not_due',
  ])
    expect(outcomes.get(code), code).toBeGreaterThan(lives / 15);
  for (const code of [
    'position_too_large',
    'leverage_in_use',
    'margin_beyond_free',
    'price_stale',
    'market_closed',
    'trigger_price_invalid',
    'trigger_reached',
    'trail_rate_invalid',
    'condition_not_expected',
    'expiry_invalid',
  ])
    expect(outcomes.get(code), code).toBeGreaterThan(lives / 10);
  for (const rare of ['close_order_exists', 'from margin'])
    expect(outcomes.get(rare), rare).toBeGreaterThan(lives / 60);
}, 300_000);
