/**
 * Opens a position at the server's price. The checks run in a fixed order, the cheapest first, so that the same
 * mistake always gets the same text (A22, A37, A98, A101).
 */
import { isLeverage } from '../margin.ts';
import { HUNDRED_PERCENT, type Percent, type Price } from '../money.ts';
import { checkAmount, priceDecimals, type TradingPair } from '../pairs.ts';
import { isSide, type Side } from '../states.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type MarketView, type OpenCommand, refuse } from './commands.ts';
import { limitRefusal, positionsFull } from './limits.ts';
import {
  costRefusal,
  leverageRefusal,
  liquidationPriceOf,
  type OpeningTerms,
  openingCost,
  openPosition,
} from './opening.ts';
import { checkProtection } from './protection.ts';
import type { Account, Refusal } from './types.ts';

/** Exact: |market − expected| beyond `tolerance` per cent of the expected price, in either direction (A18). */
export function hasMoved(expected: Price, market: Price, tolerance: Percent): boolean {
  const distance = market > expected ? market - expected : expected - market;
  return distance * HUNDRED_PERCENT > expected * tolerance;
}

/** Checks the fields of a trade that do not depend on the market (A22). */
export function checkTrade(
  trade: Pick<OpenCommand, 'symbol' | 'side' | 'leverage' | 'size'>,
  market: Pick<MarketView, 'pair' | 'isListed'>,
): { readonly pair: TradingPair; readonly side: Side } | { readonly refusal: Refusal } {
  const terms = checkTerms(trade, market);
  if ('refusal' in terms) return terms;
  const range = checkAmount(terms.pair, trade.size);
  return range ? { refusal: { code: 'amount_out_of_range', range } } : terms;
}

/** As `checkTrade`, without the size. */
export function checkTerms(
  { symbol, side, leverage }: Pick<OpenCommand, 'symbol' | 'side' | 'leverage'>,
  market: Pick<MarketView, 'pair' | 'isListed'>,
): { readonly pair: TradingPair; readonly side: Side } | { readonly refusal: Refusal } {
  const pair = market.pair(symbol);
  if (!pair || market.isListed?.(symbol) === false) return { refusal: { code: 'unknown_symbol', symbol } };
  if (!isSide(side)) return { refusal: { code: 'side_invalid' } };
  return isLeverage(leverage) ? { pair, side } : { refusal: { code: 'leverage_invalid' } };
}

/** The price at which a position may open now, or the refusal. */
export function openablePrice(
  pair: TradingPair,
  expected: Price | null,
  { market, priceTolerance }: Context,
): { readonly price: Price } | { readonly refusal: Refusal } {
  const { symbol } = pair;
  const quote = market.quote(symbol);
  if (quote && !quote.marketOpen) return { refusal: { code: 'market_closed' } };
  if (!quote) return { refusal: { code: 'no_price', symbol } };
  if (quote.stale) return { refusal: { code: 'price_stale' } };
  if (expected !== null && hasMoved(expected, quote.price, priceTolerance)) {
    const decimals = priceDecimals(pair);
    return { refusal: { code: 'price_moved', seen: expected, market: quote.price, decimals } };
  }
  return { price: quote.price };
}

/** The fault of take profit and stop loss of a position opened at `terms.price`, or null (A21). */
export function protectionRefusal(
  terms: Omit<OpeningTerms, 'accountId' | 'size'>,
  context: Pick<Context, 'rules' | 'feeRate'>,
): Refusal | null {
  const { pair, side, price } = terms;
  const liquidationPrice = liquidationPriceOf(terms, context);
  const fault = checkProtection({ side, reference: price, liquidationPrice }, terms, pair);
  return fault && { code: 'protection_invalid', fault, decimals: priceDecimals(pair) };
}

/**
 * What a click or a MARKET order opens at the current price, or why it opens nothing. `expectedPrice` is only a bound
 * (A18).
 */
export function marketOpening(
  account: Pick<Account, 'wallet' | 'restricted' | 'openPositionCount'>,
  input: Omit<OpeningTerms, 'accountId' | 'price'>,
  expected: Price | null,
  context: Context,
): { readonly terms: OpeningTerms } | { readonly refusal: Refusal } {
  const openable = openablePrice(input.pair, expected, context);
  if ('refusal' in openable) return openable;
  const { price } = openable;
  const { wallet, restricted } = account;
  const terms: OpeningTerms = { ...input, accountId: wallet.accountId, price };
  const cost = openingCost(price, input.size, input.leverage, context.feeRate);
  const refusal =
    limitRefusal(input.pair.symbol, context) ??
    leverageRefusal(input.leverage, context) ??
    costRefusal(cost, wallet.available) ??
    protectionRefusal(terms, context);
  if (refusal) return { refusal };
  if (restricted) return { refusal: { code: 'account_restricted' } };
  const full = positionsFull(account, context);
  return full ? { refusal: full } : { terms };
}

export function decideOpen(account: Account, command: OpenCommand, context: Context): Decision {
  const trade = checkTrade(command, context.market);
  if ('refusal' in trade) return refuse(trade.refusal);
  const { size, leverage, expectedPrice, takeProfitPrice, stopLossPrice } = command;
  const input = { ...trade, size, leverage, takeProfitPrice, stopLossPrice };
  const opening = marketOpening(account, input, expectedPrice, context);
  if ('refusal' in opening) return refuse(opening.refusal);

  const changes = new Changes(account.wallet, context);
  const position = openPosition(changes, opening.terms, context);
  return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
}
