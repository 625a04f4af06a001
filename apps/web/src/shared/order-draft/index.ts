/**
 * An order that another screen hands over to the order form. The form takes it once; it expires after a minute. The draft only
 * fills fields and sends nothing. Invariant: only the user who handed it over can take it; a visitor's is taken by the next user.
 */
import type { Side } from '@fulcrum/domain';
import { createListeners } from '../listeners/listeners.ts';
import { discardVisitorDraft, readVisitorDraft } from './visitor-draft.ts';

const ttlMs = 60_000;

/** Decimal texts as a user would type them. */
export interface OrderDraftFields {
  readonly symbol: string;
  readonly side: Side | null;
  /** The amount in the base asset. */
  readonly amount: string;
  readonly leverage: number | null;
  readonly stopLoss: string | null;
  readonly takeProfit: string | null;
}

interface PendingDraft {
  readonly accountId: string;
  readonly fields: OrderDraftFields;
  readonly at: number;
}
let pending: PendingDraft | null = null;
const { subscribe, notify } = createListeners();

export function handOverOrderDraft(accountId: string, fields: OrderDraftFields, now = Date.now()): void {
  pending = { accountId, fields, at: now };
  notify();
}

/** Calls `listener` for each draft, until the returned function is called: a form on screen takes one, too. */
export const onOrderDraft = subscribe;

/** Whether a draft waits for this symbol's order form, which then has to be on screen. */
export const hasOrderDraft = (accountId: string, symbol: string, now = Date.now()): boolean =>
  readVisitorDraft(symbol, now) !== null ||
  (pending !== null &&
    pending.accountId === accountId &&
    pending.fields.symbol === symbol &&
    now - pending.at <= ttlMs);

/** Takes and removes the draft for this symbol; null when there is none. */
export function takeOrderDraft(accountId: string, symbol: string, now = Date.now()): OrderDraftFields | null {
  if (pending !== null && pending.accountId !== accountId) pending = null;
  if (pending === null || pending.fields.symbol !== symbol) return takeVisitorDraft(symbol, now);
  const { fields, at } = pending;
  pending = null;
  return now - at <= ttlMs ? fields : null;
}

function takeVisitorDraft(symbol: string, now: number): OrderDraftFields | null {
  const draft = readVisitorDraft(symbol, now);
  if (draft === null) return null;
  discardVisitorDraft();
  return { ...draft, stopLoss: null, takeProfit: null };
}
