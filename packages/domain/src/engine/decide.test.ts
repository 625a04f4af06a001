import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, asPercent, asPrice, asSize, parseDecimal, toDecimalString } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { type RuleSetName, rulesOf } from '../rules.ts';
import {
  type Account,
  assertSound,
  balanceOf,
  type Command,
  type Context,
  decide,
  type Effects,
  InvariantViolation,
  type Position,
  type Quote,
  type Wallet,
} from './index.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));

const pair: TradingPair = {
  id: 'BTCUSDT',
  symbol: 'BTCUSDT',
  name: 'Bitcoin',
  nickname: null,
  type: 'crypto',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  minPrice: price('0.01'),
  maxPrice: price('1000000'),
  tickSize: price('0.01'),
  minQty: size('0.001'),
  maxQty: size('1000'),
  stepSize: size('0.001'),
  tradingHours: '24/7',
  sortOrder: 0,
};

/** An account that takes every accepted decision over at once, as the engine does after a commit. */
class Book implements Account {
  wallet: Wallet;
  restricted = false;
  readonly positions = new Map<string, Position>();
  constructor(available: string) {
    this.wallet = {
      id: 'wallet',
      userId: 'trader',
      available: money(available),
      margin: asMoney(0n),
      orderMargin: asMoney(0n),
      version: 0,
    };
  }
  position(id: string) {
    return this.positions.get(id);
  }
  take({ wallet, positions }: Effects) {
    this.wallet = wallet;
    for (const { after } of positions) this.positions.set(after.id, after);
  }
}

let ids = 0;
function contextAt(quote: Partial<Quote> | null, rules: RuleSetName = 'standard'): Context {
  ids += 1;
  return {
    now: 1000 + ids,
    market: {
      pair: (symbol) => (symbol === pair.symbol ? pair : undefined),
      quote: () => (quote ? { price: price('100'), stale: false, marketOpen: true, ...quote } : undefined),
    },
    rules,
    priceTolerance: asPercent(parseDecimal('0.5')),
    ids: { position: `position-${ids}`, ledgerGroup: `group-${ids}` },
  };
}

const open = (more: Partial<Extract<Command, { kind: 'open' }>> = {}): Command => ({
  kind: 'open',
  symbol: 'BTCUSDT',
  side: 'BUY',
  size: size('1'),
  leverage: 10,
  claimedPrice: null,
  ...more,
});
const close = (positionId: string): Command => ({ kind: 'close', positionId, reason: 'manual' });

function accepted(account: Book, command: Command, context: Context) {
  const decision = decide(account, command, context);
  if (decision.outcome === 'refused') throw new Error(`refused: ${decision.refusal.code}`);
  account.take(decision.effects);
  return decision;
}
function refusalOf(account: Account, command: Command, context: Context) {
  const decision = decide(account, command, context);
  return decision.outcome === 'refused' ? decision.refusal : null;
}

describe('A08: the worked example at leverage 10', () => {
  test.each([
    ['standard', '1001'],
    ['as-specified', '1010'],
  ] as const)('under %s 1000/1000 becomes 1000/990 and closes at 101 to %s', (rules, end) => {
    const book = new Book('1000');
    const { position } = accepted(book, open(), contextAt({}, rules));
    expect(toDecimalString(balanceOf(book.wallet))).toBe('1000');
    expect(toDecimalString(book.wallet.available)).toBe('990');
    accepted(book, close(position.id), contextAt({ price: price('101') }, rules));
    expect(toDecimalString(balanceOf(book.wallet))).toBe(end);
    expect(toDecimalString(book.wallet.available)).toBe(end);
  });
});

describe('A22 A101: the first of several mistakes is named', () => {
  /** Each row lists every mistake from its own on; repairing the first must reveal the next. */
  const wrong = { symbol: 'NOPE', side: 'HOLD', leverage: 0, size: size('0') };
  const rich = () => new Book('1000');
  test.each([
    ['unknown_symbol', rich, open(wrong), null],
    ['side_invalid', rich, open({ ...wrong, symbol: 'BTCUSDT' }), null],
    ['leverage_invalid', rich, open({ leverage: 1.5, size: size('0') }), null],
    ['amount_out_of_range', rich, open({ size: size('0.0005') }), { marketOpen: false }],
    ['market_closed', rich, open(), { marketOpen: false, stale: true }],
    ['no_price', rich, open(), null],
    ['price_stale', rich, open({ claimedPrice: price('1') }), { stale: true }],
    ['price_moved', rich, open({ claimedPrice: price('1') }), {}],
    ['insufficient_balance', () => new Book('9.99999999'), open(), {}],
  ] as const)('%s', (code, account, command, quote) => {
    expect(refusalOf(account(), command, contextAt(quote))?.code).toBe(code);
  });

  test('A72: restriction comes last and does not bind a close', () => {
    const book = rich();
    const { position } = accepted(book, open(), contextAt({}));
    book.restricted = true;
    expect(refusalOf(book, open({ size: size('999') }), contextAt({}))?.code).toBe('insufficient_balance');
    expect(refusalOf(book, open(), contextAt({}))?.code).toBe('account_restricted');
    accepted(book, close(position.id), contextAt({}));
  });
});

describe('A18: the claimed price is a bound', () => {
  test.each([
    ['99.51', null],
    ['100.5', null],
    ['99.50', 'price_moved'],
    ['100.51', 'price_moved'],
    ['0', 'price_moved'],
    ['-100', 'price_moved'],
  ])('%s against a market at 100 gives %s', (claimed, code) => {
    const refusal = refusalOf(new Book('1000'), open({ claimedPrice: price(claimed) }), contextAt({}));
    expect(refusal?.code ?? null).toBe(code);
  });
});

describe('A24: the close price falls back live, mark, entry', () => {
  test.each([
    ['live', { price: price('103') }, '103'],
    ['mark', { price: price('103'), stale: true }, '103'],
    ['entry', null, '100'],
  ] as const)('%s', (source, quote, closePrice) => {
    const book = new Book('1000');
    const { position } = accepted(book, open(), contextAt({}));
    const { closing } = accepted(book, close(position.id), contextAt(quote)).position;
    expect(closing).toMatchObject({ priceSource: source, price: price(closePrice) });
  });
});

test('A03: a close beyond the margin books the excess to insurance', () => {
  const book = new Book('10');
  const { position } = accepted(book, open(), contextAt({}));
  const { effects } = accepted(book, close(position.id), contextAt({ price: price('75') }));
  expect(book.wallet).toMatchObject({ available: 0n, margin: 0n });
  expect(effects.ledger[0]?.entries).toEqual([
    { account: 'user:margin', amount: money('-10') },
    { account: 'house:pnl', amount: money('25') },
    { account: 'insurance', amount: money('-15') },
  ]);
});

test('RULE-22 A23: an unknown position and a second close are refused', () => {
  const book = new Book('1000');
  expect(refusalOf(book, close('nobody'), contextAt({}))?.code).toBe('position_not_found');
  const { position } = accepted(book, open(), contextAt({}));
  accepted(book, close(position.id), contextAt({}));
  expect(refusalOf(book, close(position.id), contextAt({}))?.code).toBe('position_closed');
});

test('A01: a position is closed under the rules it was opened under', () => {
  const book = new Book('1000');
  const { position } = accepted(book, open(), contextAt({}, 'as-specified'));
  const closed = accepted(book, close(position.id), contextAt({ price: price('101') }, 'standard')).position;
  expect(closed.closing?.realizedPnl).toBe(money('10'));
});

describe('the assertions that stay on in production', () => {
  const opening = (): { before: Wallet; effects: Effects } => {
    const book = new Book('1000');
    const decision = decide(book, open(), contextAt({}));
    if (decision.outcome === 'refused') throw new Error('refused');
    return { before: book.wallet, effects: decision.effects };
  };
  const unsound: [string, (effects: Effects) => Effects][] = [
    [
      'an unbalanced group',
      (e) => ({ ...e, ledger: e.ledger.map((g) => ({ ...g, entries: g.entries.slice(1) })) }),
    ],
    ['money without a ledger row', (e) => ({ ...e, ledger: [] })],
    ['a version that stands still', (e) => ({ ...e, wallet: { ...e.wallet, version: 0 } })],
    ['a margin without its position', (e) => ({ ...e, positions: [] })],
    [
      'a position of another account version',
      (e) => ({
        ...e,
        positions: e.positions.map(({ before, after }) => ({
          before,
          after: { ...after, accountVersion: 9 },
        })),
      }),
    ],
  ];
  test.each(unsound)('%s is not written', (_what, tamper) => {
    const { before, effects } = opening();
    expect(() => assertSound(before, effects)).not.toThrow();
    expect(() => assertSound(before, tamper(effects))).toThrow(InvariantViolation);
  });
});

/**
 * A second, naive account: figures kept apart by what they mean and summed at the end, no ledger, no versions. It
 * predicts both balances after any sequence of commands.
 */
test('RULE-02 RULE-03 A03 A08: any sequence of commands ends where a naive auditor says', () => {
  const step = fc.record({
    kind: fc.constantFrom('open' as const, 'close' as const),
    side: fc.constantFrom('BUY', 'SELL'),
    size: fc.bigInt({ min: 1n, max: 5000n }).map((steps) => asSize(steps * 100_000n)),
    leverage: fc.integer({ min: 1, max: 125 }),
    price: fc.bigInt({ min: 1n, max: 40_000n }).map((ticks) => asPrice(ticks * 1_000_000n)),
    pick: fc.nat(),
    rules: fc.constantFrom('standard' as const, 'as-specified' as const),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const book = new Book('1000');
      const locked = new Map<string, bigint>();
      let balance = money('1000') as bigint;
      for (const { kind, side, size: amount, leverage, price: mark, pick, rules } of steps) {
        const context = contextAt({ price: mark }, rules);
        const reserved = [...locked.values()].reduce((sum, margin) => sum + margin, 0n);
        if (kind === 'open') {
          const exact = 2n * mark * amount;
          const scale = 100_000_000n * BigInt(leverage);
          const margin = (exact + scale) / (2n * scale);
          const decision = decide(book, open({ side, size: amount, leverage }), context);
          expect(decision.outcome === 'accepted').toBe(margin > 0n && margin <= balance - reserved);
          if (decision.outcome === 'accepted') {
            book.take(decision.effects);
            locked.set(decision.position.id, margin);
          }
        } else {
          const [id, margin] = [...locked][pick % Math.max(1, locked.size)] ?? [];
          if (id === undefined || margin === undefined) continue;
          const position = book.positions.get(id);
          if (!position) throw new Error('the book lost a position');
          const gain = rulesOf(position.rules).realizedPnl(position, mark);
          accepted(book, close(id), context);
          balance += gain < -margin ? -margin : gain;
          locked.delete(id);
        }
      }
      const reserved = [...locked.values()].reduce((sum, margin) => sum + margin, 0n);
      expect(balanceOf(book.wallet)).toBe(balance);
      expect(book.wallet.available).toBe(balance - reserved);
      expect(book.wallet.available).toBeGreaterThanOrEqual(0n);
    }),
    { numRuns: 300 },
  );
});
