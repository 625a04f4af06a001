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
  /** The amount's text when the pending order was sent. */
  readonly sentText: string;
  /** Orders that may or may not have arrived, oldest first; they outlive a change of pair. */
  readonly unanswered: readonly OrderIntent[];
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
  sentText: '',
  unanswered: [],
  error: null,
});

/** More lost answers than this in a row are not one trader's work any more. */
const unansweredMost = 16;

const withinLeverage = (leverage: number): number =>
  Math.min(MAX_LEVERAGE, Math.max(MIN_LEVERAGE, Math.round(leverage)));

/** Whether the form still shows the amount of the pending order. */
const holdsSentText = ({ pending, symbol, amountText, sentText }: TicketState): boolean =>
  pending?.symbol === symbol && amountText === sentText;

const repeatsHint = 'Pressing again sends the same order.';
/** After a lost answer the same button is safe to press, as long as the form still holds the same order. */
function failureText(state: TicketState, failure: Extract<TicketAction, { type: 'failed' }>): string {
  const repeats = holdsSentText(state) && state.pending?.leverage === state.leverage;
  return failure.answered || !repeats ? failure.message : `${failure.message} ${repeatsHint}`;
}

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
        : {
            ...emptyTicket(action.symbol),
            leverage: state.leverage,
            pending: state.pending,
            sentText: state.sentText,
            unanswered: state.unanswered,
          };
    case 'submitted':
      return state.pending
        ? state
        : {
            ...state,
            settledText: state.amountText,
            pending: action.intent,
            sentText: state.amountText,
            unanswered: state.unanswered.filter(({ clientId }) => clientId !== action.intent.clientId),
            error: null,
          };
    case 'placed':
      // What was typed meanwhile is the next order.
      return holdsSentText(state)
        ? { ...state, amountText: '', settledText: '', pending: null }
        : { ...state, pending: null };
    case 'failed':
      return {
        ...state,
        pending: null,
        unanswered:
          action.answered || !state.pending
            ? state.unanswered
            : [...state.unanswered, state.pending].slice(-unansweredMost),
        // The form of another pair says nothing about this order.
        error: state.pending?.symbol === state.symbol ? failureText(state, action) : state.error,
      };
  }
}

type Terms = Pick<OrderIntent, 'symbol' | 'side' | 'size' | 'leverage'>;

/** The unanswered order of these terms: sending it again is the same order, anything else is a new one. */
export function repeatedIntent(state: TicketState, terms: Terms): OrderIntent | null {
  const isSame = (held: OrderIntent) =>
    held.symbol === terms.symbol &&
    held.side === terms.side &&
    held.size === terms.size &&
    held.leverage === terms.leverage;
  return state.unanswered.find(isSame) ?? null;
}
