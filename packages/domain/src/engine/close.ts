/**
 * Closes a whole position. The price is the server's: live while the feed is fresh, else the last known mark, else the
 * entry (RULE-19 to RULE-21, A24); a claimed price never counts and never refuses. The loss ends at the margin, what
 * lies beyond is the insurance's (A03).
 */
import { asMoney, type Money, type Price } from '../money.ts';
import { rulesOf, settle } from '../rules.ts';
import type { ClosePriceSource } from '../states.ts';
import type { Account, Position } from './account.ts';
import { type CloseCommand, type Context, type Decision, type Quote, refuse } from './commands.ts';
import { entriesOf } from './effects.ts';

interface ClosePrice {
  readonly price: Price;
  readonly source: ClosePriceSource;
}

function closePriceOf(position: Position, quote: Quote | undefined): ClosePrice {
  if (!quote) return { price: position.entryPrice, source: 'entry' };
  return { price: quote.price, source: quote.stale ? 'mark' : 'live' };
}

export function decideClose(account: Account, command: CloseCommand, context: Context): Decision {
  const position = account.position(command.positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position === 'closed' || position.closing) return refuse({ code: 'position_closed' });
  const quote = context.market.quote(position.symbol);
  if (quote && !quote.marketOpen) return refuse({ code: 'market_closed' });

  const { wallet } = account;
  const { margin } = position;
  const { price, source } = closePriceOf(position, quote);
  const pnl = rulesOf(position.rules).realizedPnl(position, price);
  const { realizedPnl, toInsurance } = settle(pnl, margin);
  const released = asMoney(margin + realizedPnl);

  const next = {
    ...wallet,
    available: asMoney(wallet.available + released),
    margin: asMoney(wallet.margin - margin),
    version: wallet.version + 1,
  };
  const closed: Position = {
    ...position,
    updatedAt: context.now,
    closing: { price, priceSource: source, reason: command.reason, realizedPnl, at: context.now },
    version: position.version + 1,
    accountVersion: next.version,
  };
  const negative = (amount: Money): Money => asMoney(-amount);
  return {
    outcome: 'accepted',
    position: closed,
    effects: {
      wallet: next,
      positions: [{ before: position, after: closed }],
      ledger: [
        {
          id: context.ids.ledgerGroup,
          kind: 'close',
          sourceId: position.id,
          entries: entriesOf(
            { account: 'user:margin', amount: negative(margin) },
            { account: 'user:cash', amount: released },
            { account: 'house:pnl', amount: negative(pnl) },
            { account: 'insurance', amount: negative(toInsurance) },
          ),
        },
      ],
      transactions: [
        {
          id: context.ids.ledgerGroup,
          type: 'position_closed',
          amount: realizedPnl,
          description: `Closed ${position.symbol} position`,
        },
      ],
    },
  };
}
