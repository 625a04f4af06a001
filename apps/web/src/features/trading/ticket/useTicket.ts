/** The order form's state with what it needs of the market and the account; it outlives the form being hidden. */
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  formatFixed,
  type OrderType,
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
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { useWallet } from '../../../shared/account/index.ts';
import { readPrice } from '../../../shared/decimals/price.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { takeOrderDraft } from '../../../shared/order-draft/index.ts';
import { type AmountUnit, prefer, preferences } from '../../../shared/preferences/index.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { RequestError } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import {
  type Pair,
  useFeedState,
  useFetchedPrice,
  useFreshness,
  usePriceStream,
} from '../../market/index.ts';
import { type ConversionTerms, readSize, textInUnit } from './amount-units.ts';
import { orderFailure, type Placed, placeOrder, takeOverPlaced } from './orders.ts';
import { samplePrice } from './shown-price.ts';
import { priceOf, summaryOf } from './summary.ts';
import {
  changeTicket,
  emptyTicket,
  type OrderDraft,
  type OrderIntent,
  repeatedIntent,
  type TicketTexts,
} from './ticket.ts';
import {
  type FailedRule,
  failedRuleOf,
  movedRule,
  type OrderFacts,
  type PriceStatus,
  priceIn,
} from './validators.ts';

const settleMs = 300;

/** The words of the three kinds of order, in the order of the choice. */
export const orderTypeNames = {
  MARKET: 'Market',
  LIMIT: 'Limit',
  STOP: 'Stop',
} as const satisfies Record<OrderType, string>;

function usePriceStatus(pair: Pair): PriceStatus {
  const freshness = useFreshness(pair);
  const feed = useFeedState();
  if (freshness !== 'missing') return freshness;
  if (feed === 'connecting') return 'loading';
  return feed === 'silent' ? 'failed' : 'missing';
}

function announcePlaced(placed: Placed, { stepSize, tickSize }: Pair): void {
  if (placed.kind === 'position') {
    const { side, size, symbol, entryPrice } = placed.position;
    const word = side === 'BUY' ? 'Long' : 'Short';
    announce(
      'success',
      `${word} ${formatSize(size, stepSize)} ${symbol} opened at ${formatPrice(entryPrice, tickSize)}`,
    );
    return;
  }
  const { type, side, size, symbol, price } = placed.order;
  const word = `${orderTypeNames[type]} ${side === 'BUY' ? 'buy' : 'sell'}`;
  announce(
    'success',
    `${word} ${formatSize(size, stepSize)} ${symbol} placed at ${formatPrice(price, tickSize)}`,
  );
}

const noProtection = { kind: 'empty' } as const;
const exactPrice = (decimal: string): Price => asPrice(parseDecimal(decimal));
const exactSize = (decimal: string): Size => asSize(parseDecimal(decimal));
const decimalOf = (price: Price | null): string | null => (price === null ? null : toDecimalString(price));

/** The order that the facts describe; null while a part of it is missing. */
function draftOf(
  side: Side,
  { symbol, type, terms, amount, protection }: OrderFacts,
  unit: AmountUnit,
): OrderDraft | null {
  const { price, size, leverage } = terms;
  if (size === null || price === null || amount.kind !== 'amount') return null;
  return {
    symbol,
    type,
    side,
    size: toDecimalString(size),
    entered: { unit, value: toDecimalString(amount.size) },
    leverage,
    price: toDecimalString(price),
    takeProfitPrice: decimalOf(priceIn(protection.takeProfit)),
    stopLossPrice: decimalOf(priceIn(protection.stopLoss)),
  };
}

export function useTicket(pair: Pair) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const wallet = useWallet();
  const priceStatus = usePriceStatus(pair);
  const fetched = useFetchedPrice(pair);
  const [state, dispatch] = useReducer(changeTicket, pair.symbol, (symbol) =>
    emptyTicket(symbol, preferences().amountUnit),
  );
  const { typed, type, leverage, protects } = state;

  useEffect(() => {
    dispatch({ type: 'pair', symbol: pair.symbol });
    const draft = takeOrderDraft(user.id, pair.symbol);
    if (draft !== null) dispatch({ type: 'handed over', draft });
  }, [user.id, pair.symbol]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke starts the wait anew
  useEffect(() => {
    const timer = setTimeout(() => dispatch({ type: 'settled' }), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const balance = wallet.data === undefined ? undefined : (wallet.data?.availableBalance ?? 0);
  const available = useMemo(() => (balance === undefined ? null : asMoney(parseDecimal(balance))), [balance]);
  const { config } = supabase;
  const rules = rulesOf(config.rules);
  const feeRate = asFeeRate(parseDecimal(config.feeRate));

  const shownPrice = useMemo(() => samplePrice(stream, pair.symbol), [stream, pair.symbol]);
  const latest = () => stream.latest(pair.symbol)?.price;

  /** What an amount is converted and an order is reckoned at: its own price, or the market's of the wire. */
  const conversionAt = (market: number | undefined | null, texts: TicketTexts): ConversionTerms => ({
    limits: pair.limits,
    price: type === 'MARKET' ? priceOf(market) : priceIn(readPrice(texts.price)),
    available,
    leverage,
    feeRate,
  });

  /** Everything a rule or a figure needs. `asked` is an amount that does not follow the price any more. */
  const factsAt = (
    market: number | null | undefined,
    texts: TicketTexts,
    asked: Size | null = null,
  ): OrderFacts => {
    const conversion = conversionAt(market, texts);
    const entered = readSize(texts.amount, texts.unit, conversion);
    const { price } = conversion;
    const terms = { limits: pair.limits, rules, feeRate, price, size: asked ?? entered.size, leverage };
    return {
      symbol: pair.symbol,
      type,
      restricted: user.restrictedAt !== null,
      priceStatus,
      market: priceOf(market),
      amount: entered.typed,
      price: readPrice(texts.price),
      protection: {
        takeProfit: protects ? readPrice(texts.takeProfit) : noProtection,
        stopLoss: protects ? readPrice(texts.stopLoss) : noProtection,
      },
      terms,
      summary: summaryOf(terms),
      available,
    };
  };

  /** Beside `state.pending`, which a second click of the same frame has not seen yet. */
  const isSending = useRef<boolean>(false);
  const send = async (intent: OrderIntent) => {
    if (isSending.current) return;
    isSending.current = true;
    dispatch({ type: 'submitted', intent });
    try {
      const placed = await placeOrder(supabase, intent);
      dispatch({ type: 'placed' });
      announcePlaced(placed, pair);
      await takeOverPlaced(cache, user.id, placed);
    } catch (error) {
      log.warn('An order failed', error);
      dispatch({ type: 'failed', ...orderFailure(error, intent) });
      if (error instanceof RequestError && error.code === 'account_restricted') await reloadProfile();
    } finally {
      isSending.current = false;
    }
  };

  const place = (draft: OrderDraft) => {
    const margin = requiredMargin(exactPrice(draft.price), exactSize(draft.size), draft.leverage);
    const intent = repeatedIntent(state, draft) ?? {
      ...draft,
      clientId: newClientId(),
      requiredMargin: toDecimalString(margin),
    };
    send(intent).catch((cause: unknown) => log.error('Placing an order broke', cause));
  };

  /** Asks whether to send this side's order as typed, at the price of this moment; sends it where nobody wants to be asked. */
  const submit = (side: Side) => {
    dispatch({ type: 'settled' });
    const facts = factsAt(latest(), typed);
    if (state.pending || failedRuleOf(side, facts)) return;
    const draft = draftOf(side, facts, typed.unit);
    if (draft === null) return;
    // What is sent again keeps its size, whatever USDT or per cent would come to by now.
    const order = { ...draft, size: repeatedIntent(state, draft)?.size ?? draft.size };
    if (preferences().confirmsOrders) dispatch({ type: 'asked', draft: order });
    else place(order);
  };

  /** The asked order at a market price of the wire. */
  const askedFactsAt = (asked: OrderDraft, market: number | null | undefined): OrderFacts =>
    factsAt(market, typed, exactSize(asked.size));

  const tolerance = asPercent(parseDecimal(config.priceTolerancePct));
  const askedRuleOf = (asked: OrderDraft, facts: OrderFacts): FailedRule | null =>
    failedRuleOf(asked.side, facts) ?? movedRule(exactPrice(asked.price), facts, tolerance);

  const confirm = () => {
    const { asked } = state;
    if (asked === null || state.pending) return;
    const facts = askedFactsAt(asked, latest());
    if (askedRuleOf(asked, facts) || facts.terms.price === null) return;
    place({ ...asked, price: toDecimalString(facts.terms.price) });
  };

  const chooseType = (orderType: OrderType) => {
    const last = priceOf(latest());
    const price = last === null ? '' : formatFixed(last, priceDecimals(pair.limits));
    dispatch({ type: 'orderType', orderType, price });
  };

  /** The same amount, typed in another unit from now on. */
  const switchUnit = (unit: AmountUnit) => {
    dispatch({ type: 'unit', unit, text: textInUnit(state.entered, unit, conversionAt(latest(), typed)) });
    prefer('amountUnit', unit);
  };

  return {
    pair,
    state,
    dispatch,
    available,
    balance,
    feeRate,
    rules,
    walletFailed: wallet.isError && balance === undefined,
    priceStatus,
    fetched,
    shownPrice,
    /** At the price of this moment. */
    conversion: () => conversionAt(latest(), typed),
    /** At the price on screen. */
    factsOf: (texts: TicketTexts) => factsAt(shownPrice.get(), texts),
    askedFacts: (asked: OrderDraft) => askedFactsAt(asked, shownPrice.get()),
    askedRuleOf,
    submit,
    confirm,
    chooseType,
    switchUnit,
    /** The field that a key brings the focus to; empty while no form is on screen. */
    amountField: useRef<HTMLInputElement>(null),
  };
}
export type Ticket = ReturnType<typeof useTicket>;
