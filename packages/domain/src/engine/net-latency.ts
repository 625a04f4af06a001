/** The latency of a fill profile (A113): what arrives now and is decided later, at the prices of then. */
import { fillTerms } from '../perpetual/fill-profiles.ts';
import { isWaiting } from '../states.ts';
import type {
  AmendCommand,
  CancelCommand,
  CloseCommand,
  Context,
  OpenCommand,
  ReverseCommand,
} from './commands.ts';
import { waitsForTrigger } from './conditions.ts';
import { bookFor } from './executions.ts';
import { openablePrice } from './open.ts';
import type { Account, Refusal } from './types.ts';

/** The book that a trade of the account meets as it arrives, and when it is to be filled; null without latency, and where nothing trades. */
export function arrivalOf(account: Account, symbol: string, context: Context) {
  const latencyMs = context.fillProfile === 'exact' ? 0 : fillTerms[context.fillProfile].latencyMs;
  const pair = context.market.pair(symbol);
  const book = latencyMs > 0 && pair ? bookFor(account, symbol, context) : undefined;
  if (!pair || !book || 'refusal' in openablePrice(pair, null, context)) return null;
  return { book, until: context.now + latencyMs };
}

type Delayed = OpenCommand | CloseCommand | ReverseCommand | AmendCommand | CancelCommand;

/** What it would trade in now, or keep from trading; undefined where it can do neither. */
function symbolOf(account: Account, command: Delayed): string | undefined {
  if (command.kind === 'open') return command.symbol;
  if (command.kind === 'close' || command.kind === 'reverse') {
    const position = account.position(command.positionId);
    return position?.closing ? undefined : position?.symbol;
  }
  const order = account.order(command.orderId);
  if (!order || !isWaiting(order.status) || waitsForTrigger(order)) return undefined;
  // An order on its way is not called back before it arrives: that would be a choice between two prices.
  return command.kind === 'amend' || order.dueAt !== null ? order.symbol : undefined;
}

/** What arrives now and is decided once its latency is over; null for what is to be decided now. */
export function transitRefusal(account: Account, command: Delayed, context: Context): Refusal | null {
  if (command.arrivalPrice !== undefined) return null;
  const symbol = symbolOf(account, command);
  const arrival = symbol === undefined ? null : arrivalOf(account, symbol, context);
  return arrival && { code: 'in_transit', until: arrival.until, arrivalPrice: arrival.book.mid };
}
