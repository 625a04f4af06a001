import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Trigger, TriggerIndex, triggerKinds } from './trigger-index.ts';

const symbols = ['BTCUSDT', 'EUR/USD'];
const ids = Array.from({ length: 12 }, () => randomUUID());
const accountId = randomUUID();
const trigger = fc.record({
  symbol: fc.constantFrom(...symbols),
  kind: fc.constantFrom(...triggerKinds),
  id: fc.constantFrom(...ids),
  accountId: fc.constant(accountId),
  price: fc.bigInt({ min: 1n, max: 40n }),
  when: fc.constantFrom('rises', 'falls'),
}) satisfies fc.Arbitrary<Trigger>;
const step = fc.oneof(
  fc.record({ do: fc.constant('arm' as const), trigger }),
  fc.record({ do: fc.constant('disarm' as const), trigger }),
  fc.record({ do: fc.constant('disarmAll' as const), trigger }),
  fc.record({ do: fc.constant('take' as const), trigger, max: fc.integer({ min: 0, max: 5 }) }),
);

const byId = (a: Trigger, b: Trigger) => (`${a.id}${a.kind}` < `${b.id}${b.kind}` ? -1 : 1);
const fires = ({ when, price }: Trigger, at: bigint) => (when === 'rises' ? at >= price : at <= price);

test('A05, A21: the index takes exactly what a list of all triggers gives, whatever was armed and disarmed before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const index = new TriggerIndex(triggerKinds);
      let model: Trigger[] = [];
      for (const action of steps) {
        const { symbol, id, kind, price } = action.trigger;
        const isSame = (other: Trigger) => other.id === id && other.kind === kind;
        switch (action.do) {
          case 'arm':
            index.arm(action.trigger);
            model = [...model.filter((other) => !isSame(other)), action.trigger];
            break;
          case 'disarm':
            expect(index.disarm(id, kind)).toBe(model.some(isSame));
            model = model.filter((other) => !isSame(other));
            break;
          case 'disarmAll':
            index.disarmAll(id);
            model = model.filter((other) => other.id !== id);
            break;
          case 'take': {
            const crossed = model.filter((other) => other.symbol === symbol && fires(other, price));
            expect(index.isCrossed(symbol, price)).toBe(crossed.length > 0);
            const taken = index.take(symbol, price, action.max);
            expect(taken.length).toBe(Math.min(action.max, crossed.length));
            for (const one of taken) expect(crossed).toContainEqual(one);
            model = model.filter(
              (other) => !taken.some((one) => one.id === other.id && one.kind === other.kind),
            );
          }
        }
        expect(index.size).toBe(model.length);
      }
      const rest = symbols.flatMap((symbol) => [
        ...index.take(symbol, 1n, 1e6),
        ...index.take(symbol, 40n, 1e6),
      ]);
      expect(rest.toSorted(byId)).toEqual(model.toSorted(byId));
    }),
    { numRuns: 300 },
  );
});

test('A05: grows over its first size and keeps every trigger', () => {
  const index = new TriggerIndex(triggerKinds);
  const all = Array.from({ length: 10_000 }, (_, i) => {
    const made: Trigger = {
      symbol: 'BTCUSDT',
      kind: 'liquidation',
      id: randomUUID(),
      accountId,
      price: BigInt(i + 1),
      when: i % 2 === 0 ? 'rises' : 'falls',
    };
    index.arm(made);
    return made;
  });
  expect(index.take('BTCUSDT', 1n, 1e6)).toHaveLength(5_001);
  expect(index.take('BTCUSDT', 10_000n, 1e6)).toHaveLength(4_999);
  expect(all).toHaveLength(10_000);
  expect(index.size).toBe(0);
});

test('the nearest price fires first on either side', () => {
  const index = new TriggerIndex(triggerKinds);
  const at = (price: bigint, when: Trigger['when']): Trigger => ({
    symbol: 'BTCUSDT',
    kind: 'limit',
    id: randomUUID(),
    accountId,
    price,
    when,
  });
  for (const price of [105n, 103n, 104n]) index.arm(at(price, 'rises'));
  for (const price of [95n, 97n, 96n]) index.arm(at(price, 'falls'));
  expect(index.isCrossed('BTCUSDT', 100n)).toBe(false);
  expect(index.take('BTCUSDT', 110n, 2).map(({ price }) => price)).toEqual([103n, 104n]);
  expect(index.take('BTCUSDT', 90n, 2).map(({ price }) => price)).toEqual([97n, 96n]);
});

test('refuses a price that a float cannot hold, and what is no uuid', () => {
  const index = new TriggerIndex(triggerKinds);
  const good: Trigger = { symbol: 'X', kind: 'stop', id: randomUUID(), accountId, price: 1n, when: 'rises' };
  expect(() => index.arm({ ...good, price: 2n ** 53n })).toThrow(RangeError);
  expect(() => index.arm({ ...good, price: 0n })).toThrow(RangeError);
  expect(() => index.arm({ ...good, id: 'x' })).toThrow(RangeError);
  expect(index.size).toBe(0);
});

test('accounts whose id ends with a byte are disarmed together, and the others fire as before', () => {
  const index = new TriggerIndex(triggerKinds);
  const ending = (byte: string): string => `${randomUUID().slice(0, -2)}${byte}`;
  const accounts = [ending('00'), ending('7f'), ending('7f'), ending('ff')];
  // More than the first capacity, so that the arrays have grown.
  for (let n = 0; n < 3_000; n += 1) {
    const accountId = accounts[n % accounts.length] ?? '';
    index.arm({
      symbol: n % 2 === 0 ? 'A' : 'B',
      kind: 'stop',
      id: randomUUID(),
      accountId,
      price: BigInt(n + 1),
      when: 'rises',
    });
  }
  index.disarmAccounts(new Set([0x7f, 0x01]));
  expect(index.size).toBe(1_500);
  const taken = ['A', 'B'].flatMap((symbol) => index.take(symbol, 3_000n, 3_000));
  expect(new Set(taken.map(({ accountId }) => accountId))).toEqual(new Set([accounts[0], accounts[3]]));
  expect(taken.filter(({ symbol }) => symbol === 'A').map(({ price }) => price)).toEqual(
    Array.from({ length: 750 }, (_, n) => BigInt(4 * n + 1)),
  );
  expect(index.size).toBe(0);
});
