/** Plans a signal on the account, the market and the prices of this moment. */
import { AppError, texts } from '@fulcrum/contract';
import { asPrice, type TradingPair } from '@fulcrum/domain';
import { readAccount, readHolding } from './account.ts';
import type { SignalsDependencies } from './dependencies.ts';
import type { Signal } from './parse.ts';
import { type Plan, planSignal } from './plan.ts';
import { findPair } from './tickers.ts';

export type Planner = ReturnType<typeof createPlanner>;

export function createPlanner({ db, market }: Pick<SignalsDependencies, 'db' | 'market'>) {
  /** @throws AppError `unknown_symbol` */
  function requirePair(signal: Signal): TradingPair {
    const pair = findPair(signal.ticker, market.pairs());
    if (!pair) throw new AppError('unknown_symbol', texts.unknownSymbol(signal.ticker.slice(0, 40)));
    return pair;
  }

  /** @throws AppError with the text of the refusal */
  async function plan(accountId: string, signal: Signal): Promise<Plan> {
    const account = await readAccount(db, accountId);
    if (!account) throw new AppError('not_found', texts.accountGone);
    if (account.isArchived) throw new AppError('account_archived', texts.accountArchived);
    // Another role has left its positions to staff.
    if (account.ownerRole !== 'trader') throw new AppError('not_allowed', texts.tradersOnly);
    const pair = requirePair(signal);
    if (signal.isValue) await market.ensureFresh(pair.symbol);
    const holding = await readHolding(db, accountId, pair.symbol);
    const price = market.price(pair.symbol)?.price;
    return planSignal({
      ...{ signal, account, holding, pair },
      price: price === undefined ? null : asPrice(price),
    });
  }

  return { requirePair, plan };
}
