/** The order form's state with its market and account data; it survives hiding the form. */
import {
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type BasicOrderType,
  formatFixed,
  type Price,
  parseDecimal,
  priceDecimals,
  requiredMargin,
  rulesOf,
  type Side,
  type Size,
  toDecimalString,
} from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { getAccountTerms, useWallet } from '../../../shared/account/index.ts';
import { parsePrice } from '../../../shared/decimals/price.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { onOrderDraft, takeOrderDraft } from '../../../shared/order-draft/index.ts';
import { type AmountUnit, getPreferences, setPreference } from '../../../shared/preferences/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { RequestError } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import {
  type Pair,
  useFeedState,
  useFetchedPrice,
  useFreshness,
  useIsCutOff,
  useIsFeedLate,
  usePriceStream,
} from '../../market/index.ts';
import { getPlacedNotice } from '../orders/notices.ts';
import { type ConversionTerms, convertAmountText, parseSize } from './amount-units.ts';
import { draftOf } from './draft.ts';
import { countPlacedOrder } from './keys-offer.ts';
import { offeredOrderTypes } from './order-types.ts';
import { cachePlaced, createOrderSender, type Placed, placeOrder, toOrderFailure } from './orders.ts';
import { getProtectedSide, stopLossOf } from './outcomes.ts';
import {
  convertProtection,
  distanceTerms,
  fixedProtection,
  forBothSides,
  noProtection,
  type ProtectionUnit,
  type SidedProtection,
  sideProtection,
} from './protection-units.ts';
import { samplePrice } from './shown-price.ts';
import { type OrderTerms, summarizeOrder, toPrice } from './summary.ts';
import {
  findRepeatedIntent,
  type OrderDraft,
  type OrderIntent,
  startTicket,
  type TicketAction,
  type TicketTexts,
  ticketReducer,
} from './ticket.ts';
import { readTicketMemory, rememberTicket, type TicketMemory } from './ticket-memory.ts';
import {
  checkPriceMoved,
  type FailedRule,
  getFailedRule,
  getTypedPrice,
  type OrderFacts,
  type PriceStatus,
} from './validators.ts';

const settleMs = 300;

function usePriceStatus(pair: Pair): PriceStatus {
  const freshness = useFreshness(pair);
  const feed = useFeedState();
  const isCutOff = useIsCutOff();
  if (freshness !== 'missing') return isCutOff ? 'offline' : freshness;
  if (feed === 'connecting') return 'loading';
  return feed === 'silent' ? 'failed' : 'missing';
}

function announcePlaced(placed: Placed, pair: Pair): void {
  if (placed.table === 'positions') {
    const { side, size, symbol, entryPrice } = placed.row;
    const { stepSize, tickSize } = pair;
    const label = side === 'BUY' ? 'Long' : 'Short';
    showToast(
      'success',
      `${label} ${formatSize(size, stepSize)} ${symbol} opened at ${formatPrice(entryPrice, tickSize)}`,
    );
    return;
  }
  const { tone, text } = getPlacedNotice(placed.row, pair);
  showToast(tone, text);
}

const exactPrice = (decimal: string): Price => asPrice(parseDecimal(decimal));
const exactSize = (decimal: string): Size => asSize(parseDecimal(decimal));

/** What an action chooses for the pair; null for the others. */
function toTicketMemory(action: TicketAction, { protectionUnit }: TicketTexts): TicketMemory | null {
  switch (action.type) {
    case 'typed':
    case 'set': {
      const { field, text } = action;
      const isDistance = protectionUnit !== 'price' && (field === 'takeProfit' || field === 'stopLoss');
      return isDistance ? { [field]: text } : null;
    }
    case 'protectionUnit': {
      const { protectionUnit: unit, takeProfit, stopLoss } = action;
      return { protectionUnit: unit, takeProfit, stopLoss };
    }
    case 'leverage':
      return { leverage: action.leverage };
    case 'orderType':
      return { type: action.orderType };
    case 'unit':
      return { unit: action.unit };
    case 'protects':
      return { protects: action.protects };
    default:
      return null;
  }
}

/** Refusals that a new read of profile and account explains. */
const opensNothing = /^account_(restricted|archived)$/;

/** `onPlaced` is called once an order of the shown pair was accepted. */
export function useTicket(pair: Pair, onPlaced: () => void) {
  const signedIn = useSignedIn();
  const { user, accountId, account, supabase, impersonation } = signedIn;
  const { feeRate, leverageMax, ...terms } = getAccountTerms(signedIn);
  const cache = useQueryClient();
  const stream = usePriceStream();
  const wallet = useWallet();
  const priceStatus = usePriceStatus(pair);
  const isFeedLate = useIsFeedLate();
  const fetched = useFetchedPrice(pair);
  const rules = rulesOf(terms.rules);
  const isNet = rules.name === 'perpetual';
  const offeredTypes = offeredOrderTypes(isNet);
  const [state, apply] = useReducer(ticketReducer, pair.symbol, (symbol) =>
    startTicket(symbol, readTicketMemory(accountId, symbol, offeredTypes), getPreferences().amountUnit),
  );
  /** Also remembers what the user chooses for the pair. */
  const dispatch = (given: TicketAction) => {
    const action =
      given.type === 'leverage' ? { ...given, leverage: Math.min(given.leverage, leverageMax) } : given;
    apply(action);
    const chosen = toTicketMemory(action, state.typed);
    if (chosen !== null && impersonation === null) rememberTicket(accountId, pair.symbol, chosen);
  };
  const { typed, type, leverage, protects } = state;

  useEffect(() => {
    const memory = readTicketMemory(accountId, pair.symbol, offeredTypes);
    apply({ type: 'pair', symbol: pair.symbol, memory });
    const take = () => {
      const draft = takeOrderDraft(accountId, pair.symbol);
      if (draft === null) return;
      const leverage = draft.leverage === null ? null : Math.min(draft.leverage, leverageMax);
      if (leverage !== draft.leverage) showToast('info', `This account opens with at most ${leverageMax}×`);
      apply({ type: 'handed over', draft: { ...draft, leverage } });
    };
    take();
    return onOrderDraft(take);
  }, [accountId, pair.symbol, leverageMax, offeredTypes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke restarts the delay
  useEffect(() => {
    const timer = setTimeout(() => apply({ type: 'settled' }), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const [previews, setPreviews] = useState(false);
  const balance = wallet.data === undefined ? undefined : (wallet.data?.availableBalance ?? 0);
  const available = useMemo(() => (balance === undefined ? null : asMoney(parseDecimal(balance))), [balance]);

  const shownPrice = useMemo(() => samplePrice(stream, pair.symbol), [stream, pair.symbol]);
  const latest = () => stream.latest(pair.symbol)?.price;

  /** The price that an order is calculated at: its own price, or the server's market price. */
  const orderPriceAt = (market: number | undefined | null, texts: TicketTexts): Price | null =>
    type === 'MARKET' ? toPrice(market) : getTypedPrice(parsePrice(texts.price));

  /** What an amount is converted with. */
  const conversionAt = (market: number | undefined | null, texts: TicketTexts): ConversionTerms => {
    const { limits } = pair;
    const price = orderPriceAt(market, texts);
    // Without a size, because the size follows from it.
    const terms = { limits, rules, feeRate, price, size: null, leverage };
    return {
      limits,
      price,
      available,
      leverage,
      feeRate,
      stopLoss: stopLossOf(typedProtection(texts, terms), terms),
    };
  };

  /** Take profit and stop loss as each side's prices. */
  const typedProtection = (texts: TicketTexts, terms: OrderTerms): SidedProtection =>
    protects ? sideProtection(texts, terms) : forBothSides(noProtection);

  /** The facts that rules and figures need. A fixed order no longer follows the price with its amount and protection. */
  const factsAt = (
    market: number | null | undefined,
    texts: TicketTexts,
    fixed: OrderDraft | null = null,
  ): OrderFacts => {
    const conversion = conversionAt(market, texts);
    const entered = parseSize(texts.amount, texts.unit, conversion);
    const { price } = conversion;
    const terms = {
      limits: pair.limits,
      rules,
      feeRate,
      price,
      size: fixed ? exactSize(fixed.size) : entered.size,
      leverage,
    };
    return {
      symbol: pair.symbol,
      type,
      restricted: user.restrictedAt !== null,
      archived: account?.status === 'archived',
      priceStatus,
      market: toPrice(market),
      amount: entered.typed,
      sizedByRisk: texts.unit === 'risk',
      price: parsePrice(texts.price),
      protection: fixed ? fixedProtection(fixed) : typedProtection(texts, terms),
      protectionUnit: texts.protectionUnit,
      terms,
      summary: summarizeOrder(terms),
      available,
    };
  };

  /** The field that a key focuses; empty while no form is on screen. */
  const amountField = useRef<HTMLInputElement>(null);
  const shownSymbol = useRef(pair.symbol);
  useEffect(() => {
    shownSymbol.current = pair.symbol;
  }, [pair.symbol]);

  /** In addition to `state.pending`, which a second click within the same frame does not see yet. */
  const [sendOnce] = useState(createOrderSender);
  const send = (intent: OrderIntent) =>
    sendOnce({
      sendOrder: () => {
        dispatch({ type: 'submitted', intent });
        return placeOrder(supabase, intent);
      },
      onPlaced: (placed) => {
        dispatch({ type: 'placed' });
        announcePlaced(placed, pair);
        countPlacedOrder();
        if (shownSymbol.current === intent.symbol) onPlaced();
      },
      onFailed: async (error) => {
        log.warn('An order failed', error);
        const failure = toOrderFailure(error, intent);
        dispatch({ type: 'failed', ...failure });
        const { symbol } = intent;
        // The form that would show it is hidden, or is another pair's.
        if (amountField.current === null || shownSymbol.current !== symbol)
          showToast('error', `${symbol}: ${failure.message}`);
        if (error instanceof RequestError && opensNothing.test(error.code)) await reloadProfile();
      },
      cachePlaced: (placed) => cachePlaced(cache, { accountId, supabase }, placed),
    });

  const sendOrder = (draft: OrderDraft) => {
    const margin = requiredMargin(exactPrice(draft.price), exactSize(draft.size), draft.leverage);
    const intent = findRepeatedIntent(state, draft) ?? {
      ...draft,
      clientId: newClientId(),
      requiredMargin: toDecimalString(margin),
    };
    send(intent).catch((cause: unknown) => log.error('Placing an order failed', cause));
  };

  /**
   * Opens the confirmation of this side's order as typed, at the current price; sends it at once where confirmations
   * are off.
   */
  const submit = (side: Side) => {
    dispatch({ type: 'settled' });
    const facts = factsAt(latest(), typed);
    if (state.pending || getFailedRule(side, facts)) return;
    const draft = draftOf(side, facts, typed, state.netTerms);
    if (draft === null) return;
    // A repeat has the same size and protection, whatever its USDT or per cent would convert to now.
    const { size, takeProfitPrice, stopLossPrice } = findRepeatedIntent(state, draft) ?? draft;
    const order = { ...draft, size, takeProfitPrice, stopLossPrice };
    if (getPreferences().confirmsOrders) dispatch({ type: 'confirm', draft: order });
    else sendOrder(order);
  };

  /** The confirmed order at a market price from the server. */
  const confirmedFactsAt = (fixedSize: OrderDraft, market: number | null | undefined): OrderFacts =>
    factsAt(market, typed, fixedSize);

  const tolerance = asPercent(parseDecimal(supabase.config.priceTolerancePct));
  const confirmedRuleOf = (fixedSize: OrderDraft, facts: OrderFacts): FailedRule | null =>
    getFailedRule(fixedSize.side, facts) ?? checkPriceMoved(exactPrice(fixedSize.price), facts, tolerance);

  const confirm = () => {
    const { confirming: fixedSize } = state;
    if (fixedSize === null || state.pending) return;
    const facts = confirmedFactsAt(fixedSize, latest());
    if (confirmedRuleOf(fixedSize, facts) || facts.terms.price === null) return;
    sendOrder({ ...fixedSize, price: toDecimalString(facts.terms.price) });
  };

  const toTypeAction = (orderType: BasicOrderType) => {
    const last = toPrice(latest());
    const price = last === null ? '' : formatFixed(last, priceDecimals(pair.limits));
    return { type: 'orderType', orderType, price } as const;
  };
  const chooseType = (orderType: BasicOrderType) => dispatch(toTypeAction(orderType));

  // A remembered Limit or Stop starts at the first price, once.
  const pricedFor = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first price of a pair, not each of them
  useEffect(() => {
    // In the commit of a change of pair the form is still that of the former one.
    if (state.symbol !== pair.symbol) return;
    if (pricedFor.current === pair.symbol || toPrice(latest()) === null) return;
    pricedFor.current = pair.symbol;
    // Not chosen by the user, so not remembered.
    if (type !== 'MARKET' && typed.price === '') apply(toTypeAction(type));
  }, [pair.symbol, state.symbol, priceStatus, type]);

  /** Converts the same amount to another unit. */
  const switchUnit = (unit: AmountUnit) => {
    dispatch({
      type: 'unit',
      unit,
      text: convertAmountText(state.entered, unit, conversionAt(latest(), typed)),
    });
    // The stop loss decides such an amount, so it is chosen for this pair alone.
    if (unit !== 'risk') setPreference('amountUnit', unit);
    else if (!protects) dispatch({ type: 'protects', protects: true });
  };

  /** Converts the same take profit and stop loss to another unit, for the side that they are meant for. */
  const switchProtectionUnit = (unit: ProtectionUnit) => {
    const { terms, protection } = factsAt(latest(), typed);
    const side = getProtectedSide(terms.price, protection);
    const unitTerms = { unit: typed.protectionUnit, terms: distanceTerms(side, terms), limits: pair.limits };
    const takeProfit = convertProtection('takeProfit', typed.takeProfit, unitTerms, unit);
    const stopLoss = convertProtection('stopLoss', typed.stopLoss, unitTerms, unit);
    // A filled field is never emptied: an order would leave without its stop loss.
    if (takeProfit === null || stopLoss === null) {
      const missing = terms.price === null ? 'There is no price yet' : 'Enter an amount first';
      showToast('error', `${missing}: take profit and stop loss cannot be converted.`);
      return;
    }
    dispatch({ type: 'protectionUnit', protectionUnit: unit, takeProfit, stopLoss });
  };

  /** The form as it is for a pair that was never traded; forgets what was chosen for it. */
  const reset = () => {
    apply({ type: 'reset', unit: getPreferences().amountUnit });
    if (impersonation === null) rememberTicket(accountId, pair.symbol, null);
  };

  return {
    pair,
    state,
    dispatch,
    available,
    balance,
    feeRate,
    rules,
    isNet,
    /** The types that the form offers. */
    offeredTypes,
    leverageMax,
    walletFailed: wallet.isError && balance === undefined,
    priceStatus,
    /** The price may still be traded on, but the next one is overdue. */
    isPriceLate: isFeedLate && priceStatus === 'fresh',
    fetched,
    shownPrice,
    /** Uses the current price. */
    conversion: () => conversionAt(latest(), typed),
    /** Uses the price on screen. */
    /** Amount and price of the order as it was last settled, at the current price. */
    settledOrder: () => {
      const { price, terms } = factsAt(latest(), state.settled);
      return { size: terms.size, limit: getTypedPrice(price) };
    },
    factsOf: (texts: TicketTexts) => factsAt(shownPrice.get(), texts),
    confirmedFacts: (fixedSize: OrderDraft) => confirmedFactsAt(fixedSize, shownPrice.get()),
    confirmedRuleOf,
    submit,
    confirm,
    chooseType,
    switchUnit,
    switchProtectionUnit,
    reset,
    /** Makes it a limit order at the price of a level. */
    takeLimitPrice: (text: string) => {
      dispatch({ type: 'orderType', orderType: 'LIMIT', price: text });
      dispatch({ type: 'set', field: 'price', text });
    },
    /** Whether leverage is being chosen, which shows where it liquidates. */
    previews,
    setPreviews,
    amountField,
  };
}
export type Ticket = ReturnType<typeof useTicket>;
