/**
 * The behaviour of the simulated feed. It wanders, aims at armed prices, jumps up to the guard's limits and beyond,
 * repeats itself, sends late and invalid prices, and closes and reopens markets.
 */
import { isWaiting } from '@fulcrum/domain';
import type { SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { Step } from './scenario.ts';

export interface FeedSetting {
  readonly market: SimulatedMarket;
  readonly database: MemoryDatabase;
  /** Lets that many milliseconds pass. */
  readonly pass: (ms: number) => void;
}

export function movePrice(
  { market, database, pass }: FeedSetting,
  { pair: at, move, draws }: Extract<Step, { kind: 'price' }>,
): void {
  const { symbol } = market.pairAt(at);
  const [a = 0, b = 0, c = 0] = draws;
  const last = market.priceOf(symbol);
  // Market time goes on, mostly: two ticks of one moment are allowed.
  if (c < 0.9) pass(Math.floor(c * 300));
  switch (move) {
    case 'walk':
      market.report(symbol, last * (1 + (a - 0.5) * (b < 0.5 ? 0.004 : 0.06)));
      break;
    case 'aim':
      market.report(symbol, aimAt({ market, database, symbol }, a, b) ?? last);
      break;
    case 'jump':
      market.report(symbol, last * (a < 0.5 ? 0.5 + b * 0.45 : 1.05 + b));
      break;
    case 'hold':
      market.report(symbol, last * (a < 0.5 ? 0.3 + b * 0.35 : 1.35 + b));
      break;
    case 'accept':
      market.acceptHeld(symbol);
      break;
    case 'reject':
      market.rejectHeld(symbol);
      break;
    case 'confirm':
      // A held price, repeated until the guard accepts it.
      for (let i = 0; i < 3; i += 1) {
        pass(5_500);
        market.report(symbol, market.lastReported(symbol) * (1 + i * 0.001));
      }
      break;
    case 'repeat':
      market.repeat(symbol);
      break;
    case 'late':
      market.reportLate(symbol, last * (0.9 + a * 0.2));
      break;
    case 'nonsense':
      market.reportNonsense(symbol);
      break;
    case 'shut':
      market.report(symbol, last * (0.99 + a * 0.02), { isOpen: false });
      break;
    case 'reopen':
      market.report(symbol, last * (0.93 + a * 0.14));
      break;
    case 'break':
      market.report(symbol, last * (0.7 + a * 0.6), { breaks: true });
      break;
    case 'gap':
      // Small ones too: they reach what lies between a liquidation price and the end of a margin.
      market.report(symbol, last * (1 + (a - 0.5) * (b < 0.4 ? 0.06 : 1.2)), { breaks: true });
  }
}

/** An armed price, exactly or one tick to either side; null without any. */
function aimAt(
  { market, database, symbol }: Pick<FeedSetting, 'market' | 'database'> & { readonly symbol: string },
  which: number,
  offset: number,
): number | null {
  const pair = market.pairs.find((listed) => listed.symbol === symbol);
  if (!pair) return null;
  const { tickSize } = pair;
  const prices: bigint[] = [];
  for (const position of database.positions.values()) {
    if (position.symbol !== symbol || position.closing) continue;
    const { liquidationPrice, takeProfitPrice, stopLossPrice, entryPrice } = position;
    const warning = (entryPrice * 2n + liquidationPrice * 8n) / 10n;
    const recovered = (entryPrice * 3n + liquidationPrice * 7n) / 10n;
    for (const price of [liquidationPrice, takeProfitPrice, stopLossPrice, warning, recovered]) {
      if (price !== null) prices.push(price);
    }
  }
  for (const order of database.orders.values()) {
    if (order.symbol !== symbol || order.price === null || !isWaiting(order.status)) continue;
    prices.push(order.price);
    // It waits until the other side of the book is beyond its price.
    const away = order.side === 'BUY' ? -tickSize : tickSize;
    if (order.rules === 'perpetual') prices.push(order.price + 2n * away, order.price + 4n * away);
  }
  const price = prices[Math.floor(which * prices.length)];
  if (price === undefined) return null;
  const ticks = offset < 0.6 ? 0n : offset < 0.8 ? 1n : -1n;
  return Number(price + ticks * tickSize) / 1e8;
}
