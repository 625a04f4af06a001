/** Tests the auditor: it detects an engine with one small fault whose ledger still adds up. */
import {
  type AccountLimits,
  asMoney,
  asPrice,
  type ChallengeVerdict,
  type Command,
  type Context,
  type Decision,
  type Effects,
  type Level,
  type Order,
  type OwnLimits,
  type Position,
  type PositionChange,
  type TriggerCommand,
} from '@fulcrum/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { traderId } from './clients.ts';
import { scenarioOf } from './scenario.ts';
import { accountsScenarioOf, limitsScenarioOf, netScenarioOf } from './scenario-variants.ts';
import type { ScenarioSource } from './seeds.ts';
import { Disagreement, runScenario } from './simulation.ts';

type Domain = typeof import('@fulcrum/domain');
type Decide = Domain['decide'];
type OrderTriggerOf = Domain['orderTriggerOf'];
type Mutation = (decide: Decide, ...args: Parameters<Decide>) => Decision;

/** What the equity book of challenges hints at. */
type Book = Pick<Domain, 'judgeChallenge' | 'withEquity' | 'withNewDay'>;

const planted = vi.hoisted(
  (): {
    mutation: Mutation | null;
    trigger: ((of: OrderTriggerOf) => OrderTriggerOf) | null;
    book: ((of: Book) => Partial<Book>) | null;
  } => ({ mutation: null, trigger: null, book: null }),
);
vi.mock('@fulcrum/domain', async (importOriginal) => {
  const domain = await importOriginal<typeof import('@fulcrum/domain')>();
  const decide: Decide = (...args) =>
    planted.mutation ? planted.mutation(domain.decide, ...args) : domain.decide(...args);
  const orderTriggerOf: OrderTriggerOf = (order) =>
    (planted.trigger?.(domain.orderTriggerOf) ?? domain.orderTriggerOf)(order);
  const bookOf = (): Book => ({ ...domain, ...planted.book?.(domain) });
  return {
    ...{ ...domain, decide, orderTriggerOf },
    judgeChallenge: (...args: Parameters<Book['judgeChallenge']>) => bookOf().judgeChallenge(...args),
    withEquity: (...args: Parameters<Book['withEquity']>) => bookOf().withEquity(...args),
    withNewDay: (...args: Parameters<Book['withNewDay']>) => bookOf().withNewDay(...args),
  };
});

afterEach(() => {
  planted.mutation = null;
  planted.trigger = null;
  planted.book = null;
});

/** The most scenarios until one of them has to detect it. */
const seedsMax = 400;
/** Those with several accounts. */
const seedsOfAccountsMax = 150;
/** Those with net positions. */
const seedsOfNetMax = 100;
/** Those with locked accounts and limits of their owners. */
const seedsOfLimitsMax = 40;

async function findDisagreement(
  of: ScenarioSource = scenarioOf,
  most: number = seedsMax,
): Promise<string | null> {
  for (let seed = 70_001; seed <= 70_000 + most; seed += 1) {
    try {
      await runScenario(of(seed));
    } catch (error) {
      if (error instanceof Disagreement) return error.message;
      throw error;
    }
  }
  return null;
}

/** Changes the effects of accepted commands. */
const ofEffects =
  (change: (effects: Effects, command: Command) => Effects): Mutation =>
  (decide, account, command, context) => {
    const decision = decide(account, command, context);
    if (decision.outcome === 'refused') return decision;
    return { ...decision, effects: change(decision.effects, command) };
  };

const ofPositions = (change: (row: PositionChange) => Position): Mutation =>
  ofEffects((effects) => ({
    ...effects,
    positions: effects.positions.map((row) => ({ before: row.before, after: change(row) })),
  }));

const closed = ({ before, after }: PositionChange): boolean => after.closing !== null && !before?.closing;

const mutations: Readonly<Record<string, Mutation>> = {
  'a liquidation price that is off by 1e-8': ofPositions(({ before, after }) =>
    before ? after : { ...after, liquidationPrice: asPrice(after.liquidationPrice + 1n) },
  ),
  'a trigger that closes at its own price instead of the tick’s': (decide, account, command, context) => {
    const position = command.kind === 'trigger' ? account.position(command.positionId) : undefined;
    if (command.kind !== 'trigger' || !position) return decide(account, command, context);
    const own: TriggerCommand = { ...command, price: position.stopLossPrice ?? command.price };
    return decide(account, command.trigger === 'stop_loss' ? own : command, context);
  },
  'a stop loss before a liquidation': ofPositions((row) => {
    const { after } = row;
    const isLiquidated =
      closed(row) && after.closing?.reason === 'liquidation' && after.stopLossPrice !== null;
    return isLiquidated && after.closing
      ? { ...after, closing: { ...after.closing, reason: 'stop_loss' } }
      : after;
  }),
  'a close that calls a stale price live': ofPositions(({ after }) =>
    after.closing ? { ...after, closing: { ...after.closing, priceSource: 'live' } } : after,
  ),
  'a source of the market’s price that is stored for openings alone': ofEffects((effects) => ({
    ...effects,
    executions: effects.executions.map((fill) =>
      fill.realizedPnl === null ? fill : { ...fill, marketSource: null },
    ),
  })),
  'a tick that is ignored': (decide, account, command, context) =>
    command.kind === 'trigger' && command.trigger === 'take_profit'
      ? { outcome: 'refused', refusal: { code: 'not_crossed' } }
      : decide(account, command, context),
  'an order that opens without its take profit': ofEffects((effects, { kind }) => ({
    ...effects,
    positions: effects.positions.map(({ before, after }) => ({
      before,
      after: kind === 'fill' ? { ...after, takeProfitPrice: null } : after,
    })),
  })),
  'no notification of a fill': ofEffects((effects) => ({
    ...effects,
    notifications: effects.notifications.filter(({ kind }) => kind !== 'order_filled'),
  })),
  'a fee without a trade': ofEffects((effects, { kind }) => {
    if (kind !== 'open' || effects.wallet.available === 0n) return effects;
    const { wallet } = effects;
    const [group] = effects.ledger;
    if (!group) return effects;
    const fee = { ...group, id: `${group.id}!`, kind: 'fee' as const };
    const entries = [
      { account: 'user:cash' as const, amount: asMoney(-1n) },
      { account: 'house:fees' as const, amount: asMoney(1n) },
    ];
    return {
      ...effects,
      wallet: { ...wallet, available: asMoney(wallet.available - 1n) },
      ledger: [...effects.ledger, { ...fee, entries }],
      positions: effects.positions.map(({ before, after }) => ({
        before,
        after: { ...after, fees: asMoney(after.fees + 1n) },
      })),
    };
  }),
  'a restriction that cancels nothing': (decide, account, command, context) =>
    command.kind === 'restrict'
      ? decide({ ...accountOf(account), openOrders: () => [] }, command, context)
      : decide(account, command, context),
  'a close at the reopening that is forgotten': (decide, account, command, context) =>
    command.kind === 'trigger' && command.trigger === 'close_at_reopen'
      ? { outcome: 'refused', refusal: { code: 'not_crossed' } }
      : decide(account, command, context),
  'a close at the reopening that is not taken back': (decide, account, command, context) =>
    command.kind === 'close_at_reopen'
      ? decide(account, { ...command, requested: true }, context)
      : decide(account, command, context),
  'a close at a price that a newer one speaks against': (decide, account, command, context) =>
    command.kind === 'close'
      ? decide(account, command, { ...context, market: withoutHolds(context.market) })
      : decide(account, command, context),
  'a reset while a price is held back': (decide, account, command, context) =>
    command.kind === 'reset'
      ? decide(account, command, { ...context, market: withoutHolds(context.market) })
      : decide(account, command, context),
  'a hold that refuses the request for a close at the next price': (decide, account, command, context) =>
    command.kind === 'close_at_reopen'
      ? decide(account, command, { ...context, market: withoutHolds(context.market) })
      : decide(account, command, context),
  'an amendment that forgets what the order held': (decide, account, command, context) => {
    if (command.kind !== 'amend') return decide(account, command, context);
    const poorer = { ...account.wallet, available: asMoney(0n) };
    const decision = decide({ ...accountOf(account), wallet: poorer }, command, context);
    return decision.outcome === 'refused' ? decision : decide(account, command, context);
  },
  'an amendment to another price': (decide, account, command, context) =>
    command.kind === 'amend'
      ? decide(
          account,
          { ...command, price: account.order(command.orderId)?.price ?? command.price },
          context,
        )
      : decide(account, command, context),
  // Both use an account that hides the positions that the engine would search; the core's own assertion cannot see
  // them either.
  'SEC-F2: an insurance that pays beside an open gain': (decide, account, command, context) =>
    command.kind === 'trigger' || command.kind === 'close'
      ? decide({ ...accountOf(account), openPositions: () => [] }, command, context)
      : decide(account, command, context),
  'SEC-F2: a close before what has nothing left to lose': (decide, account, command, context) =>
    command.kind === 'close'
      ? decide({ ...accountOf(account), exhaustedAt: () => [] }, command, context)
      : decide(account, command, context),
  'an open for a restricted trader': (decide, account, command, context) =>
    command.kind === 'open'
      ? decide({ ...accountOf(account), restricted: false }, command, context)
      : decide(account, command, context),
};

function withoutHolds(market: Context['market']): Context['market'] {
  return {
    ...market,
    quote: (symbol) => {
      const quote = market.quote(symbol);
      return quote && { ...quote, held: false };
    },
  };
}

/** An account is an object with getters and methods; this is one that can be spread. */
function accountOf(account: Account): Account {
  return {
    wallet: account.wallet,
    terms: account.terms,
    restricted: account.restricted,
    own: account.own ?? null,
    position: (id) => account.position(id),
    order: (id) => account.order(id),
    openPositions: () => account.openPositions(),
    holdsBothSides: (symbol) => account.holdsBothSides(symbol),
    exhaustedAt: (symbol, price) => account.exhaustedAt(symbol, price),
    openOrders: () => account.openOrders(),
    leverageOf: (symbol) => account.leverageOf(symbol),
    ownTrades: (symbol) => account.ownTrades(symbol),
    openPositionCount: account.openPositionCount,
    openOrderCount: account.openOrderCount,
  };
}

type Account = Parameters<Decide>[0];
type Terms = Account['terms'];
const mains = new Set([0, 1, 2].map(traderId));
const isMain = ({ wallet }: Pick<Effects, 'wallet'>): boolean => mains.has(wallet.accountId);
/** Of the last decision on a main account. */
let mainTerms: Terms | null = null;

/** Decides on accounts beside the main ones under changed terms; `main`: those of main accounts. */
const ofOtherTerms =
  (change: (own: Terms, main: Terms) => Terms): Mutation =>
  (decide, account, command, context) => {
    if (isMain(account)) mainTerms = account.terms;
    if (isMain(account) || !mainTerms) return decide(account, command, context);
    const { terms } = account;
    return decide({ ...accountOf(account), terms: change(terms, mainTerms) }, command, context);
  };

/** Books one unit of 1e-8 into or out of the account, as a group of its own with its line of the history. */
function moved(effects: Effects, amount: bigint): Effects {
  const { wallet, transactions, ledger } = effects;
  const id = `moved ${wallet.accountId} ${wallet.version}`;
  const type = amount > 0n ? ('deposit' as const) : ('withdrawal' as const);
  const entries = [
    { account: 'user:cash' as const, amount: asMoney(amount) },
    { account: 'external' as const, amount: asMoney(-amount) },
  ];
  return {
    ...effects,
    wallet: { ...wallet, available: asMoney(wallet.available + amount) },
    transactions: [...transactions, { id, type, amount: asMoney(amount), description: 'Moved' }],
    ledger: [...ledger, { id, kind: type, sourceId: id, entries }],
  };
}

/** What the main accounts got and no other account has paid yet. */
let owed = 0n;

/** Faults of an engine that mixes the accounts of a user. Every sum over the accounts of a user stays right. */
const mutationsOfAccounts: Readonly<Record<string, Mutation>> = {
  // A restriction is one batch for all accounts of the user: nothing shows but the two accounts themselves.
  'money that moves between two accounts of a user': ofEffects((effects, command) => {
    if (command.kind !== 'restrict') return effects;
    if (isMain(effects)) {
      owed = 1n;
      return moved(effects, 1n);
    }
    if (owed === 0n || effects.wallet.available === 0n) return effects;
    owed = 0n;
    return moved(effects, -1n);
  }),
  'a fee of the main account in another one': ofOtherTerms((own, { feeRate }) => ({ ...own, feeRate })),
  'the rules of the main account in another one': ofOtherTerms((own, { rules }) => ({ ...own, rules })),
  'the greatest leverage of an account that is ignored': ofOtherTerms((own, { leverageMax }) => ({
    ...own,
    leverageMax,
  })),
  'a restriction that cancels the orders of the main account alone': (decide, account, command, context) =>
    command.kind === 'restrict' && !isMain(account)
      ? decide({ ...accountOf(account), openOrders: () => [] }, command, context)
      : decide(account, command, context),
};

const isNet = ({ terms }: Pick<Account, 'terms'>): boolean => terms.rules === 'perpetual';

/** Faults that only accounts with net positions can have. Their ledger adds up, and the core's own assertions hold. */
const ofNet =
  (mutation: Mutation): Mutation =>
  (decide, account, command, context) =>
    isNet(account) ? mutation(decide, account, command, context) : decide(account, command, context);

const mutationsOfNet: Readonly<Record<string, Mutation>> = {
  'a trader who takes the same levels again and again': ofNet((decide, account, command, context) =>
    command.kind === 'fill'
      ? decide(account, command, context)
      : decide({ ...accountOf(account), ownTrades: () => [] }, command, context),
  ),
  'a waiting order that fills beyond its share of the minute': ofNet((decide, account, command, context) =>
    command.kind === 'fill'
      ? decide({ ...accountOf(account), ownTrades: () => [] }, command, context)
      : decide(account, command, context),
  ),
  'a waiting order that skips the spread': ofNet((decide, account, command, context) =>
    command.kind === 'fill'
      ? decide(account, command, { ...context, market: withoutSpread(context.market) })
      : decide(account, command, context),
  ),
  'a waiting order with the fees of another profile': ofNet((decide, account, command, context) =>
    command.kind === 'fill'
      ? decide(
          { ...accountOf(account), terms: { ...account.terms, fillProfile: 'retail' } },
          command,
          context,
        )
      : decide(account, command, context),
  ),
  'a reduce-only order that opens': ofNet((decide, account, command, context) =>
    (command.kind === 'place' || command.kind === 'open') && command.reduceOnly
      ? withTerms({ reduceOnly: true }, decide(account, { ...command, reduceOnly: false }, context))
      : decide(account, command, context),
  ),
  'a fill-or-kill order that fills in part': ofNet((decide, account, command, context) =>
    command.kind === 'place' && command.timeInForce === 'FOK'
      ? withTerms({ timeInForce: 'FOK' }, decide(account, { ...command, timeInForce: 'IOC' }, context))
      : decide(account, command, context),
  ),
  'an order on a quote that is gone': ofNet((decide, account, command, context) =>
    command.kind === 'place' || command.kind === 'open'
      ? decide(account, { ...command, quoteId: null }, context)
      : decide(account, command, context),
  ),
  'an amendment that leaves the size': ofNet((decide, account, command, context) =>
    command.kind === 'amend'
      ? decide(account, { ...command, size: null }, context)
      : decide(account, command, context),
  ),
  'a leverage that is not stored': ofEffects((effects) => ({ ...effects, leverage: null })),
  'margin that leaves the price of the liquidation where it was': ofEffects((effects, { kind }) =>
    kind === 'adjust_margin'
      ? {
          ...effects,
          positions: effects.positions.map(({ before, after }) => ({
            before,
            after: { ...after, liquidationPrice: before?.liquidationPrice ?? after.liquidationPrice },
          })),
        }
      : effects,
  ),
};

/** The decision, whose orders state these terms. */
function withTerms(terms: Partial<Pick<Order, 'reduceOnly' | 'timeInForce'>>, decision: Decision): Decision {
  if (decision.outcome === 'refused') return decision;
  const orders = decision.effects.orders.map(({ before, after }) => ({
    before,
    after: { ...after, ...terms },
  }));
  return { ...decision, effects: { ...decision.effects, orders } };
}

/** The bids and asks of the market's price itself. */
function withoutSpread(market: Context['market']): Context['market'] {
  return {
    ...market,
    book: (symbol, profile) => {
      const book = market.book?.(symbol, profile);
      const atMid = (levels: readonly Level[]) =>
        levels.map((level) => ({ ...level, price: book?.mid ?? level.price }));
      return book && { ...book, bids: atMid(book.bids), asks: atMid(book.asks) };
    },
  };
}

/** Decides under other locked limits. */
const ofLimits =
  (change: (limits: AccountLimits) => Partial<AccountLimits>): Mutation =>
  (decide, account, command, context) => {
    const { limits } = account.terms;
    if (!limits) return decide(account, command, context);
    const terms = { ...account.terms, limits: { ...limits, ...change(limits) } };
    return decide({ ...accountOf(account), terms }, command, context);
  };

/** Decides under other limits of the owner. */
const ofOwn =
  (change: Partial<OwnLimits>): Mutation =>
  (decide, account, command, context) => {
    const { own } = account;
    if (!own) return decide(account, command, context);
    const waiting = own.waiting && { ...own.waiting, limits: { ...own.waiting.limits, ...change } };
    const loosened = { ...own, waiting, limits: { ...own.limits, ...change } };
    return decide({ ...accountOf(account), own: loosened }, command, context);
  };

const ofVerdict = (change: (verdict: ChallengeVerdict) => ChallengeVerdict): Mutation =>
  ofEffects((effects) => ({ ...effects, verdict: effects.verdict && change(effects.verdict) }));

/** Faults of locked accounts, of limits of the owner, and of verdicts. */
const mutationsOfLimits: Readonly<Record<string, Mutation>> = {
  'a symbol that a class or program has not': ofLimits(() => ({ symbols: null })),
  'more open positions than its class or program allows': ofLimits(() => ({ positionsMax: null })),
  'an account that opens before the begin': ofLimits(() => ({ opensFrom: null })),
  'an account that opens after the end of its class': ofLimits(({ setBy, opensUntil }) => ({
    opensUntil: setBy === 'class' ? null : opensUntil,
  })),
  'a contest that does not end': ofLimits(({ setBy, opensUntil }) => ({
    opensUntil: setBy === 'contest' ? null : opensUntil,
  })),
  'a contest in which a later stop loss becomes the first one': (decide, account, command, context) => {
    const decision = decide(account, command, context);
    const isOfContest = account.terms.limits?.setBy === 'contest' && command.kind === 'protect';
    if (decision.outcome === 'refused' || !isOfContest) return decision;
    const positions = decision.effects.positions.map(({ before, after }) => ({
      before,
      after: { ...after, initialStopLossPrice: after.initialStopLossPrice ?? after.stopLossPrice },
    }));
    return { ...decision, effects: { ...decision.effects, positions } };
  },
  'a daily loss of the owner that is ignored': ofOwn({ dailyLoss: null, dailyLossPercent: null }),
  'trades beyond those that the owner has set': ofOwn({ tradesMax: null }),
  'a cool-down that is ignored': ofOwn({ coolDownMinutes: null }),
  'a limit that the owner loosens at once': (decide, account, command, context) => {
    const { own } = account;
    if (!own?.waiting) return decide(account, command, context);
    return decide(
      { ...accountOf(account), own: { ...own, limits: own.waiting.limits, waiting: null } },
      command,
      context,
    );
  },
  'a cool-down that begins with a gain': (decide, account, command, context) => {
    const { own } = account;
    if (!own) return decide(account, command, context);
    const day = { ...own.day, lastLossAt: own.day.lastLossAt ?? own.day.start };
    return decide({ ...accountOf(account), own: { ...own, day } }, command, context);
  },
  'a verdict that names the other floor': ofVerdict((verdict) =>
    verdict.rule === 'daily_loss' ? { ...verdict, rule: 'max_loss' } : verdict,
  ),
  'a verdict whose arithmetic is off by 1e-8': ofVerdict(({ figures, ...verdict }) => ({
    ...verdict,
    figures: { ...figures, profitNeeded: asMoney(figures.profitNeeded + 1n) },
  })),
  'a step that ends and leaves an order': (decide, account, command, context) =>
    command.kind === 'judge'
      ? decide({ ...accountOf(account), openOrders: () => [] }, command, context)
      : decide(account, command, context),
};

/** Faults of what the book hints at; the decision itself is right. */
const bookMutations: Readonly<Record<string, (of: Book) => Partial<Book>>> = {
  'a tick that decides and is passed over': ({ judgeChallenge }) => {
    const passedOver = new Set<bigint>();
    return {
      judgeChallenge: (...args) => {
        const verdict = judgeChallenge(...args);
        const [, , { equity }] = args;
        if (!verdict || passedOver.has(equity)) return verdict;
        passedOver.add(equity);
        return null;
      },
    };
  },
  'a floor that follows no peak': () => ({ withEquity: (state) => state }),
  'a day that begins with its equity alone': ({ withNewDay }) => ({
    withNewDay: (state, standing) => withNewDay(state, { ...standing, balance: standing.equity }),
  }),
};

const triggerMutations: Readonly<Record<string, (of: OrderTriggerOf) => OrderTriggerOf>> = {
  'a partly filled order that no price finds': (of) => (order) =>
    order.status === 'PARTIALLY_FILLED' ? null : of(order),
  'a waiting order that is found a thousandth of its price too late': (of) => (order) => {
    const trigger = of(order);
    if (!trigger || order.rules !== 'perpetual') return trigger;
    const away = trigger.when === 'rises' ? trigger.price / 1_000n : -trigger.price / 1_000n;
    return { ...trigger, price: asPrice(trigger.price + away) };
  },
};

test('without a mutation these scenarios agree', async () => {
  expect(await findDisagreement()).toBeNull();
  expect(await findDisagreement(accountsScenarioOf, seedsOfAccountsMax)).toBeNull();
  expect(await findDisagreement(netScenarioOf, seedsOfNetMax)).toBeNull();
  expect(await findDisagreement(limitsScenarioOf, seedsOfLimitsMax)).toBeNull();
}, 120_000);

test.each(Object.keys(mutations))(
  'the auditor finds %s',
  async (name) => {
    planted.mutation = mutations[name] ?? null;
    expect(await findDisagreement()).not.toBeNull();
  },
  60_000,
);

test.each(Object.keys(mutationsOfAccounts))(
  'A112: the auditor finds %s, and no invariant of the ledger does',
  async (name) => {
    planted.mutation = mutationsOfAccounts[name] ?? null;
    const disagreement = await findDisagreement(accountsScenarioOf, seedsOfAccountsMax);
    expect(disagreement).not.toBeNull();
    // 14 is the auditor's own, too: the value of each account.
    expect(disagreement).not.toMatch(/invariant (?!14: equity of)/);
  },
  60_000,
);

test.each(Object.keys(mutationsOfNet))(
  'A113, A114: the auditor finds %s',
  async (name) => {
    planted.mutation = mutationsOfNet[name] ?? null;
    expect(await findDisagreement(netScenarioOf, seedsOfNetMax)).not.toBeNull();
  },
  60_000,
);

test.each(Object.keys(triggerMutations))(
  'A114: invariant 9 finds %s',
  async (name) => {
    planted.trigger = triggerMutations[name] ?? null;
    expect(await findDisagreement(netScenarioOf, seedsOfNetMax)).toMatch(/invariant 9: (the tick|order)/);
  },
  60_000,
);

test.each(Object.keys(mutationsOfLimits))(
  'A112: of locked accounts and own limits the auditor finds %s',
  async (name) => {
    planted.mutation = mutationsOfLimits[name] ?? null;
    expect(await findDisagreement(limitsScenarioOf, seedsOfLimitsMax)).not.toBeNull();
  },
  60_000,
);

test.each(Object.keys(bookMutations))(
  'A112: of challenges the auditor finds %s',
  async (name) => {
    planted.book = bookMutations[name] ?? null;
    expect(await findDisagreement(limitsScenarioOf, seedsOfLimitsMax)).toMatch(/judge of|had to be judged/);
  },
  60_000,
);
