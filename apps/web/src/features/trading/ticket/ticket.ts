/**
 * The order form's state and how it changes. What is typed counts at once for submitting; the figures follow the settled
 * copy, 300 ms after the last keystroke (TRADE-43). Invariant: while an order is pending no second one starts, and an
 * order whose answer was lost keeps its client id, so that sending it again cannot place a second one. A question about an
 * order is about what stands in the form: it is withdrawn by any change of it.
 */
import { DEFAULT_LEVERAGE, MAX_LEVERAGE, MIN_LEVERAGE, type OrderType, type Side } from '@fulcrum/domain';
import type { OrderDraftFields } from '../../../shared/order-draft/index.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';

/** An order as it would be sent. */
export interface OrderDraft {
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  /** In the base asset. */
  readonly size: string;
  /** What was typed, exactly: the same figure at another price is the same wish. */
  readonly entered: { readonly unit: AmountUnit; readonly value: string };
  readonly leverage: number;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  /** Of a Limit or Stop the trigger; of a Market the price the trader saw, the bound of the fill. */
  readonly price: string;
}

/** What is sent, and sent again unchanged after a lost answer. */
export interface OrderIntent extends OrderDraft {
  readonly clientId: string;
  readonly requiredMargin: string;
}

/** The form's fields as they are typed. */
export interface TicketTexts {
  readonly amount: string;
  /** What the amount is typed in. */
  readonly unit: AmountUnit;
  /** Of a Limit or Stop order. */
  readonly price: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
}
export type TicketField = Exclude<keyof TicketTexts, 'unit'>;

/** An amount as somebody entered it, before any switch of the unit. */
export interface EnteredAmount {
  readonly text: string;
  readonly unit: AmountUnit;
}

export interface TicketState {
  readonly symbol: string;
  readonly type: OrderType;
  readonly typed: TicketTexts;
  readonly settled: TicketTexts;
  /** Each switch of the unit converts this, so that switching back gives it again. */
  readonly entered: EnteredAmount;
  readonly leverage: number;
  /** Whether take profit and stop loss are part of the order; their texts survive being switched off. */
  readonly protects: boolean;
  /** The side that a calculator has worked these fields out for; null when a person filled them. */
  readonly workedOutFor: Side | null;
  /** The order that the trader is asked to confirm. */
  readonly asked: OrderDraft | null;
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
  /** `text` is the amount entered, converted. */
  | { readonly type: 'unit'; readonly unit: AmountUnit; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  /** `price` is what a Limit or Stop starts with while its field is empty. */
  | { readonly type: 'orderType'; readonly orderType: OrderType; readonly price: string }
  | { readonly type: 'protects'; readonly protects: boolean }
  | { readonly type: 'pair'; readonly symbol: string }
  /** Figures that another screen hands over; the amount is in the base asset. */
  | { readonly type: 'handed over'; readonly draft: OrderDraftFields }
  | { readonly type: 'asked'; readonly draft: OrderDraft }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'submitted'; readonly intent: OrderIntent }
  | { readonly type: 'placed' }
  | { readonly type: 'failed'; readonly message: string; readonly answered: boolean };

const noTexts = (unit: AmountUnit): TicketTexts => ({
  amount: '',
  unit,
  price: '',
  takeProfit: '',
  stopLoss: '',
});
const nothingEntered = (unit: AmountUnit): EnteredAmount => ({ text: '', unit });

export const emptyTicket = (symbol: string, unit: AmountUnit = 'base'): TicketState => ({
  symbol,
  type: 'MARKET',
  typed: noTexts(unit),
  settled: noTexts(unit),
  entered: nothingEntered(unit),
  leverage: DEFAULT_LEVERAGE,
  protects: false,
  workedOutFor: null,
  asked: null,
  pending: null,
  sent: noTexts(unit),
  unanswered: [],
  error: null,
});

/** More lost answers than this in a row are not one trader's work any more. */
const unansweredMost = 16;

const withinLeverage = (leverage: number): number =>
  Math.min(MAX_LEVERAGE, Math.max(MIN_LEVERAGE, Math.round(leverage)));

const isSameText = (a: TicketTexts, b: TicketTexts): boolean =>
  a.amount === b.amount &&
  a.unit === b.unit &&
  a.price === b.price &&
  a.takeProfit === b.takeProfit &&
  a.stopLoss === b.stopLoss;

/** Whether the form still shows what the pending order was made of. */
const holdsSent = ({ pending, symbol, type, typed, sent }: TicketState): boolean =>
  pending?.symbol === symbol && pending.type === type && isSameText(typed, sent);

const repeatsHint = 'Pressing again sends the same order.';
/** After a lost answer the same button is safe to press, as long as the form still holds the same order. */
function failureText(state: TicketState, failure: Extract<TicketAction, { type: 'failed' }>): string {
  const repeats = holdsSent(state) && state.pending?.leverage === state.leverage;
  return failure.answered || !repeats ? failure.message : `${failure.message} ${repeatsHint}`;
}

/** The form with another text in one of its fields. */
function withText(
  state: TicketState,
  { field, text }: { readonly field: TicketField; readonly text: string },
): TicketState {
  const entered = field === 'amount' ? { text, unit: state.typed.unit } : state.entered;
  return { ...state, typed: { ...state.typed, [field]: text }, entered, asked: null, error: null };
}

const settled = (state: TicketState): TicketState =>
  state.settled === state.typed ? state : { ...state, settled: state.typed };

function handedOver(state: TicketState, draft: OrderDraftFields): TicketState {
  if (draft.symbol !== state.symbol) return state;
  const { amount, leverage, takeProfit, stopLoss, side } = draft;
  const typed: TicketTexts = {
    ...state.typed,
    amount,
    unit: 'base',
    takeProfit: takeProfit ?? '',
    stopLoss: stopLoss ?? '',
  };
  return settled({
    ...state,
    typed,
    entered: { text: amount, unit: 'base' },
    leverage: leverage === null ? state.leverage : withinLeverage(leverage),
    protects: state.protects || takeProfit !== null || stopLoss !== null,
    workedOutFor: side,
    asked: null,
    error: null,
  });
}

export function changeTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'typed':
      return withText(state, action);
    case 'settled':
      return settled(state);
    case 'set':
      return settled(withText(state, action));
    case 'unit': {
      const typed = { ...state.typed, amount: action.text, unit: action.unit };
      // An empty field has nothing to come back to.
      const entered = state.entered.text === '' ? nothingEntered(action.unit) : state.entered;
      return settled({ ...state, typed, entered, asked: null, error: null });
    }
    case 'leverage':
      return { ...state, leverage: withinLeverage(action.leverage), asked: null, error: null };
    case 'orderType': {
      const typed = state.typed.price === '' ? { ...state.typed, price: action.price } : state.typed;
      return settled({ ...state, type: action.orderType, typed, asked: null, error: null });
    }
    case 'protects':
      return { ...state, protects: action.protects, asked: null, error: null };
    case 'pair':
      // Amounts and prices of one pair mean nothing in another; leverage and the kind of order are the trader's.
      return action.symbol === state.symbol
        ? state
        : {
            ...emptyTicket(action.symbol, state.typed.unit),
            type: state.type,
            leverage: state.leverage,
            protects: state.protects,
            pending: state.pending,
            sent: state.sent,
            unanswered: state.unanswered,
          };
    case 'handed over':
      return handedOver(state, action.draft);
    case 'asked':
      return state.pending ? state : { ...state, asked: action.draft, error: null };
    case 'withdrawn':
      return { ...state, asked: null };
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
      if (!holdsSent(state)) return { ...state, pending: null, asked: null };
      const { unit, price } = state.typed;
      const typed = { ...noTexts(unit), price };
      const entered = nothingEntered(unit);
      return { ...state, typed, settled: typed, entered, workedOutFor: null, pending: null, asked: null };
    }
    case 'failed':
      return {
        ...state,
        pending: null,
        asked: null,
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
const termsOf = (draft: OrderDraft): readonly (string | number | null)[] => [
  draft.type,
  draft.type === 'MARKET' ? null : draft.price,
  draft.symbol,
  draft.side,
  draft.leverage,
  draft.takeProfitPrice,
  draft.stopLossPrice,
];

/** USDT or per cent come to another size with each tick, and are the same amount for it. */
const isSameAmount = (a: OrderDraft, b: OrderDraft): boolean =>
  a.size === b.size || (a.entered.unit === b.entered.unit && a.entered.value === b.entered.value);

/** The unanswered order of these terms: sending it again is the same order, anything else is a new one. */
export function repeatedIntent(state: TicketState, draft: OrderDraft): OrderIntent | null {
  const asked = termsOf(draft);
  const isSame = (held: OrderIntent) =>
    isSameAmount(held, draft) && termsOf(held).every((value, index) => value === asked[index]);
  return state.unanswered.find(isSame) ?? null;
}
