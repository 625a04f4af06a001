/**
 * The order form's state and how it changes. What is typed counts at once for submitting; the figures follow the settled
 * copy, 300 ms after the last keystroke (TRADE-43). Invariant: while an order is pending no second one starts, and an
 * order whose answer was lost keeps its client id, so that sending it again cannot open a second position.
 */
import { DEFAULT_LEVERAGE, MAX_LEVERAGE, MIN_LEVERAGE, type Side } from '@fulcrum/domain';

/** What is sent, and sent again unchanged after a lost answer. */
export interface OrderIntent {
  readonly clientId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly size: string;
  readonly leverage: number;
  /** The price the trader saw, the bound of the fill. */
  readonly entryPrice: number;
  readonly requiredMargin: string;
}

export interface TicketState {
  readonly symbol: string;
  readonly amountText: string;
  readonly settledText: string;
  readonly leverage: number;
  readonly pending: OrderIntent | null;
  /** An order that may or may not have arrived. */
  readonly unanswered: OrderIntent | null;
  readonly error: string | null;
}

export type TicketAction =
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'settled' }
  /** An amount from a button or an arrow key, settled at once. */
  | { readonly type: 'amount'; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  | { readonly type: 'pair'; readonly symbol: string }
  | { readonly type: 'submitted'; readonly intent: OrderIntent }
  | { readonly type: 'placed' }
  | { readonly type: 'failed'; readonly message: string; readonly answered: boolean };

export const emptyTicket = (symbol: string): TicketState => ({
  symbol,
  amountText: '',
  settledText: '',
  leverage: DEFAULT_LEVERAGE,
  pending: null,
  unanswered: null,
  error: null,
});

const withinLeverage = (leverage: number): number =>
  Math.min(MAX_LEVERAGE, Math.max(MIN_LEVERAGE, Math.round(leverage)));

export function changeTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'typed':
      return { ...state, amountText: action.text, error: null };
    case 'settled':
      return state.settledText === state.amountText ? state : { ...state, settledText: state.amountText };
    case 'amount':
      return { ...state, amountText: action.text, settledText: action.text, error: null };
    case 'leverage':
      return { ...state, leverage: withinLeverage(action.leverage), error: null };
    case 'pair':
      // Amounts of one pair mean nothing in another; the leverage is the trader's.
      return action.symbol === state.symbol
        ? state
        : { ...emptyTicket(action.symbol), leverage: state.leverage, pending: state.pending };
    case 'submitted':
      return state.pending
        ? state
        : { ...state, settledText: state.amountText, pending: action.intent, unanswered: null, error: null };
    case 'placed':
      return state.pending?.symbol === state.symbol
        ? { ...state, amountText: '', settledText: '', pending: null }
        : { ...state, pending: null };
    case 'failed':
      return {
        ...state,
        pending: null,
        unanswered: action.answered ? null : state.pending,
        error: action.message,
      };
  }
}

type Terms = Pick<OrderIntent, 'symbol' | 'side' | 'size' | 'leverage'>;

/** The unanswered order when these are its terms: sending it again is the same order, anything else is a new one. */
export function repeatedIntent(state: TicketState, terms: Terms): OrderIntent | null {
  const held = state.unanswered;
  const isSame =
    held?.symbol === terms.symbol &&
    held.side === terms.side &&
    held.size === terms.size &&
    held.leverage === terms.leverage;
  return isSame ? held : null;
}
