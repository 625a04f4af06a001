import { expect, test } from 'vitest';
import { Book, close, held, netContextAt, open, price, size } from '../../test/engine.ts';
import { asMoney } from '../money.ts';
import { hourMs } from '../time.ts';
import type { Command, Context } from './commands.ts';
import type { Effects, PositionChange } from './effects.ts';
import { assertFunded } from './funding-soundness.ts';
import { InvariantViolation } from './invariant.ts';
import { assertSound } from './soundness.ts';
import type { Position, Wallet } from './types.ts';

const midnight = Date.parse('2026-11-28T00:00:00Z');
const at = (hours: number, quote: Parameters<typeof netContextAt>[0] = '100'): Context =>
  netContextAt(quote, { now: midnight + hours * hourMs });

interface Funded {
  readonly command: Command;
  readonly context: Context;
  readonly before: Wallet;
  readonly effects: Effects;
}
/** A BUY of 1, funded for two instants. */
function funded(): Funded {
  const book = new Book('1000');
  const { id } = book.acceptPosition(open({ size: size('1'), leverage: 20 }), at(7));
  const [command, context] = [{ kind: 'fund', positionId: id } as const, at(17)];
  const decision = book.decide(command, context);
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code);
  return { command, context, before: book.wallet, effects: decision.effects };
}
const judge = ({ command, context, before, effects }: Funded): void => {
  assertSound(before, effects);
  assertFunded(command, effects, context);
};
const positionsWith =
  (more: Partial<Position>) =>
  (step: Funded): Funded => ({
    ...step,
    effects: {
      ...step.effects,
      positions: step.effects.positions.map(({ before, after }) => ({
        before,
        after: { ...after, ...more },
      })),
    },
  });
/** Books the groups and the position's funding so many times as much. */
const scaled =
  (factor: bigint) =>
  (step: Funded): Funded => {
    const { wallet, positions, ledger, transactions } = step.effects;
    const extra = ledger
      .flatMap(({ entries }) => entries)
      .reduce((sum, { account, amount }) => (account === 'user:cash' ? sum + amount : sum), 0n);
    const more = asMoney(extra * (factor - 1n));
    return {
      ...step,
      effects: {
        ...step.effects,
        wallet: { ...wallet, available: asMoney(wallet.available + more) },
        positions: positions.map(({ before, after }) => ({
          before,
          after: { ...after, funding: asMoney(after.funding + more) },
        })),
        ledger: ledger.map((group) => ({
          ...group,
          entries: group.entries.map((entry) => ({ ...entry, amount: asMoney(entry.amount * factor) })),
        })),
        transactions: transactions.map((line) => ({ ...line, amount: asMoney(line.amount * factor) })),
      },
    };
  };
const onePosition = ({ effects }: Funded): PositionChange => {
  const [change] = effects.positions;
  if (!change) throw new Error('nothing changed');
  return change;
};

test('A113: funding as it is decided is sound', () => {
  expect(() => judge(funded())).not.toThrow();
});

test.each<[what: string, breaking: (step: Funded) => Funded, message: string]>([
  ['funding that nothing booked', positionsWith({ funding: asMoney(-1n) }), 'is paid its funding'],
  ['an instant of the future', positionsWith({ fundedAt: midnight + 24 * hourMs }), 'is funded until now'],
  ['an instant that is none', positionsWith({ fundedAt: midnight + 16 * hourMs + 1 }), 'is funded when due'],
  ['no instant at all', positionsWith({ fundedAt: null }), 'is funded until now'],
  [
    'one instant less than was booked',
    positionsWith({ fundedAt: midnight + 8 * hourMs }),
    'pays once an instant',
  ],
  ['more than an instant costs', scaled(2n), 'books no more than an instant costs'],
  ['another position', positionsWith({ takeProfitPrice: price('120') }), 'is what it was'],
  [
    'a second time',
    (step) => {
      const { before, after } = onePosition(step);
      if (!before) throw new Error('new');
      const again = { before: { ...before, fundedAt: after.fundedAt }, after };
      return { ...step, effects: { ...step.effects, positions: [again] } };
    },
    'is funded once an instant',
  ],
  [
    'another kind',
    (step) => ({
      ...step,
      effects: {
        ...step.effects,
        ledger: step.effects.ledger.map((group) => ({ ...group, kind: 'financing' as const })),
      },
    }),
    'is that of position',
  ],
  ['a held price', (step) => ({ ...step, context: at(17, held) }), 'at a known price'],
  ['another command', (step) => ({ ...step, command: close('x') }), 'is funded by its own command'],
])('A113: %s is refused', (_, breaking, message) => {
  const judged = () => judge(breaking(funded()));
  expect(judged).toThrow(InvariantViolation);
  expect(judged).toThrow(message);
});
