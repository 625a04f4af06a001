/**
 * What a user asks of alerts: create, change, delete. An alert whose condition is already true is refused, because it would
 * fire at once. Invariant: a user has at most `alertsOfUser` alerts.
 */
import { AppError, type ArgsOf, positionNotFound, type SignedIn, texts } from '@fulcrum/contract';
import {
  type AlertDirection,
  type AlertKind,
  type AlertTrigger,
  alertPercentMax,
  alertWindows,
  formatFixed,
  isReached,
  type Price,
  parseDecimal,
  priceDecimals,
  rulesOf,
  type TradingPair,
  toDecimalString,
  UNIT,
} from '@fulcrum/domain';
import type { Services } from '../../platform/services.ts';
import type { Market } from '../market/index.ts';
import { triggerOf } from './monitor.ts';
import { type Alert, type AlertPosition, readPositions } from './store.ts';

/** What a request says of an alert; a change takes the rest from the alert. */
interface AlertRequest {
  readonly kind: AlertKind;
  readonly symbol: string | null;
  readonly positionId: string | null;
  readonly level: bigint;
  readonly direction: AlertDirection | null;
  readonly windowMinutes: number | null;
  readonly repeats: boolean;
}

interface CheckedRequest extends Omit<AlertRequest, 'symbol' | 'direction'> {
  readonly symbol: string;
  readonly direction: AlertDirection;
  readonly position: AlertPosition | null;
}

const invalid = (message: string) => new AppError('invalid_argument', message);

function parseLevel(level: number | string): bigint {
  try {
    return parseDecimal(level);
  } catch {
    throw invalid('The level is a number with at most 8 decimals.');
  }
}

export const toRequest = (args: ArgsOf<'create_alert'>): AlertRequest => ({
  kind: args.p_kind,
  symbol: args.p_symbol ?? null,
  positionId: args.p_position_id ?? null,
  level: parseLevel(args.p_level),
  direction: args.p_direction ?? null,
  windowMinutes: args.p_window_minutes ?? null,
  repeats: args.p_repeats ?? false,
});

/** A new level of a price or an ROE finds its direction anew, unless the request names one. */
export const toChangedRequest = (alert: Alert, args: ArgsOf<'change_alert'>): AlertRequest => ({
  kind: alert.kind,
  symbol: alert.symbol,
  positionId: alert.positionId,
  level: args.p_level == null ? alert.level : parseLevel(args.p_level),
  direction: args.p_direction ?? (alert.kind === 'change' ? alert.direction : null),
  windowMinutes: args.p_window_minutes ?? alert.windowMinutes,
  repeats: args.p_repeats ?? alert.repeats,
});

function requirePercent(kind: Exclude<AlertKind, 'price'>, level: bigint): void {
  const max = BigInt(alertPercentMax[kind]) * UNIT;
  if (kind === 'roe' ? level < -max || level > max : level <= 0n || level > max) {
    throw invalid(
      kind === 'roe'
        ? `The level is an ROE from -${alertPercentMax.roe} to ${alertPercentMax.roe} %.`
        : `The level is more than 0 and at most ${alertPercentMax[kind]} %.`,
    );
  }
}

interface CheckDependencies extends Pick<Services, 'db'> {
  readonly market: Pick<Market, 'pair' | 'isListed' | 'price'>;
}

/**
 * Checks a request of `caller` on the present prices and positions.
 * @throws AppError unknown_symbol, no_price, position_not_found, position_closed, invalid_argument
 */
export async function checkRequest(
  { db, market }: CheckDependencies,
  caller: Pick<SignedIn, 'accountId'>,
  request: AlertRequest,
): Promise<CheckedRequest> {
  const { kind, level, windowMinutes } = request;
  const isOfPosition = kind === 'roe' || kind === 'liquidation';
  const position = isOfPosition ? await readOwnPosition({ db }, caller, request.positionId) : null;
  const symbol = position?.symbol ?? request.symbol ?? '';
  const pair = market.pair(symbol);
  if (!pair || (!position && !market.isListed(symbol))) {
    throw new AppError('unknown_symbol', texts.unknownSymbol(symbol));
  }
  const checked = { ...request, symbol, positionId: position?.id ?? null, position };
  if (kind === 'change') {
    requirePercent(kind, level);
    if (!alertWindows.some((minutes) => minutes === windowMinutes)) {
      throw invalid(`The time is one of ${alertWindows.join(', ')} minutes.`);
    }
    if (request.direction === null) throw invalid('Choose whether the price rises or falls.');
    return { ...checked, direction: request.direction };
  }
  const price = market.price(symbol)?.price;
  if (price === undefined) throw new AppError('no_price', texts.noCurrentPrice(symbol));
  const direction = request.direction ?? findDirection(request, price, position);
  const alert = { ...checked, direction, windowMinutes: null };
  if (kind === 'price') requirePrice(level, pair);
  else requirePercent(kind, level);
  requireUnreached(alert, pair, price);
  return alert;
}

/** An alert fires when the value comes to its level from where it is now. */
function findDirection(
  { kind, level }: AlertRequest,
  price: Price,
  position: AlertPosition | null,
): AlertDirection {
  if (kind === 'liquidation') return 'falls';
  const now = position ? rulesOf('standard').openRoe(position, price) : price;
  return level > now ? 'rises' : 'falls';
}

function requirePrice(level: bigint, pair: TradingPair): void {
  const { minPrice, maxPrice, symbol } = pair;
  if (level < minPrice || level > maxPrice) {
    throw invalid(
      `The price of ${symbol} is from ${toDecimalString(minPrice)} to ${toDecimalString(maxPrice)}.`,
    );
  }
}

function requireUnreached(alert: CheckedRequest, pair: TradingPair, price: Price): void {
  const { kind, position, symbol } = alert;
  const trigger: AlertTrigger | null = triggerOf(alert, pair, position);
  if (trigger === null) throw invalid('No price above zero reaches this level. Choose another one.');
  if (!isReached(trigger, price)) return;
  const now = formatFixed(price, priceDecimals(pair));
  if (kind === 'price') throw invalid(`${symbol} is at ${now}. Choose a price that it has not reached.`);
  throw invalid(
    kind === 'roe'
      ? 'The ROE of your position is there already. Choose a level that it has not reached.'
      : 'Your position is already within this distance of its liquidation price. Choose a smaller one.',
  );
}

async function readOwnPosition(
  { db }: Pick<Services, 'db'>,
  { accountId }: Pick<SignedIn, 'accountId'>,
  positionId: string | null,
): Promise<AlertPosition> {
  const [position] = positionId === null ? [] : await readPositions(db, [positionId]);
  if (!position || position.accountId !== accountId) throw positionNotFound();
  if (!position.isOpen) throw new AppError('position_closed', 'This position is closed.');
  return position;
}
