/** What an order, a conditional ("algo") order and a trade are at `/fapi`; the user data stream has them, too. */
import { orderStatuses, orderTypes, sides, timesInForce } from '@fulcrum/domain';
import { z } from 'zod';
import { wire } from './route.ts';

const side = z.enum(sides);
const orderType = z.enum(orderTypes);
const timeInForce = z.enum(timesInForce);

/** What both kinds of orders say of themselves. */
const stated = {
  symbol: z.string(),
  side,
  positionSide: z.literal('BOTH'),
  timeInForce,
  price: wire.decimal,
  reduceOnly: z.boolean(),
  closePosition: z.boolean(),
  workingType: z.literal('CONTRACT_PRICE'),
  priceProtect: z.boolean(),
  priceMatch: z.literal('NONE'),
  selfTradePreventionMode: z.literal('NONE'),
  /** 0 for an order without an end. */
  goodTillDate: z.number().int(),
  updateTime: wire.time,
} as const;

export const wireOrder = z.object({
  ...stated,
  orderId: wire.id,
  clientOrderId: z.string(),
  status: z.enum(orderStatuses),
  /** What it trades as; `origType` is what was sent. */
  type: orderType,
  origType: orderType,
  /** 0 while nothing is filled. */
  avgPrice: wire.decimal,
  origQty: wire.decimal,
  executedQty: wire.decimal,
  cumQty: wire.decimal,
  /** USDT. */
  cumQuote: wire.decimal,
  stopPrice: wire.decimal,
  activatePrice: wire.decimal.optional(),
  /** Per cent. */
  priceRate: wire.decimal.optional(),
  time: wire.time,
});
export type WireOrder = z.infer<typeof wireOrder>;

const algoStatuses = ['NEW', 'TRIGGERED', 'FINISHED', 'CANCELED', 'REJECTED', 'EXPIRED'] as const;

export const wireAlgoOrder = z.object({
  ...stated,
  algoId: wire.id,
  clientAlgoId: z.string(),
  algoType: z.literal('CONDITIONAL'),
  orderType,
  quantity: wire.decimal,
  algoStatus: z.enum(algoStatuses),
  /** The order that it became; empty before. */
  actualOrderId: z.string(),
  actualPrice: wire.decimal,
  triggerPrice: wire.decimal,
  icebergQuantity: z.null(),
  activatePrice: wire.decimal.optional(),
  /** Per cent. */
  callbackRate: wire.decimal.optional(),
  createTime: wire.time,
  /** 0 before. */
  triggerTime: z.number().int(),
  /** Why it is REJECTED; else empty. */
  reason: z.string(),
});
export type WireAlgoOrder = z.infer<typeof wireAlgoOrder>;

export const wireTrade = z.object({
  symbol: z.string(),
  id: wire.id,
  orderId: wire.id,
  side,
  positionSide: z.literal('BOTH'),
  price: wire.decimal,
  qty: wire.decimal,
  quoteQty: wire.decimal,
  realizedPnl: wire.decimal,
  commission: wire.decimal,
  commissionAsset: z.literal('USDT'),
  buyer: z.boolean(),
  maker: z.boolean(),
  time: wire.time,
});
export type WireTrade = z.infer<typeof wireTrade>;
