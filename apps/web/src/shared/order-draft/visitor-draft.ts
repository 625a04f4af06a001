/**
 * An order that a visitor tried on the landing page, kept for the order form of whoever signs in or registers in this tab next. It
 * survives the login and the registration, which leads to the dashboard, and expires after half an hour. It only fills fields.
 */
import { DEFAULT_LEVERAGE, MAX_LEVERAGE, minuteMs, type Side } from '@fulcrum/domain';

export interface VisitorDraft {
  readonly symbol: string;
  readonly side: Side | null;
  /** The amount in the base asset, as typed. */
  readonly amount: string;
  readonly leverage: number;
}

const key = 'fulcrum-visitor-order';
const ttlMs = 30 * minuteMs;
const amountLength = 24;

export function keepVisitorDraft(draft: VisitorDraft, now = Date.now()): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...draft, at: now }));
  } catch {
    // Storage may be blocked or full; the visitor types the order again.
  }
}

/** The draft for this symbol; null when there is none, when it is too old, or when it is damaged. */
export function readVisitorDraft(symbol: string, now = Date.now()): VisitorDraft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return parse(stored, symbol, now);
  } catch {
    return null;
  }
}

function parse(stored: unknown, symbol: string, now: number): VisitorDraft | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { at, ...draft } = stored as { readonly [name in keyof VisitorDraft | 'at']?: unknown };
  const { amount, leverage, side } = draft;
  if (typeof at !== 'number' || now - at > ttlMs || now < at || draft.symbol !== symbol) return null;
  if (typeof amount !== 'string' || amount.length > amountLength) return null;
  if (typeof leverage !== 'number' || !Number.isInteger(leverage)) return null;
  if (leverage < DEFAULT_LEVERAGE || leverage > MAX_LEVERAGE) return null;
  return { symbol, amount, leverage, side: side === 'BUY' || side === 'SELL' ? side : null };
}

export function discardVisitorDraft(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Where storage is blocked there is none.
  }
}
