/**
 * Opens a position at the server's price. The checks run in a fixed order, cheapest claim first, so that the same
 * mistake always gets the same text (A22, A37, A98, A101).
 */
import { coversMargin, isLeverage, requiredMargin } from '../margin.ts';
import { asMoney, type Percent, type Price, UNIT } from '../money.ts';
import { checkAmount, priceDecimals } from '../pairs.ts';
import { rulesOf } from '../rules.ts';
import { isSide } from '../states.ts';
import type { Account, Position } from './account.ts';
import { type Context, type Decision, type OpenCommand, refuse } from './commands.ts';

const HUNDRED_PERCENT = 100n * UNIT;

/** Exact: |market − claimed| beyond `tolerance` per cent of the claim, in either direction (A18). */
export function hasMoved(claimed: Price, market: Price, tolerance: Percent): boolean {
  const distance = market > claimed ? market - claimed : claimed - market;
  return distance * HUNDRED_PERCENT > claimed * tolerance;
}

export function decideOpen(account: Account, command: OpenCommand, context: Context): Decision {
  const { symbol, side, size, leverage, claimedPrice } = command;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  if (!isSide(side)) return refuse({ code: 'side_invalid' });
  if (!isLeverage(leverage)) return refuse({ code: 'leverage_invalid' });
  const range = checkAmount(pair, size);
  if (range) return refuse({ code: 'amount_out_of_range', range });

  const quote = context.market.quote(symbol);
  if (quote && !quote.marketOpen) return refuse({ code: 'market_closed' });
  if (!quote) return refuse({ code: 'no_price', symbol });
  if (quote.stale) return refuse({ code: 'price_stale' });
  const entryPrice = quote.price;
  if (claimedPrice !== null && hasMoved(claimedPrice, entryPrice, context.priceTolerance)) {
    return refuse({
      code: 'price_moved',
      seen: claimedPrice,
      market: entryPrice,
      decimals: priceDecimals(pair),
    });
  }

  const margin = requiredMargin(entryPrice, size, leverage);
  if (margin === 0n) return refuse({ code: 'amount_too_small' });
  const { wallet } = account;
  if (!coversMargin(wallet.available, margin)) {
    return refuse({ code: 'insufficient_balance', required: margin, available: wallet.available });
  }
  if (account.restricted) return refuse({ code: 'account_restricted' });

  const next = {
    ...wallet,
    available: asMoney(wallet.available - margin),
    margin: asMoney(wallet.margin + margin),
    version: wallet.version + 1,
  };
  const position: Position = {
    id: context.ids.position,
    userId: wallet.userId,
    symbol,
    side,
    entryPrice,
    size,
    leverage,
    margin,
    liquidationPrice: rulesOf(context.rules).liquidationPrice({
      side,
      entryPrice,
      leverage,
      tickSize: pair.tickSize,
    }),
    takeProfitPrice: null,
    stopLossPrice: null,
    rules: context.rules,
    createdAt: context.now,
    updatedAt: context.now,
    closing: null,
    version: 1,
    accountVersion: next.version,
  };
  return {
    outcome: 'accepted',
    position,
    effects: {
      wallet: next,
      positions: [{ before: null, after: position }],
      ledger: [
        {
          id: context.ids.ledgerGroup,
          kind: 'open',
          sourceId: position.id,
          entries: [
            { account: 'user:cash', amount: asMoney(-margin) },
            { account: 'user:margin', amount: margin },
          ],
        },
      ],
      transactions: [],
    },
  };
}
