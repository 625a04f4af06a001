/** What becomes of positions by commands on them, and by the mark price. */
import type { CloseAtReopenCommand, Command, ProtectCommand, ReverseCommand } from '@fulcrum/domain';
import { AuditedCloser } from './audited-closing.ts';
import { type AuditedContext, accepted } from './audited-context.ts';
import { netClose } from './audited-levels.ts';
import { retainsFirstStop } from './audited-limits.ts';
import {
  closeFaults,
  closePriceOf,
  consequencesOf,
  type Instant,
  isProtectionWrong,
  type Trade,
  wishFaults,
} from './audited-market.ts';
import type { AuditedAccount, Verdict } from './ledger-book.ts';

export class AuditedPositions {
  readonly #shared: AuditedContext;

  constructor(shared: AuditedContext) {
    this.#shared = shared;
  }

  protect(
    account: AuditedAccount,
    positionId: string,
    {
      takeProfitPrice: takeProfit,
      stopLossPrice: stopLoss,
    }: Pick<ProtectCommand, 'takeProfitPrice' | 'stopLossPrice'>,
    instant: Instant,
  ): Verdict {
    const position = account.positions.find(({ id }) => id === positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.#shared.pairOf(position.symbol);
    if (!pair) return ['unknown_symbol'];
    const { side, entry, liquidation } = position;
    // Only what the command states is checked; what it does not name stays.
    const protection = { pair, side, takeProfit: takeProfit ?? null, stopLoss: stopLoss ?? null };
    const reference = instant.quote(position.symbol)?.price ?? entry;
    if (isProtectionWrong(protection, reference, liquidation)) return ['protection_invalid'];
    if (takeProfit !== undefined) position.takeProfit = takeProfit;
    if (stopLoss !== undefined) position.stopLoss = stopLoss;
    if (!retainsFirstStop(account)) position.initialStopLoss ??= position.stopLoss;
    this.#shared.touch(position);
    return accepted;
  }

  close(account: AuditedAccount, command: Extract<Command, { kind: 'close' }>, instant: Instant): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const part = command.size ?? position.size;
    const quote = instant.quote(position.symbol);
    const pair = this.#shared.pairOf(position.symbol);
    const faults = closeFaults(position, part, pair, quote);
    if (faults.length > 0) return faults;
    const closing = { ...closePriceOf(position, quote), reason: command.reason, at: instant.at };
    const isWhole = part === position.size;
    const net =
      pair && position.value !== null
        ? netClose(
            account,
            pair,
            { position, size: part, source: closing.source },
            this.#shared.instant,
            false,
          )
        : null;
    if (net) {
      if (net.size === 0n) return ['no_quote'];
      const isTaken = net.size === position.size;
      if (!isTaken && (position.margin * net.size) / position.size === 0n) return ['amount_too_small'];
      this.#shared.closer.closeAt(
        account,
        isTaken ? position : this.#shared.closer.takeOff(account, position, net.size),
        closing,
        0n,
        { arrival: command.arrivalPrice ?? null },
      );
      return accepted;
    }
    this.#shared.closer.settleSides(account, position.symbol, closing, true);
    if (position.closing) return accepted;
    const isPart =
      !isWhole && part !== position.size && closeFaults(position, part, pair, quote).length === 0;
    this.#shared.closer.closeAt(
      account,
      isPart ? this.#shared.closer.takeOff(account, position, part) : position,
      closing,
    );
    return accepted;
  }

  /** Closes and opens in a copy first: a reverse that may not open must leave the account as it was. */
  reverse(account: AuditedAccount, { positionId, expectedPrice }: ReverseCommand, instant: Instant): Verdict {
    const at = account.positions.findIndex(({ id }) => id === positionId);
    const position = account.positions[at];
    if (!position) return ['position_not_found'];
    if (position.closing) return ['position_closed'];
    const pair = this.#shared.pairOf(position.symbol);
    const quote = instant.quote(position.symbol);
    if (!pair) return ['unknown_symbol'];
    if (!quote) return ['no_price'];
    if (!quote.marketOpen) return ['market_closed'];
    if (quote.stale || quote.held) return ['price_stale'];
    const closing = { price: quote.price, source: 'live', reason: 'manual', at: instant.at } as const;
    /** The size that was left to reverse; null when the other side's loss has closed it. */
    const closeIn = (one: AuditedAccount, closer: AuditedCloser): bigint | null => {
      const whole = one.positions[at];
      closer.settleSides(one, position.symbol, closing, true);
      if (!whole || whole.closing) return null;
      closer.closeAt(one, whole, closing);
      return whole.size;
    };
    const copy = structuredClone(account);
    const size = closeIn(
      copy,
      new AuditedCloser(
        { ...this.#shared.house },
        (symbol) => this.#shared.pairOf(symbol),
        () => null,
      ),
    );
    // The price may have moved too far as well.
    if (size === null) return ['position_closed', 'price_moved'];
    const side = position.side === 'BUY' ? 'SELL' : 'BUY';
    const trade: Trade = { pair, side, size, leverage: position.leverage, takeProfit: null, stopLoss: null };
    const faults = this.#shared.marketFaults(copy, trade, expectedPrice, instant);
    if (size < pair.minQty || size > pair.maxQty || size % pair.stepSize !== 0n)
      faults.push('amount_out_of_range');
    if (faults.length > 0) return faults;
    closeIn(account, this.#shared.closer);
    const opened = this.#shared.openAt(account, trade, quote.price, { at: instant.at });
    // The opening draws the last ids: its own, one for each of its groups, and that of its execution.
    opened.id = this.#shared.ids.at(opened.fees === 0n ? -3 : -4) ?? null;
    return accepted;
  }

  leave(account: AuditedAccount, command: CloseAtReopenCommand, instant: Instant): Verdict {
    const position = account.positions.find(({ id }) => id === command.positionId);
    const verdict = wishFaults(position, command.requested, instant);
    if (verdict.length > 0 || !position || position.isLeaving === command.requested) return verdict;
    position.isLeaving = command.requested;
    this.#shared.touch(position);
    return accepted;
  }

  /** The effect of the mark price on the position, as in `settle`. */
  mark(account: AuditedAccount, command: Extract<Command, { kind: 'trigger' }>, instant: Instant): Verdict {
    const { positionId, price, trigger } = command;
    const position = account.positions.find(({ id }) => id === positionId);
    // No notification, and the engine no longer holds a closed position.
    if (!position || position.closing) return ['position_not_found', 'position_closed'];
    const consequences = consequencesOf(position, price);
    const [consequence] = consequences;
    if (!consequence || !consequences.includes(trigger)) return ['not_crossed'];
    this.#shared.touch(position);
    if (consequence === 'margin_warning' || consequence === 'margin_recovered') {
      position.isWarned = consequence === 'margin_warning';
    } else {
      const reason = consequence === 'close_at_reopen' ? 'manual' : consequence;
      this.#shared.closer.settleSides(
        account,
        position.symbol,
        { price, source: 'live', at: instant.at },
        true,
      );
      if (position.closing) return accepted;
      this.#shared.closer.closeAt(account, position, { price, source: 'live', reason, at: instant.at });
    }
    if (consequence !== 'margin_recovered') account.notices.push(consequence);
    return accepted;
  }
}
