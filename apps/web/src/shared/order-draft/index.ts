/**
 * An order that another screen has worked out and hands over to the order form. It is taken once; what nobody takes within
 * a minute is forgotten. It only fills fields: nothing is sent by it.
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

let handed: { readonly fields: OrderDraftFields; readonly at: number } | null = null;

export function handOverOrderDraft(fields: OrderDraftFields, now = Date.now()): void {
  handed = { fields, at: now };
}

/** Whether one waits for this symbol's order form, which has to be on screen then. */
export const hasOrderDraft = (symbol: string, now = Date.now()): boolean =>
  handed !== null && handed.fields.symbol === symbol && now - handed.at <= keptForMs;

/** The draft for this symbol, which is then gone; null when there is none. */
export function takeOrderDraft(symbol: string, now = Date.now()): OrderDraftFields | null {
  if (handed === null || handed.fields.symbol !== symbol) return null;
  const { fields, at } = handed;
  handed = null;
  return now - at <= keptForMs ? fields : null;
}
