/**
 * Opens a position at the server's price. The checks run in a fixed order, cheapest claim first, so that the same
 * mistake always gets the same text (A22, A37, A98, A101).
 */
import { isLeverage } from '../margin.ts';
import { type Percent, type Price, UNIT } from '../money.ts';
import { checkAmount, priceDecimals, type TradingPair } from '../pairs.ts';
import { isSide, type Side } from '../states.ts';
import type { Account } from './account.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type MarketView, type OpenCommand, refuse } from './commands.ts';
import { positionsFull } from './limits.ts';
import { costRefusal, liquidationPriceOf, type OpeningTerms, openingCost, openPosition } from './opening.ts';
import { checkProtection } from './protection.ts';
import type { Refusal } from './refusals.ts';

const HUNDRED_PERCENT = 100n * UNIT;

/** Exact: |market − claimed| beyond `tolerance` per cent of the claim, in either direction (A18). */
export function hasMoved(claimed: Price, market: Price, tolerance: Percent): boolean {
  const distance = market > claimed ? market - claimed : claimed - market;
  return distance * HUNDRED_PERCENT > claimed * tolerance;
}

/** What is claimed of a trade and has to be so whatever the market does (A22). */
export function checkTrade(
  { symbol, side, leverage, size }: Pick<OpenCommand, 'symbol' | 'side' | 'leverage' | 'size'>,
  market: Pick<MarketView, 'pair' | 'isListed'>,
): { readonly pair: TradingPair; readonly side: Side } | { readonly refusal: Refusal } {
  const pair = market.pair(symbol);
  if (!pair || market.isListed?.(symbol) === false) return { refusal: { code: 'unknown_symbol', symbol } };
  if (!isSide(side)) return { refusal: { code: 'side_invalid' } };
  if (!isLeverage(leverage)) return { refusal: { code: 'leverage_invalid' } };
  const range = checkAmount(pair, size);
  if (range) return { refusal: { code: 'amount_out_of_range', range } };
  return { pair, side };
}

/** The price that something may be opened at now, or why nothing may be. */
function openablePrice(
  pair: TradingPair,
  claimed: Price | null,
  { market, priceTolerance }: Context,
): { readonly price: Price } | { readonly refusal: Refusal } {
  const { symbol } = pair;
  const quote = market.quote(symbol);
  if (quote && !quote.marketOpen) return { refusal: { code: 'market_closed' } };
  if (!quote) return { refusal: { code: 'no_price', symbol } };
  if (quote.stale) return { refusal: { code: 'price_stale' } };
  if (claimed !== null && hasMoved(claimed, quote.price, priceTolerance)) {
    const decimals = priceDecimals(pair);
    return { refusal: { code: 'price_moved', seen: claimed, market: quote.price, decimals } };
  }
  return { price: quote.price };
}

/** What is wrong with take profit and stop loss of what is opened at `terms.price`, or null (A21). */
export function protectionRefusal(
  terms: Omit<OpeningTerms, 'userId' | 'size'>,
  context: Pick<Context, 'rules' | 'feeRate'>,
): Refusal | null {
  const { pair, side, price } = terms;
  const liquidationPrice = liquidationPriceOf(terms, context);
  const fault = checkProtection({ side, reference: price, liquidationPrice }, terms, pair);
  return fault && { code: 'protection_invalid', fault, decimals: priceDecimals(pair) };
}

/** What a click or a MARKET order opens at this moment's price, or why it opens nothing. `claimed` is only a bound (A18). */
export function marketOpening(
  account: Pick<Account, 'wallet' | 'restricted' | 'openPositionCount'>,
  claims: Omit<OpeningTerms, 'userId' | 'price'>,
  claimed: Price | null,
  context: Context,
): { readonly terms: OpeningTerms } | { readonly refusal: Refusal } {
  const openable = openablePrice(claims.pair, claimed, context);
  if ('refusal' in openable) return openable;
  const { price } = openable;
  const { wallet, restricted } = account;
  const terms: OpeningTerms = { ...claims, userId: wallet.userId, price };
  const cost = openingCost(price, claims.size, claims.leverage, context.feeRate);
  const refusal = costRefusal(cost, wallet.available) ?? protectionRefusal(terms, context);
  if (refusal) return { refusal };
  if (restricted) return { refusal: { code: 'account_restricted' } };
  const full = positionsFull(account);
  return full ? { refusal: full } : { terms };
}

export function decideOpen(account: Account, command: OpenCommand, context: Context): Decision {
  const trade = checkTrade(command, context.market);
  if ('refusal' in trade) return refuse(trade.refusal);
  const { size, leverage, claimedPrice, takeProfitPrice, stopLossPrice } = command;
  const claims = { ...trade, size, leverage, takeProfitPrice, stopLossPrice };
  const opening = marketOpening(account, claims, claimedPrice, context);
  if ('refusal' in opening) return refuse(opening.refusal);

  const changes = new Changes(account.wallet, context);
  const position = openPosition(changes, opening.terms, context);
  return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
}
