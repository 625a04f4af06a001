/**
 * Random lives of `perpetual` accounts, computed a second time: signed sizes and cash of the executions alone, without positions, margins
 * and brackets. `decide` checks its own invariants at every step.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Book, bookAt, insured, money, netContextAt, otherPair, pair, price } from '../../test/engine.ts';
import { asMoney, asPrice, asSize } from '../money.ts';
import { isWaiting, type Side } from '../states.ts';
import type { Command } from './commands.ts';
import { fires, orderTriggerOf, triggersOf } from './protection.ts';

interface Step {
  readonly what:
    | 'open'
    | 'place'
    | 'close'
    | 'cancel'
    | 'amend'
    | 'reverse'
    | 'leverage'
    | 'margin'
    | 'tick'
    | 'reset';
  readonly side: Side;
  /** In steps of 0.001. */
  readonly size: bigint;
  readonly leverage: number;
  /** Ticks from the present price. */
  readonly away: bigint;
  readonly pick: number;
  readonly timeInForce: string;
  readonly reduceOnly: boolean;
  readonly other: boolean;
  readonly waitMs: number;
}
const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(
      'open',
      'open',
      'place',
      'place',
      'close',
      'cancel',
      'amend',
      'reverse',
      'leverage',
      'margin',
      'tick',
      'tick',
      'tick',
      'reset',
    ),
    side: fc.constantFrom('BUY', 'SELL'),
    size: fc.bigInt({ min: 1n, max: 20_000n }),
    leverage: fc.constantFrom(1, 5, 20, 20, 20, 100, 125),
    away: fc.bigInt({ min: -300n, max: 300n }),
    pick: fc.nat(50),
    timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'GTX'),
    reduceOnly: fc.boolean(),
    other: fc.boolean(),
    waitMs: fc.constantFrom(0, 50, 1_000, 5_000, 61_000),
  }),
  { minLength: 40, maxLength: 80, size: 'max' },
);

/** What executions alone say of a symbol. */
interface Tally {
  size: bigint;
  /** Received less paid. */
  cash: bigint;
}

test('A113, A114: whatever happens, positions and money are what the executions add up to', () => {
  fc.assert(
    fc.property(steps, (life) => {
      const book = new Book('5000');
      const tallies = new Map<string, Tally>();
      const prices = new Map([
        [pair.symbol, price('100')],
        [otherPair.symbol, price('50')],
      ]);
      let now = 1_000_000_000;
      let seen = 0;
      const context = () => {
        const given = netContextAt({}, { now, fillProfile: 'pro' });
        const quote = (name: string) => ({
          ...{ price: prices.get(name) ?? price('1'), stale: false, held: false, marketOpen: true },
        });
        const book = (name: string) => ({ ...bookAt(quote(name).price, now), quoteId: name });
        return { ...given, market: { ...given.market, quote, book } };
      };
      const attempt = (command: Command): void => {
        const decision = book.decide(command, context());
        if (decision.outcome === 'accepted') book.take(decision.effects, now);
      };

      for (const step of life) {
        now += step.waitMs;
        const symbol = step.other ? otherPair.symbol : pair.symbol;
        const at = prices.get(symbol) ?? price('1');
        const near = asPrice(at + step.away * pair.tickSize);
        const protection = { takeProfitPrice: null, stopLossPrice: null };
        const trade = {
          symbol,
          side: step.side,
          size: asSize(step.size * pair.stepSize),
          leverage: step.leverage,
        };
        const positions = book.openPositions();
        const orders = book.openOrders();
        const position = positions[step.pick % (positions.length || 1)];
        const order = orders[step.pick % (orders.length || 1)];
        switch (step.what) {
          case 'open':
            attempt({
              kind: 'open',
              ...trade,
              ...protection,
              expectedPrice: null,
              reduceOnly: step.reduceOnly,
            });
            break;
          case 'place':
            attempt({
              ...{ kind: 'place', type: 'LIMIT', ...trade, ...protection, price: near, clientId: null },
              ...{
                keepRejected: step.pick % 2 === 0,
                timeInForce: step.timeInForce,
                reduceOnly: step.reduceOnly,
              },
            });
            break;
          case 'close':
            if (position) {
              const part =
                step.pick % 3 === 0 ? null : asSize((position.size / 2n / pair.stepSize) * pair.stepSize);
              attempt({ kind: 'close', positionId: position.id, size: part, reason: 'manual' });
            }
            break;
          case 'cancel':
            if (order) attempt({ kind: 'cancel', orderId: order.id });
            break;
          case 'amend':
            if (order) attempt({ kind: 'amend', orderId: order.id, price: near, size: trade.size });
            break;
          case 'reverse':
            if (position) attempt({ kind: 'reverse', positionId: position.id, expectedPrice: null });
            break;
          case 'leverage':
            attempt({ kind: 'set_leverage', symbol, leverage: step.leverage });
            break;
          case 'margin':
            if (position)
              attempt({
                kind: 'adjust_margin',
                positionId: position.id,
                amount: asMoney(step.away * 10_000_000n),
              });
            break;
          case 'reset':
            if (step.pick === 0) attempt({ kind: 'reset', startBalance: money('5000') });
            break;
          case 'tick':
            prices.set(symbol, near > 0n ? near : at);
            for (const { id, symbol: of } of book.openPositions()) {
              const open = book.position(id);
              const tick = prices.get(of) ?? at;
              const first = open && triggersOf(open).find((trigger) => fires(trigger, tick));
              if (first) attempt({ kind: 'trigger', trigger: first.kind, positionId: id, price: tick });
            }
            for (const waiting of book.openOrders()) {
              const tick = prices.get(waiting.symbol) ?? at;
              const trigger = orderTriggerOf(waiting);
              if (trigger && fires(trigger, tick))
                attempt({ kind: 'fill', orderId: waiting.id, price: tick });
            }
        }

        for (const { symbol: of, side, size, value } of book.executions.slice(seen)) {
          const one = tallies.get(of) ?? { size: 0n, cash: 0n };
          tallies.set(of, one);
          one.size += side === 'BUY' ? size : -size;
          one.cash += side === 'BUY' ? -value : value;
        }
        seen = book.executions.length;
        let invested = 0n;
        for (const [of, { size }] of tallies) {
          const open = book.openPositions().filter((one) => one.symbol === of);
          expect(open.length).toBe(size === 0n ? 0 : 1);
          const [net] = open;
          if (!net) continue;
          expect(net.side === 'BUY' ? net.size : -net.size).toBe(size);
          invested += net.side === 'BUY' ? (net.entryValue ?? 0n) : -(net.entryValue ?? 0n);
        }
        const cash = [...tallies.values()].reduce((sum, one) => sum + one.cash, 0n);
        const realized = book.executions.reduce((sum, { realizedPnl }) => sum + (realizedPnl ?? 0n), 0n);
        // What was received less what was paid is in the results and in what is still open; the insurance paid the rest.
        expect(realized).toBe(cash + invested + insured(book));
        const booked = (account: string): bigint =>
          book.ledger
            .flatMap(({ entries }) => entries)
            .reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0n);
        expect(booked('user:cash')).toBe(book.wallet.available);
        expect(booked('user:margin')).toBe(
          book.openPositions().reduce((sum, { margin }) => sum + margin, 0n),
        );
        expect(booked('user:order_margin')).toBe(
          [...book.orders.values()].reduce((sum, { reserved }) => sum + reserved, 0n),
        );
        expect(booked('house:fees')).toBe(book.executions.reduce((sum, { fee }) => sum + fee, 0n));
        for (const waiting of book.orders.values()) {
          const own = book.executions.filter(({ orderId }) => orderId === waiting.id);
          expect(waiting.filledSize).toBe(own.reduce((sum, { size }) => sum + size, 0n));
          expect(waiting.filledValue).toBe(own.reduce((sum, { value }) => sum + value, 0n));
          if (!isWaiting(waiting.status)) expect(waiting.reserved).toBe(0n);
        }
      }
    }),
    { numRuns: 400 },
  );
});
