/** Accounts in challenges, in an equity book whose prices the test sets. */
import {
  asMoney,
  asPercent,
  asSize,
  beginChallenge,
  type ChallengeStep,
  type Position,
  parseDecimal,
  type Quote,
  type Wallet,
} from '@fulcrum/domain';
import { EquityBook } from '../../src/features/trading/triggers/equity-book.ts';
import { positionAt, price } from './waiting-rows.ts';

export const money = (text: string) => asMoney(parseDecimal(text));
export const pct = (text: string) => asPercent(parseDecimal(text));
export const initial = money('10000');
export const idOf = (n: number) => `00000000-0000-4000-8000-0000000000${n.toString(16).padStart(2, '0')}`;
export const step = (more: Partial<ChallengeStep> = {}): ChallengeStep => ({
  ...{ targetPct: pct('10'), dailyLoss: null, maxLoss: { pct: pct('5'), mode: 'static', lockPct: null } },
  ...{ consistencyPct: null, daysMin: 0, daysMax: null },
  ...more,
});
export const walletOf = (account: number, balance = initial): Wallet => ({
  ...{ id: idOf(account), accountId: idOf(account), available: balance, version: 1 },
  ...{ margin: asMoney(0n), orderMargin: asMoney(0n) },
});
export const holding = (account: number, symbol: string, amount: number, entry = '100'): Position =>
  positionAt({
    ...{ id: idOf(0x80 + account * 8 + symbols.indexOf(symbol)), accountId: idOf(account), symbol },
    ...{ side: amount > 0 ? 'BUY' : 'SELL', size: asSize(parseDecimal(String(Math.abs(amount)))) },
    ...{ entryPrice: price(entry), margin: money('1000000') },
  });
export const symbols = ['BTCUSDT', 'ETHUSDT', 'AAPL'];

/** A market that the test sets, with the book that follows it. */
export function floor(steps: readonly ChallengeStep[]) {
  const book = new EquityBook();
  const prices = new Map(symbols.map((symbol) => [symbol, price('100')]));
  const quoteOf = (symbol: string): Quote | undefined => {
    const found = prices.get(symbol);
    return found && { price: found, stale: false, held: false, marketOpen: true };
  };
  const states = steps.map((of) => beginChallenge(of, { initial, at: 0, ends: null }));
  for (const [account, of] of steps.entries())
    book.arm(
      { wallet: walletOf(account), positions: [] },
      { step: of, state: states[account]!, tradedOn: [], changedAt: 0 },
      quoteOf,
    );
  return {
    ...{ book, prices, quoteOf, states },
    /** A decision that is committed. */
    follow: (account: number, positions: readonly Position[], opens = true) => {
      book.follow({ wallet: walletOf(account), positions }, opens, 1, quoteOf);
      book.confirm(idOf(account));
    },
    tick: (symbol: string, at: string, now = 1) => {
      prices.set(symbol, price(at));
      return book.tick(symbol, price(at), now, quoteOf);
    },
  };
}
