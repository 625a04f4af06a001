/**
 * Books what holding a net position costs (A113): each due instant since the last booking, once, at the mark of now. The engine
 * gives this command to every due position before it decides anything else on the account, so that nobody leaves in between.
 * Invariant: the instants up to `fundedAt` are booked, and none after it. While the price is held or missing nothing is booked;
 * it follows once the price is known. A stale price and that of a closed market are known.
 */
import { asMoney, type Money, multiply } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { nextDueInstant, timeCost, timeCostKindOf } from '../perpetual/costs-over-time.ts';
import { netLiquidationPrice } from '../perpetual/net-position.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type FundCommand, type MarketContext, refuse } from './commands.ts';
import { contestEndedAt } from './limits.ts';
import type { Account, Position } from './types.ts';

/** Of one command; what is left is due for the next one. */
const instantsMax = 100;

type DueContext = Pick<MarketContext, 'now' | 'market'> & Pick<Context, 'limits'>;

const nextInstantOf = ({ fundedAt, createdAt }: Position, { type }: TradingPair): number =>
  nextDueInstant(timeCostKindOf(type), fundedAt ?? createdAt);

/** The end of a contest is the last instant that costs anything: what is closed late by a fault of ours pays nothing for it. */
const bookedUntil = (context: DueContext): number => contestEndedAt(context) ?? context.now;

/** Pair and price that a due position is booked with; null where nothing is due or can be booked. */
function dueTerms(position: Position, context: DueContext) {
  const { market } = context;
  const pair = market.pair(position.symbol);
  if (position.closing || position.entryValue === null || !pair) return null;
  if (nextInstantOf(position, pair) > bookedUntil(context)) return null;
  const quote = market.quote(position.symbol);
  return quote && !quote.held ? { pair, price: quote.price } : null;
}

/** Whether the engine has to book something of this position now. */
export const isFundingDue = (position: Position, context: DueContext): boolean =>
  dueTerms(position, context) !== null;

export function decideFund(account: Account, { positionId }: FundCommand, context: Context): Decision {
  const before = account.position(positionId);
  if (!before) return refuse({ code: 'position_not_found' });
  if (before.closing) return refuse({ code: 'position_closed' });
  const terms = dueTerms(before, context);
  if (!terms) return refuse({ code: 'not_due' });
  const { pair, price } = terms;
  const value = multiply(price, before.size);
  const changes = new Changes(account.wallet, context);
  let position = before;
  for (let booked = 0; booked < instantsMax; booked += 1) {
    const dueAt = nextInstantOf(position, pair);
    if (dueAt > bookedUntil(context)) break;
    position = bookTimeCost(changes, position, pair, value, dueAt);
  }
  return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
}

/** What the cash does not cover comes out of the margin, but for its last unit: the liquidation price then ends the position. */
function bookTimeCost(
  changes: Changes,
  position: Position,
  pair: TradingPair,
  value: Money,
  dueAt: number,
): Position {
  const kind = timeCostKindOf(pair.type);
  const amount = timeCost(kind, position.side, value, dueAt);
  const { available } = changes.wallet;
  const cash = -amount <= available ? amount : asMoney(-available);
  const margin = greater(amount - cash, 1n - position.margin);
  const booked = asMoney(cash + margin);
  const group = changes.book(kind, position.id, [
    { account: 'user:cash', amount: cash },
    { account: 'user:margin', amount: asMoney(margin) },
    { account: 'house:funding', amount: asMoney(-booked) },
  ]);
  const name = kind === 'funding' ? 'Funding' : 'Financing';
  changes.addTransaction(kind, booked, `${name} ${position.symbol} of ${clockOf(dueAt)} UTC`, group);
  const next = { ...position, funding: asMoney(position.funding + booked), fundedAt: dueAt };
  return changes.setPosition(position, margin === 0n ? next : withMargin(next, margin, pair));
}

/** As margin that the trader takes out. */
function withMargin(position: Position, added: bigint, { type, tickSize }: TradingPair): Position {
  const { entryValue } = position;
  if (entryValue === null) throw new TypeError('a net position has a value');
  const next = { ...position, entryValue, margin: asMoney(position.margin + added) };
  return { ...next, liquidationPrice: netLiquidationPrice(next, type, tickSize), marginWarned: false };
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Hours and minutes of the UTC day. */
function clockOf(at: number): string {
  const twoDigits = (figure: number): string => String(Math.floor(figure)).padStart(2, '0');
  return `${twoDigits((at % dayMs) / hourMs)}:${twoDigits((at % hourMs) / minuteMs)}`;
}
