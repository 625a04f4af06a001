/**
 * Opens a position at the server's price. The checks run in a fixed order, cheapest claim first, so that the same
 * mistake always gets the same text (A22, A37, A98, A101).
 */
import { isLeverage } from '../margin.ts';
import { type Percent, type Price, UNIT } from '../money.ts';
import { checkAmount, priceDecimals, type TradingPair } from '../pairs.ts';
import { rulesOf } from '../rules.ts';
import { isSide, type Side } from '../states.ts';
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type OpenCommand, refuse } from './commands.ts';
import { covers, openingCost, openPosition } from './opening.ts';
import { checkProtection, type Protection } from './protection.ts';
import type { Refusal } from './refusals.ts';

const HUNDRED_PERCENT = 100n * UNIT;

/** Exact: |market − claimed| beyond `tolerance` per cent of the claim, in either direction (A18). */
export function hasMoved(claimed: Price, market: Price, tolerance: Percent): boolean {
  const distance = market > claimed ? market - claimed : claimed - market;
  return distance * HUNDRED_PERCENT > claimed * tolerance;
}

/** The price that something may be opened at now, or why nothing may be. */
export function openablePrice(
  symbol: string,
  pair: TradingPair,
  claimed: Price | null,
  context: Context,
): { readonly price: Price } | { readonly refusal: Refusal } {
  const quote = context.market.quote(symbol);
  if (quote && !quote.marketOpen) return { refusal: { code: 'market_closed' } };
  if (!quote) return { refusal: { code: 'no_price', symbol } };
  if (quote.stale) return { refusal: { code: 'price_stale' } };
  if (claimed !== null && hasMoved(claimed, quote.price, context.priceTolerance)) {
    const decimals = priceDecimals(pair);
    return { refusal: { code: 'price_moved', seen: claimed, market: quote.price, decimals } };
  }
  return { price: quote.price };
}

/** What is wrong with take profit and stop loss of what is opened at `price`, or null (A21). */
export function protectionRefusal(
  { side, leverage, price }: { readonly side: Side; readonly leverage: number; readonly price: Price },
  protection: Protection,
  pair: TradingPair,
  { rules, feeRate }: Pick<Context, 'rules' | 'feeRate'>,
): Refusal | null {
  const liquidationPrice = rulesOf(rules).liquidationPrice({
    side,
    entryPrice: price,
    leverage,
    tickSize: pair.tickSize,
    feeRate,
  });
  const fault = checkProtection({ side, reference: price, liquidationPrice }, protection, pair);
  return fault && { code: 'protection_invalid', fault, decimals: priceDecimals(pair) };
}

export function decideOpen(account: Account, command: OpenCommand, context: Context): Decision {
  const { symbol, side, size, leverage, claimedPrice, takeProfitPrice, stopLossPrice } = command;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  if (!isSide(side)) return refuse({ code: 'side_invalid' });
  if (!isLeverage(leverage)) return refuse({ code: 'leverage_invalid' });
  const range = checkAmount(pair, size);
  if (range) return refuse({ code: 'amount_out_of_range', range });

  const openable = openablePrice(symbol, pair, claimedPrice, context);
  if ('refusal' in openable) return refuse(openable.refusal);
  const { price } = openable;
  const cost = openingCost(price, size, leverage, context.feeRate);
  if (cost.margin === 0n) return refuse({ code: 'amount_too_small' });
  const { wallet } = account;
  if (!covers(wallet.available, cost)) {
    return refuse({ code: 'insufficient_balance', required: cost.total, available: wallet.available });
  }
  const protection = { takeProfitPrice, stopLossPrice };
  const fault = protectionRefusal({ side, leverage, price }, protection, pair, context);
  if (fault) return refuse(fault);
  if (account.restricted) return refuse({ code: 'account_restricted' });

  const changes = new Changes(wallet, context);
  const terms = { userId: wallet.userId, pair, side, size, leverage, price, ...protection };
  const position = openPosition(changes, terms, context);
  return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
}
