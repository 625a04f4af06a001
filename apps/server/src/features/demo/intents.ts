/** The intents of a plan: what a user of the demo sends to the engine, with prices and amounts of the moment. */
import { hourMs, minuteMs, type PlaceCommand, type TradingPair, toNumber } from '@fulcrum/domain';
import type { Past } from '../trading/index.ts';
import { sizeOf, tickPriceOf } from './amounts.ts';
import type { OpenPlan, TradePlan } from './pick.ts';
import type { Intent } from './play.ts';

/** A limit order of the script, away from the market. */
export interface OrderScript {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly leverage: number;
  /** USDT. */
  readonly margin: number;
  /** From the price of its placement, as a fraction. */
  readonly distance: number;
  /** Hours before now at which it was placed. */
  readonly hours: number;
}

/** Share of the distance to the liquidation that a stop may use. */
const stopShare = 0.75;
/** Nobody trades at the stroke of the hour. */
const minuteOf = ({ daysAgo, hour }: { daysAgo: number; hour: number }): number =>
  (daysAgo * 7 + hour * 13) % 25;

const sideSign = (side: 'BUY' | 'SELL'): number => (side === 'BUY' ? 1 : -1);

interface MarketOrder {
  readonly pair: TradingPair;
  readonly side: 'BUY' | 'SELL';
  readonly size: number;
  readonly leverage: number;
  readonly price: number;
  readonly stop: number | null;
  readonly target: number | null;
}

function toMarketCommand({ pair, side, size, leverage, price, stop, target }: MarketOrder): PlaceCommand {
  const sign = sideSign(side);
  return {
    kind: 'place',
    type: 'MARKET',
    symbol: pair.symbol,
    side,
    price: null,
    size: sizeOf(size, pair),
    leverage,
    stopLossPrice: stop === null ? null : tickPriceOf(price * (1 - sign * stop), pair),
    takeProfitPrice: target === null ? null : tickPriceOf(price * (1 + sign * target), pair),
    clientId: null,
    keepRejected: false,
  };
}

/** Opens a trade, and closes by hand what is still open at its end. `onOpened` gets the id of its position. */
export function intentsOfTrade(
  accountId: string,
  plan: TradePlan,
  pair: TradingPair,
  onOpened: (positionId: string) => void = () => undefined,
): Intent[] {
  const { script, side, stop, target } = plan;
  const { symbol } = script;
  const leverage =
    stop === null ? script.leverage : Math.max(1, Math.min(script.leverage, Math.floor(stopShare / stop)));
  let positionId: string | null = null;
  return [
    {
      at: plan.at + minuteOf(script) * minuteMs,
      symbol,
      run: async (past, price, at) => {
        const size = script.risk / ((stop ?? 1 / leverage) * price);
        const command = toMarketCommand({ pair, side, size, leverage, price, stop, target });
        const order = await past.submit(accountId, command, at);
        positionId = past.positionOf(String(order.id));
        if (positionId !== null) onOpened(positionId);
      },
    },
    {
      at: plan.exitAt + hourMs - minuteMs,
      symbol,
      run: async (past, _price, at) => {
        const isOpen = past.account(accountId).positions.some(({ id }) => id === positionId);
        if (positionId === null || !isOpen) return;
        await past.submit(accountId, { kind: 'close', positionId, size: null, reason: 'manual' }, at);
      },
    },
  ];
}

export function intentOfOpen(accountId: string, { script, at }: OpenPlan, pair: TradingPair): Intent {
  const { symbol, side, leverage, margin, stop, target } = script;
  return {
    at: at + (1 + (leverage % 4)) * minuteMs,
    symbol,
    run: async (past: Past, price: number, now: number) => {
      const size = (margin * leverage) / price;
      const command = toMarketCommand({ pair, side, size, leverage, price, stop, target });
      await past.submit(accountId, command, now);
    },
  };
}

export function intentOfOrder(
  accountId: string,
  script: OrderScript,
  pair: TradingPair,
  now: number,
): Intent {
  const { symbol, side, leverage, margin, distance } = script;
  return {
    at: now - script.hours * hourMs,
    symbol,
    run: async (past, price, at) => {
      const limit = tickPriceOf(price * (1 - sideSign(side) * distance), pair);
      const size = sizeOf((margin * leverage) / toNumber(limit), pair);
      const command = { kind: 'place', type: 'LIMIT', symbol, side, price: limit, size, leverage } as const;
      const rest = {
        takeProfitPrice: null,
        stopLossPrice: null,
        clientId: null,
        keepRejected: false,
      } as const;
      await past.submit(accountId, { ...command, ...rest }, at);
    },
  };
}
