/**
 * The requests of a trader or staff, from a step's draws and the current state: mostly sensible, sometimes invalid,
 * often at a limit. Amounts follow the balance, so that many requests are affordable.
 */
import {
  asMoney,
  asPrice,
  asSize,
  type Command,
  isWaiting,
  type Money,
  type NetOrderTerms,
  type Order,
  type Position,
  type PositionEdit,
  type Price,
  parseDecimal,
  type Size,
  type TradingPair,
} from '@fulcrum/domain';
import type { SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Draws, RequestKind } from './scenario.ts';

const draw = (draws: Draws, at: number): number => draws[at % draws.length] ?? 0;
const pickBy = <Row>(rows: readonly Row[], fraction: number): Row | undefined =>
  rows[Math.floor(fraction * rows.length)];

/** Down to a whole number of `step`s. */
const onStep = (units: bigint, step: bigint): bigint => units - (units % step);
/** A float as units of 1e-8; it only has to be approximate. */
const unitsOf = (value: number): bigint =>
  value <= 0 || !Number.isFinite(value) ? 0n : parseDecimal(Math.min(value, 1e15).toFixed(8));

/** `market` moved by this share of itself, on the tick. */
function priceNear(pair: TradingPair, market: number, share: number): Price {
  const units = onStep(unitsOf(market * (1 + share)), pair.tickSize);
  return asPrice(units < pair.tickSize ? pair.tickSize : units);
}

const leverages = [1, 1, 2, 3, 5, 10, 20, 50, 100, 125] as const;
const leverageOf = (fraction: number): number =>
  fraction < 0.02 ? 0 : fraction > 0.98 ? 126 : (pickBy(leverages, fraction) ?? 1);

export interface Setting {
  readonly database: MemoryDatabase;
  readonly market: SimulatedMarket;
  readonly accountId: string;
  readonly now: number;
}

const isNet = ({ database, accountId }: Setting): boolean =>
  database.accounts.get(accountId)?.terms?.rules === 'perpetual';

/** Mostly that of the symbol, which every order of an account with net positions has. */
const netLeverageOf = ({ database, accountId }: Setting, symbol: string, fraction: number): number =>
  fraction < 0.85
    ? (database.leverages.get(accountId)?.get(symbol) ?? 20)
    : leverageOf((fraction - 0.85) / 0.15);

/** A second draw from one. */
const again = (fraction: number): number => (fraction * 997) % 1;

function sizeOf(
  { database, accountId }: Setting,
  pair: TradingPair,
  market: number,
  leverage: number,
  fraction: number,
): Size {
  const available = Number(database.wallets.get(accountId)?.available ?? 0n) / 1e8;
  if (fraction < 0.03) return pair.minQty;
  if (fraction < 0.05) return asSize(pair.minQty + 1n);
  // Up to a little more than the balance.
  const value = available * Math.max(leverage, 1) * fraction * 1.05 * (fraction < 0.7 ? 0.3 : 1);
  const units = onStep(unitsOf(value / market), pair.stepSize);
  const least = units < pair.minQty ? pair.minQty : units;
  return asSize(least > pair.maxQty ? pair.maxQty : least);
}

/** TP and SL of an entry at `entry`: often none, mostly on their own side. */
function protectionOf(
  pair: TradingPair,
  side: string,
  entry: number,
  leverage: number,
  a: number,
  b: number,
) {
  const reach = 0.9 / Math.max(leverage, 1);
  const sign = side === 'BUY' ? 1 : -1;
  const isWrong = a > 0.97;
  const takeProfitPrice =
    a < 0.5 ? null : priceNear(pair, entry, (isWrong ? -sign : sign) * reach * (a - 0.45));
  const stopLossPrice = b < 0.5 ? null : priceNear(pair, entry, -sign * reach * (b - 0.48) * 2);
  return { takeProfitPrice, stopLossPrice };
}

export function commandOf(request: RequestKind, draws: Draws, setting: Setting): Command | null {
  const { database, market, accountId } = setting;
  const positions = [...database.positions.values()].filter((position) => position.accountId === accountId);
  const open = positions.filter(({ closing }) => closing === null);
  const orders = [...database.orders.values()].filter((order) => order.accountId === accountId);
  const some = (rows: readonly Position[]): Position | undefined => pickBy(rows, draw(draws, 1));
  const reason = draw(draws, 7) < 0.03 ? '  ' : 'a test';
  switch (request) {
    case 'open':
    case 'place':
      return opening(request, draws, setting);
    case 'hedge': {
      const position = some(open);
      const pair = position && market.pairs.find(({ symbol }) => symbol === position.symbol);
      return position && pair ? hedgeOf(position, pair, draws, isNet(setting)) : null;
    }
    case 'cancel': {
      const waiting = orders.filter(({ status }) => isWaiting(status));
      const order: Order | undefined = pickBy(draw(draws, 0) < 0.85 ? waiting : orders, draw(draws, 1));
      return order ? { kind: 'cancel', orderId: order.id } : null;
    }
    case 'amend': {
      const waiting = orders.filter(({ status }) => isWaiting(status));
      const order: Order | undefined = pickBy(draw(draws, 0) < 0.9 ? waiting : orders, draw(draws, 1));
      const pair = order && market.pairs.find(({ symbol }) => symbol === order.symbol);
      if (!order || !pair) return null;
      const price = amendedPrice(order, pair, market, draws);
      if (!isNet(setting)) return { kind: 'amend', orderId: order.id, price };
      const size = asSize(
        onStep((order.size * BigInt(1 + Math.floor(draw(draws, 5) * 19))) / 10n, pair.stepSize),
      );
      const near = draw(draws, 6) < 0.6 ? nearMarket(pair, market, draw(draws, 3)) : price;
      return { kind: 'amend', orderId: order.id, price: near, ...(draw(draws, 4) < 0.5 && { size }) };
    }
    case 'protect': {
      const position = some(draw(draws, 0) < 0.9 ? open : positions);
      const pair = position && market.pairs.find(({ symbol }) => symbol === position.symbol);
      if (!position || !pair) return null;
      const { side, leverage, symbol } = position;
      const prices = protectionOf(
        pair,
        side,
        market.priceOf(symbol),
        leverage,
        draw(draws, 2),
        draw(draws, 3),
      );
      const { takeProfitPrice, stopLossPrice } = prices;
      return {
        ...{ kind: 'protect', positionId: position.id },
        // What is not named stays.
        ...(draw(draws, 4) < 0.85 && { takeProfitPrice }),
        ...(draw(draws, 5) < 0.85 && { stopLossPrice }),
      };
    }
    case 'close': {
      const position = some(draw(draws, 0) < 0.85 ? open : positions);
      return position ? { kind: 'close', positionId: position.id, size: null, reason: 'manual' } : null;
    }
    case 'closePart': {
      const position = some(open);
      const pair = position && market.pairs.find(({ symbol }) => symbol === position.symbol);
      if (!position || !pair) return null;
      const exact = (position.size * BigInt(Math.floor(draw(draws, 2) * 1_000))) / 1_000n;
      const requested = draw(draws, 3) < 0.9 ? onStep(exact, pair.stepSize) : exact;
      const size = draw(draws, 4) < 0.05 ? position.size : asSize(requested);
      return { kind: 'close', positionId: position.id, size, reason: 'manual' };
    }
    case 'reverse': {
      const position = some(draw(draws, 0) < 0.9 ? open : positions);
      const pair = position && market.pairs.find(({ symbol }) => symbol === position.symbol);
      if (!position || !pair) return null;
      const seen = market.priceOf(position.symbol) * (1 + (draw(draws, 3) - 0.5) * 0.02);
      const expectedPrice = draw(draws, 2) < 0.6 ? null : priceNear(pair, seen, 0);
      return { kind: 'reverse', positionId: position.id, expectedPrice };
    }
    case 'closeAtReopen': {
      // Mostly of a closed market: for an open one it is only refused.
      const shut = open.filter(({ symbol }) => market.isShut(symbol));
      const position = some(draw(draws, 0) < 0.85 && shut.length > 0 ? shut : positions);
      if (!position) return null;
      return { kind: 'close_at_reopen', positionId: position.id, requested: draw(draws, 2) < 0.75 };
    }
    case 'leverage': {
      const { symbol } = market.pairAt(Math.floor(draw(draws, 0) * 4));
      return { kind: 'set_leverage', symbol, leverage: leverageOf(draw(draws, 2)) };
    }
    case 'margin': {
      const position = some(draw(draws, 0) < 0.95 ? open : positions);
      if (!position) return null;
      const share = BigInt(Math.floor((draw(draws, 2) - 0.4) * 2_000));
      return {
        kind: 'adjust_margin',
        positionId: position.id,
        amount: asMoney((position.margin * share) / 1_000n),
      };
    }
    case 'adjust': {
      const available = database.wallets.get(accountId)?.available ?? 0n;
      if (draw(draws, 6) < 0.7) return { kind: 'adjust', amount: fundsOf(draws, available), reason };
      return { kind: 'adjust', amount: balanceOf(draws, available), sets: 'balance', reason };
    }
    case 'edit': {
      const position = some(draw(draws, 0) < 0.65 ? open : positions);
      const pair = position && market.pairs.find(({ symbol }) => symbol === position.symbol);
      if (!position || !pair) return null;
      const expectedVersion = draw(draws, 7) < 0.1 ? position.version + 1 : position.version;
      const edit = editOf(position, pair, draws);
      return { kind: 'edit', positionId: position.id, edit, expectedVersion, reason };
    }
    case 'restrict':
      return { kind: 'restrict', restricted: draw(draws, 1) < 0.4, reason };
    case 'reset':
      return {
        kind: 'reset',
        startBalance: draw(draws, 1) < 0.5 ? asMoney(1_000_000_000_000n) : asMoney(0n),
        ...(draw(draws, 6) < 0.3 && { reason }),
      };
    case 'delete':
      return { kind: 'delete', reason };
  }
}

/** Near the market, on either side of it; sometimes where it is, off the ticks, or too dear for the account. */
function amendedPrice(order: Order, pair: TradingPair, market: SimulatedMarket, draws: Draws): Price {
  const which = draw(draws, 2);
  const last = market.priceOf(pair.symbol);
  const near = priceNear(pair, last, (draw(draws, 3) - 0.5) * 0.06);
  if (which < 0.06) return order.price ?? near;
  if (which < 0.1) return asPrice(near + 1n);
  if (which < 0.14) return priceNear(pair, last, draw(draws, 3) * 20);
  if (which < 0.18) return priceNear(pair, last, 0);
  return near;
}

/** Within two dozen ticks of the market. */
function nearMarket(pair: TradingPair, market: SimulatedMarket, fraction: number): Price {
  const last = priceNear(pair, market.priceOf(pair.symbol), 0);
  const near = last + BigInt(Math.floor((fraction - 0.5) * 50)) * pair.tickSize;
  return asPrice(near < pair.tickSize ? pair.tickSize : near);
}

const timesInForce = ['GTC', 'GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTX', 'GTX'] as const;

/** What only an order in an account with net positions says. */
function netTermsOf({ market, now }: Setting, symbol: string, draws: Draws): Required<NetOrderTerms> {
  const [a, b, c] = [draw(draws, 5), draw(draws, 6), draw(draws, 7)].map(again) as [number, number, number];
  const quoted = market.at(now).book(symbol)?.quoteId ?? 'none';
  const quoteId =
    b < 0.8 ? null : b < 0.88 ? quoted : b < 0.96 ? `${quoted}~${10n ** 24n}~${10n ** 24n}` : 'gone';
  const timeInForce = a < 0.01 ? 'NEVER' : pickBy(timesInForce, a);
  return { timeInForce: timeInForce ?? 'GTC', reduceOnly: c < 0.2, quoteId };
}

function fundsOf(draws: Draws, available: bigint): Money {
  const fraction = draw(draws, 2);
  if (fraction < 0.04) return asMoney(0n);
  if (fraction < 0.1) return asMoney(-available);
  if (fraction < 0.14) return asMoney(-available - 1n);
  const amount = unitsOf(draw(draws, 3) * 5_000);
  return asMoney(fraction < 0.5 ? -amount : amount);
}

/** To be set: nothing, less than nothing, what is there when nothing is locked, or any. */
function balanceOf(draws: Draws, available: bigint): Money {
  const fraction = draw(draws, 2);
  if (fraction < 0.05) return asMoney(0n);
  if (fraction < 0.1) return asMoney(-1n);
  if (fraction < 0.3) return asMoney(available);
  return asMoney(unitsOf(draw(draws, 3) * 20_000));
}

const orderKinds = ['LIMIT', 'LIMIT', 'LIMIT', 'STOP', 'STOP', 'MARKET'] as const;

function opening(request: 'open' | 'place', draws: Draws, setting: Setting): Command {
  const { market } = setting;
  const pair = market.pairAt(Math.floor(draw(draws, 0) * 4));
  const last = market.priceOf(pair.symbol);
  const side = draw(draws, 1) < 0.02 ? 'buy' : draw(draws, 1) < 0.5 ? 'BUY' : 'SELL';
  const leverage = isNet(setting)
    ? netLeverageOf(setting, pair.symbol, draw(draws, 2))
    : leverageOf(draw(draws, 2));
  const symbol = draw(draws, 3) < 0.01 ? 'NOSUCH' : pair.symbol;
  const size = sizeOf(setting, pair, last, leverage, draw(draws, 4));
  const away = (draw(draws, 6) - 0.5) * 0.06;
  if (request === 'open') {
    const seen = draw(draws, 5);
    const expectedPrice = seen < 0.7 ? null : priceNear(pair, last, (seen - 0.85) * 0.05);
    const protection = protectionOf(pair, side, last, leverage, draw(draws, 6), draw(draws, 7));
    const open = { kind: 'open', symbol, side, size, leverage, expectedPrice, ...protection } as const;
    if (!isNet(setting)) return open;
    // A click has no time in force.
    const { reduceOnly, quoteId } = netTermsOf(setting, symbol, draws);
    return { ...open, reduceOnly, quoteId };
  }
  const type = draw(draws, 5) < 0.01 ? 'ICEBERG' : (pickBy(orderKinds, draw(draws, 5)) ?? 'LIMIT');
  const exact =
    isNet(setting) && again(draw(draws, 6)) < 0.7
      ? nearMarket(pair, market, draw(draws, 6))
      : priceNear(pair, last, away);
  const limit = draw(draws, 7) > 0.97 ? asPrice(exact + 1n) : exact;
  const price = type === 'MARKET' && draw(draws, 6) < 0.6 ? null : limit;
  const entry = last * (type === 'MARKET' ? 1 : 1 + away);
  const protection = protectionOf(pair, side, entry, leverage, draw(draws, 7), draw(draws, 3));
  const keepRejected = draw(draws, 1) * 10 - Math.floor(draw(draws, 1) * 10) < 0.3;
  return {
    ...(isNet(setting) && netTermsOf(setting, symbol, draws)),
    kind: 'place',
    symbol,
    type: isNet(setting) && type === 'STOP' && again(draw(draws, 5)) < 0.9 ? 'LIMIT' : type,
    side,
    price,
    size,
    leverage,
    ...protection,
    clientId: null,
    keepRejected,
  };
}

/** The other side of a position: as much of it, more or less, mostly at a leverage that a small gap exhausts. */
function hedgeOf(
  { side, symbol, size, leverage }: Position,
  pair: TradingPair,
  draws: Draws,
  hasOwnLeverage: boolean,
): Command {
  const share = BigInt(Math.floor(draw(draws, 2) * 1_500));
  const scaled = draw(draws, 3) < 0.4 ? size : onStep((size * share) / 1_000n, pair.stepSize);
  return {
    kind: 'open',
    symbol,
    side: side === 'BUY' ? 'SELL' : 'BUY',
    size: asSize(scaled < pair.minQty ? pair.minQty : scaled),
    leverage:
      hasOwnLeverage || draw(draws, 4) < 0.3
        ? leverage
        : (pickBy(leverages, 0.5 + draw(draws, 4) / 2) ?? 125),
    expectedPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
  };
}

function editOf(position: Position, pair: TradingPair, draws: Draws): PositionEdit {
  const { closing, entryPrice, size, leverage, side, margin, liquidationPrice, createdAt } = position;
  const which = draw(draws, 2);
  const much = draw(draws, 3);
  const entry = Number(entryPrice) / 1e8;
  if (which < 0.15) return { entryPrice: priceNear(pair, entry, (much - 0.5) * 0.1) };
  if (which < 0.3) {
    const scaled = onStep((size * BigInt(Math.floor(much * 2_000) + 1)) / 1_000n, pair.stepSize);
    return { size: asSize(much < 0.05 ? 0n : scaled) };
  }
  if (which < 0.42) return { leverage: leverageOf(much) };
  if (which < 0.5) return { side: much < 0.9 ? (side === 'BUY' ? 'SELL' : 'BUY') : 'LONG' };
  if (which < 0.68) {
    if (much < 0.2) return { liquidationPrice: null };
    // From well within the margin to beyond it.
    const distance =
      entryPrice > liquidationPrice ? entryPrice - liquidationPrice : liquidationPrice - entryPrice;
    const move = (distance * BigInt(Math.floor(much * 1_500))) / 1_000n;
    return { liquidationPrice: asPrice(side === 'BUY' ? entryPrice - move : entryPrice + move) };
  }
  if (which < 0.73) return { createdAt: much < 0.1 ? createdAt + 1e12 : createdAt - Math.floor(much * 1e6) };
  if (which < 0.76) return { entryPrice, size, leverage, side, createdAt };
  if (!closing) return { realizedPnl: much < 0.5 ? null : asMoney(1n) };
  if (which < 0.94) {
    const pnl = (margin * BigInt(Math.floor(much * 3_000))) / 1_000n - (margin * 11n) / 10n;
    return { realizedPnl: much < 0.1 ? null : asMoney(pnl) };
  }
  if (which < 0.97) return { closePrice: priceNear(pair, entry, (much - 0.5) * 0.2) };
  return { closedAt: closing.at + Math.floor((much - 0.8) * 1e5) };
}
