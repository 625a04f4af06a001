/**
 * The order form's state and how it changes. What is typed counts at once for submitting; the figures follow the settled
 * copy, 300 ms after the last keystroke (TRADE-43). Invariant: while an order is pending no second one starts, and an
 * order whose answer was lost keeps its client id, so that sending it again cannot place a second one.
 */
import { DEFAULT_LEVERAGE, MAX_LEVERAGE, MIN_LEVERAGE, type OrderType, type Side } from '@fulcrum/domain';

interface IntentTerms {
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  readonly size: string;
  readonly leverage: number;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  /** Of a Limit or Stop the trigger; of a Market the price the trader saw, the bound of the fill. */
  readonly price: string;
}

/** What is sent, and sent again unchanged after a lost answer. */
export interface OrderIntent extends IntentTerms {
  readonly clientId: string;
  readonly requiredMargin: string;
}

/** The form's fields as they are typed. */
export interface TicketTexts {
  readonly amount: string;
  /** Of a Limit or Stop order. */
  readonly price: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
}
export type TicketField = keyof TicketTexts;

export interface TicketState {
  readonly symbol: string;
  readonly type: OrderType;
  readonly typed: TicketTexts;
  readonly settled: TicketTexts;
  readonly leverage: number;
  /** Whether take profit and stop loss are part of the order; their texts survive being switched off. */
  readonly protects: boolean;
  readonly pending: OrderIntent | null;
  /** What stood in the fields when the pending order was sent. */
  readonly sent: TicketTexts;
  /** Orders that may or may not have arrived, oldest first; they outlive a change of pair. */
  readonly unanswered: readonly OrderIntent[];
  readonly error: string | null;
}

export type TicketAction =
  | { readonly type: 'typed'; readonly field: TicketField; readonly text: string }
  | { readonly type: 'settled' }
  /** A value from a button or an arrow key, settled at once. */
  | { readonly type: 'set'; readonly field: TicketField; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  /** `price` is what a Limit or Stop starts with while its field is empty. */
  | { readonly type: 'orderType'; readonly orderType: OrderType; readonly price: string }
  | { readonly type: 'protects'; readonly protects: boolean }
  | { readonly type: 'pair'; readonly symbol: string }
  | { readonly type: 'submitted'; readonly intent: OrderIntent }
  | { readonly type: 'placed' }
  | { readonly type: 'failed'; readonly message: string; readonly answered: boolean };

const noTexts: TicketTexts = { amount: '', price: '', takeProfit: '', stopLoss: '' };

export const emptyTicket = (symbol: string): TicketState => ({
  symbol,
  type: 'MARKET',
  typed: noTexts,
  settled: noTexts,
  leverage: DEFAULT_LEVERAGE,
  protects: false,
  pending: null,
  sent: noTexts,
  unanswered: [],
  error: null,
});

/** More lost answers than this in a row are not one trader's work any more. */
const unansweredMost = 16;

const withinLeverage = (leverage: number): number =>
  Math.min(MAX_LEVERAGE, Math.max(MIN_LEVERAGE, Math.round(leverage)));

const isSameText = (a: TicketTexts, b: TicketTexts): boolean =>
  a.amount === b.amount && a.price === b.price && a.takeProfit === b.takeProfit && a.stopLoss === b.stopLoss;

/** Whether the form still shows what the pending order was made of. */
const holdsSent = ({ pending, symbol, type, typed, sent }: TicketState): boolean =>
  pending?.symbol === symbol && pending.type === type && isSameText(typed, sent);

const repeatsHint = 'Pressing again sends the same order.';
/** After a lost answer the same button is safe to press, as long as the form still holds the same order. */
function failureText(state: TicketState, failure: Extract<TicketAction, { type: 'failed' }>): string {
  const repeats = holdsSent(state) && state.pending?.leverage === state.leverage;
  return failure.answered || !repeats ? failure.message : `${failure.message} ${repeatsHint}`;
}

export function changeTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'typed':
      return { ...state, typed: { ...state.typed, [action.field]: action.text }, error: null };
    case 'settled':
      return state.settled === state.typed ? state : { ...state, settled: state.typed };
    case 'set': {
      const typed = { ...state.typed, [action.field]: action.text };
      return { ...state, typed, settled: typed, error: null };
    }
    case 'leverage':
      return { ...state, leverage: withinLeverage(action.leverage), error: null };
    case 'orderType': {
      const typed = state.typed.price === '' ? { ...state.typed, price: action.price } : state.typed;
      return { ...state, type: action.orderType, typed, settled: typed, error: null };
    }
    case 'protects':
      return { ...state, protects: action.protects, error: null };
    case 'pair':
      // Amounts and prices of one pair mean nothing in another; leverage and the kind of order are the trader's.
      return action.symbol === state.symbol
        ? state
        : {
            ...emptyTicket(action.symbol),
            type: state.type,
            leverage: state.leverage,
            protects: state.protects,
            pending: state.pending,
            sent: state.sent,
            unanswered: state.unanswered,
          };
    case 'submitted':
      return state.pending
        ? state
        : {
            ...state,
            settled: state.typed,
            pending: action.intent,
            sent: state.typed,
            unanswered: state.unanswered.filter(({ clientId }) => clientId !== action.intent.clientId),
            error: null,
          };
    case 'placed': {
      // What was typed meanwhile is the next order; the price stays for a ladder of orders.
      if (!holdsSent(state)) return { ...state, pending: null };
      const typed = { ...noTexts, price: state.typed.price };
      return { ...state, typed, settled: typed, pending: null };
    }
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

/** The price of a Market order is what the trader happened to see: another glance does not make another order. */
const identityOf = ({ price, type, ...rest }: IntentTerms): readonly (string | number | null)[] => [
  type,
  type === 'MARKET' ? null : price,
  rest.symbol,
  rest.side,
  rest.size,
  rest.leverage,
  rest.takeProfitPrice,
  rest.stopLossPrice,
];

/** The unanswered order of these terms: sending it again is the same order, anything else is a new one. */
export function repeatedIntent(state: TicketState, terms: IntentTerms): OrderIntent | null {
  const asked = identityOf(terms);
  const isSame = (held: OrderIntent) => identityOf(held).every((value, index) => value === asked[index]);
  return state.unanswered.find(isSame) ?? null;
}
