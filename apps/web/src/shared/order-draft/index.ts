/**
 * An order that another screen has worked out and hands over to the order form. It is taken once; what nobody takes within
 * a minute is forgotten. It only fills fields: nothing is sent by it. Invariant: it is taken by the account that handed it over.
 */
import type { Side } from '@fulcrum/domain';

const keptForMs = 60_000;

/** Decimal texts as a person would type them. */
export interface OrderDraftFields {
  readonly symbol: string;
  readonly side: Side | null;
  /** In the base asset. */
  readonly amount: string;
  readonly leverage: number | null;
  readonly stopLoss: string | null;
  readonly takeProfit: string | null;
}

interface Handed {
  readonly userId: string;
  readonly fields: OrderDraftFields;
  readonly at: number;
}
let handed: Handed | null = null;

export function handOverOrderDraft(userId: string, fields: OrderDraftFields, now = Date.now()): void {
  handed = { userId, fields, at: now };
}

/** Whether one waits for this symbol's order form, which has to be on screen then. */
export const hasOrderDraft = (userId: string, symbol: string, now = Date.now()): boolean =>
  handed !== null &&
  handed.userId === userId &&
  handed.fields.symbol === symbol &&
  now - handed.at <= keptForMs;

/** The draft for this symbol, which is then gone; null when there is none. */
export function takeOrderDraft(userId: string, symbol: string, now = Date.now()): OrderDraftFields | null {
  if (handed !== null && handed.userId !== userId) handed = null;
  if (handed === null || handed.fields.symbol !== symbol) return null;
  const { fields, at } = handed;
  handed = null;
  return now - at <= keptForMs ? fields : null;
}
