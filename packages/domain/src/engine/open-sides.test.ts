import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Book, contextAt, open, otherPair, pair, price } from '../../test/engine.ts';
import { asPrice, asSize } from '../money.ts';
import { OpenSides } from './open-sides.ts';
import type { Position } from './types.ts';

/** Open positions beside their index, which counts the positions that it reads. */
class Held {
  readonly open = new Map<string, Position>();
  reads = 0;
  readonly sides = new OpenSides(() => this.#walk());

  *#walk(): Generator<Position> {
    for (const position of this.open.values()) {
      this.reads += 1;
      yield position;
    }
  }
  add(position: Position): void {
    this.open.set(position.id, position);
    this.sides.record(null, position);
  }
  close(position: Position): void {
    this.open.delete(position.id);
    const closing = {
      price: price('100'),
      priceSource: 'live',
      reason: 'manual',
      realizedPnl: position.margin,
      at: 0,
    } as const;
    this.sides.record(position, { ...position, closing });
  }
}

const positionOf = (id: string, more: Parameters<typeof open>[0], mark = '100'): Position => ({
  ...new Book('100000000').acceptPosition(open(more), contextAt(mark)),
  id,
});

test('A111: the index gives what a walk over all open positions gives', () => {
  const step = fc.record({
    symbol: fc.constantFrom(pair.symbol, otherPair.symbol),
    side: fc.constantFrom('BUY', 'SELL'),
    leverage: fc.constantFrom(1, 20, 125),
    entry: fc.integer({ min: 90, max: 110 }),
    closes: fc.option(fc.nat(), { freq: 2 }),
    mark: fc.bigInt({ min: 80_00000000n, max: 120_00000000n }).map(asPrice),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const held = new Held();
      for (const [i, { closes, mark, entry, symbol, ...terms }] of steps.entries()) {
        const named = positionOf(`p${i}`, { ...terms, symbol }, String(entry));
        held.add(named);
        const all = [...held.open.values()];
        const target = closes === null ? undefined : all[closes % all.length];
        if (target) held.close(target);
        const naive = new Book('0');
        for (const position of held.open.values()) naive.positions.set(position.id, position);
        expect(held.sides.isHedged(symbol)).toBe(naive.holdsBothSides(symbol));
        expect(held.sides.exhaustedAt(symbol, mark)).toEqual(naive.exhaustedAt(symbol, mark));
      }
    }),
    { numRuns: 200 },
  );
});

test('A111: closing 2,000 positions of both sides walks them a few times, not once per close', () => {
  const held = new Held();
  const [long, short] = [positionOf('long', {}), positionOf('short', { side: 'SELL' })];
  for (let i = 0; i < 1_000; i += 1) {
    held.add({ ...long, id: `long ${i}`, size: asSize(long.size + BigInt(i)) });
    held.add({ ...short, id: `short ${i}`, size: asSize(short.size + BigInt(i)) });
  }
  for (const position of [...held.open.values()]) {
    expect(held.sides.exhaustedAt(pair.symbol, price('101'))).toEqual([]);
    held.close(position);
  }
  expect(held.reads).toBeLessThanOrEqual(3 * 2_000);
});

test('A111: an account with one side of a symbol is walked once, for any number of closes and any price', () => {
  const held = new Held();
  const long = positionOf('long', { leverage: 125 });
  for (let i = 0; i < 2_000; i += 1) held.add({ ...long, id: `long ${i}` });
  for (const position of [...held.open.values()]) {
    expect(held.sides.exhaustedAt(pair.symbol, price('50'))).toEqual([]);
    held.close(position);
  }
  expect(held.reads).toBeLessThanOrEqual(2_000);
});
