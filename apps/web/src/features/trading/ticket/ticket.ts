/**
 * The order form's state and its transitions. Submitting uses the fields as typed; figures use the settled copy, 300
 * ms after the last keystroke (TRADE-43).
 *
 * Invariant: while an order is pending, no second one starts. An order whose answer was lost keeps its client id, so
 * sending it again cannot place a second one. Any change of the form withdraws an open confirmation.
 */
import {
  type BasicOrderType,
  DEFAULT_LEVERAGE,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  type Side,
} from '@fulcrum/domain';
import type { OrderDraftFields } from '../../../shared/order-draft/index.ts';
import type { AmountUnit } from '../../../shared/preferences/index.ts';
import type { NetTerms } from '../../order-book/index.ts';
import type { ProtectionUnit } from './protection-units.ts';
import type { TicketMemory } from './ticket-memory.ts';

/** An order as it would be sent. */
export interface OrderDraft {
  readonly symbol: string;
  readonly type: BasicOrderType;
  readonly side: Side;
  /** In the base asset. */
  readonly size: string;
  /** The amount as typed: the same figure at another price is the same order. */
  readonly entered: { readonly unit: AmountUnit; readonly value: string };
  /** Take profit and stop loss as typed distances, which are the same at another price; null for prices. */
  readonly distances: string | null;
  readonly leverage: number;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  /** The trigger of a Limit or Stop; for a Market order the displayed price, which bounds the fill. */
  readonly price: string;
  /** Of an account with net positions, else null. */
  readonly netTerms: NetTerms | null;
}

/** The order that is sent, and sent again unchanged after a lost answer. */
export interface OrderIntent extends OrderDraft {
  readonly clientId: string;
  readonly requiredMargin: string;
}

/** The form's fields as they are typed. */
export interface TicketTexts {
  readonly amount: string;
  /** The unit of the amount. */
  readonly unit: AmountUnit;
  /** The price of a Limit or Stop order. */
  readonly price: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** The unit of take profit and stop loss. */
  readonly protectionUnit: ProtectionUnit;
}
export type TicketField = Exclude<keyof TicketTexts, 'unit' | 'protectionUnit'>;

/** An amount as entered, before any switch of the unit. */
export interface EnteredAmount {
  readonly text: string;
  readonly unit: AmountUnit;
}

export interface TicketState {
  readonly symbol: string;
  readonly type: BasicOrderType;
  readonly typed: TicketTexts;
  readonly settled: TicketTexts;
  /** Each switch of the unit converts this, so that switching back restores it. */
  readonly entered: EnteredAmount;
  readonly leverage: number;
  /** Whether take profit and stop loss are part of the order; their texts survive being switched off. */
  readonly protects: boolean;
  /** Used in accounts with net positions. */
  readonly netTerms: NetTerms;
  /** The side that a calculator filled these fields for; null after manual input. */
  readonly workedOutFor: Side | null;
  /** The order that awaits the trader's confirmation. */
  readonly confirming: OrderDraft | null;
  readonly pending: OrderIntent | null;
  /** The fields when the pending order was sent. */
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
  /** `text` is the entered amount, converted. */
  | { readonly type: 'unit'; readonly unit: AmountUnit; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  /** `price` is the initial price of a Limit or Stop while its field is empty. */
  | { readonly type: 'orderType'; readonly orderType: BasicOrderType; readonly price: string }
  | { readonly type: 'protects'; readonly protects: boolean }
  | { readonly type: 'netTerms'; readonly netTerms: NetTerms }
  /** The texts are the entered ones, converted. */
  | ({ readonly type: 'protectionUnit' } & ProtectionTexts)
  /** Returns everything to a pair's first time, but an order that is on its way. */
  | { readonly type: 'reset'; readonly unit: AmountUnit }
  /** `memory` has what the user chose for the pair before. */
  | { readonly type: 'pair'; readonly symbol: string; readonly memory?: TicketMemory }
  /** Figures from another screen; the amount is in the base asset. */
  | { readonly type: 'handed over'; readonly draft: OrderDraftFields }
  | { readonly type: 'confirm'; readonly draft: OrderDraft }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'submitted'; readonly intent: OrderIntent }
  | { readonly type: 'placed' }
  | { readonly type: 'failed'; readonly message: string; readonly answered: boolean };

export type ProtectionTexts = Pick<TicketTexts, 'takeProfit' | 'stopLoss' | 'protectionUnit'>;
const noProtectionTexts: ProtectionTexts = { takeProfit: '', stopLoss: '', protectionUnit: 'price' };

const noTexts = (unit: AmountUnit): TicketTexts => ({ amount: '', unit, price: '', ...noProtectionTexts });

/** What an order leaves for the next one: a distance fits it too, a price does not. */
const retainedProtection = ({ takeProfit, stopLoss, protectionUnit }: ProtectionTexts): ProtectionTexts =>
  protectionUnit === 'price' ? noProtectionTexts : { takeProfit, stopLoss, protectionUnit };

const memorizedProtection = ({ takeProfit = '', stopLoss = '', protectionUnit }: TicketMemory) =>
  retainedProtection({ takeProfit, stopLoss, protectionUnit: protectionUnit ?? 'price' });
const nothingEntered = (unit: AmountUnit): EnteredAmount => ({ text: '', unit });

export const emptyTicket = (symbol: string, unit: AmountUnit = 'base'): TicketState => ({
  symbol,
  type: 'MARKET',
  typed: noTexts(unit),
  settled: noTexts(unit),
  entered: nothingEntered(unit),
  leverage: DEFAULT_LEVERAGE,
  protects: false,
  netTerms: { timeInForce: 'GTC', reduceOnly: false },
  workedOutFor: null,
  confirming: null,
  pending: null,
  sent: noTexts(unit),
  unanswered: [],
  error: null,
});

/** The form of a pair with what the user chose for it before. */
export function startTicket(
  symbol: string,
  { leverage, type, unit, protects, ...protection }: TicketMemory,
  defaultUnit: AmountUnit,
): TicketState {
  const empty = emptyTicket(symbol, unit ?? defaultUnit);
  const typed = { ...empty.typed, ...memorizedProtection(protection) };
  return {
    ...empty,
    typed,
    settled: typed,
    type: type ?? empty.type,
    leverage: leverage ?? empty.leverage,
    // An amount by risk has no use for a hidden stop loss.
    protects: unit === 'risk' || (protects ?? empty.protects),
  };
}

/** More lost answers than this in a row do not come from a trader's manual work. */
const unansweredMax = 16;

const withinLeverage = (leverage: number): number =>
  Math.min(MAX_LEVERAGE, Math.max(MIN_LEVERAGE, Math.round(leverage)));

const isSameText = (a: TicketTexts, b: TicketTexts): boolean =>
  a.amount === b.amount &&
  a.unit === b.unit &&
  a.price === b.price &&
  a.takeProfit === b.takeProfit &&
  a.stopLoss === b.stopLoss &&
  a.protectionUnit === b.protectionUnit;

/** The time in force of a market order is no choice. */
const isSameTerms = ({ type, netTerms }: OrderIntent, { timeInForce, reduceOnly }: NetTerms): boolean =>
  netTerms?.reduceOnly === reduceOnly && (type === 'MARKET' || netTerms.timeInForce === timeInForce);

/** Whether the form still shows the values of the pending order. */
const isShowingSent = ({ pending, symbol, type, typed, sent, netTerms }: TicketState): boolean =>
  pending?.symbol === symbol &&
  pending.type === type &&
  isSameText(typed, sent) &&
  (pending.netTerms === null || isSameTerms(pending, netTerms));

const repeatsHint = 'Pressing again sends the same order.';
/** After a lost answer the same button is safe to press, as long as the form still holds the same order. */
function getFailureText(state: TicketState, failure: Extract<TicketAction, { type: 'failed' }>): string {
  const repeats = isShowingSent(state) && state.pending?.leverage === state.leverage;
  return failure.answered || !repeats ? failure.message : `${failure.message} ${repeatsHint}`;
}

/** The form with a changed text in one of its fields. */
function withText(
  state: TicketState,
  { field, text }: { readonly field: TicketField; readonly text: string },
): TicketState {
  const entered = field === 'amount' ? { text, unit: state.typed.unit } : state.entered;
  return { ...state, typed: { ...state.typed, [field]: text }, entered, confirming: null, error: null };
}

const withSettled = (state: TicketState): TicketState =>
  state.settled === state.typed ? state : { ...state, settled: state.typed };

function withOrderDraft(state: TicketState, draft: OrderDraftFields): TicketState {
  if (draft.symbol !== state.symbol) return state;
  const { amount, leverage, takeProfit, stopLoss, side } = draft;
  const typed: TicketTexts = {
    ...state.typed,
    amount,
    unit: 'base',
    takeProfit: takeProfit ?? '',
    stopLoss: stopLoss ?? '',
    protectionUnit: 'price',
  };
  return withSettled({
    ...state,
    typed,
    entered: { text: amount, unit: 'base' },
    leverage: leverage === null ? state.leverage : withinLeverage(leverage),
    protects: state.protects || takeProfit !== null || stopLoss !== null,
    workedOutFor: side,
    confirming: null,
    error: null,
  });
}

export function ticketReducer(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'typed':
      return withText(state, action);
    case 'settled':
      return withSettled(state);
    case 'set':
      return withSettled(withText(state, action));
    case 'unit': {
      const typed = { ...state.typed, amount: action.text, unit: action.unit };
      // An empty field has nothing to restore.
      const entered = state.entered.text === '' ? nothingEntered(action.unit) : state.entered;
      return withSettled({ ...state, typed, entered, confirming: null, error: null });
    }
    case 'leverage':
      return { ...state, leverage: withinLeverage(action.leverage), confirming: null, error: null };
    case 'orderType': {
      // The price of a Limit is none of a Stop; Market leaves the field as it was.
      const isOtherPrice =
        state.type !== 'MARKET' && action.orderType !== 'MARKET' && action.orderType !== state.type;
      const typed =
        state.typed.price === '' || isOtherPrice ? { ...state.typed, price: action.price } : state.typed;
      return withSettled({ ...state, type: action.orderType, typed, confirming: null, error: null });
    }
    case 'protects':
      return { ...state, protects: action.protects, confirming: null, error: null };
    case 'netTerms':
      return { ...state, netTerms: action.netTerms, confirming: null, error: null };
    case 'protectionUnit': {
      const { takeProfit, stopLoss, protectionUnit } = action;
      const typed = { ...state.typed, takeProfit, stopLoss, protectionUnit };
      return withSettled({ ...state, typed, confirming: null, error: null });
    }
    case 'reset': {
      const { symbol, pending, sent, unanswered } = state;
      return { ...emptyTicket(symbol, action.unit), pending, sent, unanswered };
    }
    case 'pair':
      // Amounts and prices of one pair are invalid for another; the other choices stay for a pair that has none of its own.
      return action.symbol === state.symbol
        ? state
        : {
            ...startTicket(
              action.symbol,
              action.memory ?? {},
              state.typed.unit === 'risk' ? 'base' : state.typed.unit,
            ),
            type: action.memory?.type ?? state.type,
            leverage: action.memory?.leverage ?? state.leverage,
            protects: action.memory?.unit === 'risk' || (action.memory?.protects ?? state.protects),
            pending: state.pending,
            sent: state.sent,
            unanswered: state.unanswered,
          };
    case 'handed over':
      return withOrderDraft(state, action.draft);
    case 'confirm':
      return state.pending ? state : { ...state, confirming: action.draft, error: null };
    case 'withdrawn':
      return { ...state, confirming: null };
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
      // Input typed meanwhile belongs to the next order; the price stays for a ladder of orders.
      if (!isShowingSent(state)) return { ...state, pending: null, confirming: null };
      const { unit, price } = state.typed;
      const typed = { ...noTexts(unit), price, ...retainedProtection(state.typed) };
      const entered = nothingEntered(unit);
      return {
        ...state,
        typed,
        settled: typed,
        entered,
        workedOutFor: null,
        pending: null,
        confirming: null,
      };
    }
    case 'failed':
      return {
        ...state,
        pending: null,
        confirming: null,
        unanswered:
          action.answered || !state.pending
            ? state.unanswered
            : [...state.unanswered, state.pending].slice(-unansweredMax),
        // An error of this order is not shown in the form of another pair.
        error: state.pending?.symbol === state.symbol ? getFailureText(state, action) : state.error,
      };
  }
}

/** The price of a Market order is the displayed one; another displayed price does not make another order. */
const getComparableTerms = (draft: OrderDraft): readonly (string | number | boolean | null | undefined)[] => [
  draft.type,
  draft.type === 'MARKET' ? null : draft.price,
  draft.symbol,
  draft.side,
  draft.leverage,
  draft.netTerms?.timeInForce,
  draft.netTerms?.reduceOnly,
  draft.distances,
  draft.distances === null ? draft.takeProfitPrice : null,
  draft.distances === null ? draft.stopLossPrice : null,
];

/** An amount in USDT or per cent has another size with each tick, but is the same amount. */
const isSameAmount = (a: OrderDraft, b: OrderDraft): boolean =>
  a.size === b.size || (a.entered.unit === b.entered.unit && a.entered.value === b.entered.value);

/** The unanswered order of these terms: sending it again repeats that order, anything else is a new one. */
export function findRepeatedIntent(state: TicketState, draft: OrderDraft): OrderIntent | null {
  const draftTerms = getComparableTerms(draft);
  const isSame = (intent: OrderIntent) =>
    isSameAmount(intent, draft) &&
    getComparableTerms(intent).every((value, index) => value === draftTerms[index]);
  return state.unanswered.find(isSame) ?? null;
}
