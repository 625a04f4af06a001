/** The order form's state with what it needs of the market and the account; it outlives the form being hidden. */
import {
  asFeeRate,
  asMoney,
  type OrderType,
  type Price,
  parseDecimal,
  rulesOf,
  type Side,
  toDecimalString,
} from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef, useSyncExternalStore } from 'react';
import { useWallet } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
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
import { readAmount } from './amount.ts';
import { orderFailure, type Placed, placeOrder, takeOverPlaced } from './orders.ts';
import { readPrice } from './price-field.ts';
import { samplePrice } from './shown-price.ts';
import { priceOf, summaryOf } from './summary.ts';
import { changeTicket, emptyTicket, type OrderIntent, repeatedIntent, type TicketTexts } from './ticket.ts';
import {
  type FailedRule,
  failedRuleOf,
  type OrderFacts,
  type PriceStatus,
  priceIn,
  ruleOnScreen,
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

export function useTicket(pair: Pair) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const wallet = useWallet();
  const priceStatus = usePriceStatus(pair);
  const fetched = useFetchedPrice(pair);
  const [state, dispatch] = useReducer(changeTicket, pair.symbol, emptyTicket);
  const { typed, type, leverage, protects } = state;

  useEffect(() => dispatch({ type: 'pair', symbol: pair.symbol }), [pair.symbol]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke starts the wait anew
  useEffect(() => {
    const timer = setTimeout(() => dispatch({ type: 'settled' }), settleMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const balance = wallet.data === undefined ? undefined : (wallet.data?.availableBalance ?? 0);
  const available = useMemo(() => (balance === undefined ? null : asMoney(parseDecimal(balance))), [balance]);
  const rules = rulesOf(supabase.config.rules);
  const feeRate = asFeeRate(parseDecimal(supabase.config.feeRate));

  const shownPrice = useMemo(() => samplePrice(stream, pair.symbol), [stream, pair.symbol]);

  /** What the order is reckoned at: its own price, or the market's. */
  const referenceOf = (market: Price | null, texts: TicketTexts): Price | null =>
    type === 'MARKET' ? market : priceIn(readPrice(texts.price));

  /** Everything a rule or a figure needs, at a market price of the wire. */
  const factsAt = (price: number | null | undefined, texts: TicketTexts): OrderFacts => {
    const amount = readAmount(texts.amount);
    const market = priceOf(price);
    const terms = {
      limits: pair.limits,
      rules,
      feeRate,
      price: referenceOf(market, texts),
      size: amount.kind === 'amount' ? amount.size : null,
      leverage,
    };
    return {
      symbol: pair.symbol,
      type,
      restricted: user.restrictedAt !== null,
      priceStatus,
      market,
      amount,
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

  const submit = (side: Side) => {
    dispatch({ type: 'settled' });
    const facts = factsAt(stream.latest(pair.symbol)?.price, typed);
    const { terms, summary, protection } = facts;
    if (state.pending || failedRuleOf(side, facts)) return;
    if (terms.size === null || terms.price === null || summary.requiredMargin === null) return;
    const decimal = (price: Price | null) => (price === null ? null : toDecimalString(price));
    const order = {
      symbol: pair.symbol,
      type,
      side,
      size: toDecimalString(terms.size),
      leverage,
      price: toDecimalString(terms.price),
      takeProfitPrice: decimal(priceIn(protection.takeProfit)),
      stopLossPrice: decimal(priceIn(protection.stopLoss)),
    } as const;
    const intent = repeatedIntent(state, order) ?? {
      ...order,
      clientId: newClientId(),
      requiredMargin: toDecimalString(summary.requiredMargin),
    };
    send(intent).catch((cause: unknown) => log.error('Placing an order broke', cause));
  };

  return {
    pair,
    state,
    dispatch,
    available,
    balance,
    feeRate,
    walletFailed: wallet.isError && balance === undefined,
    priceStatus,
    fetched,
    shownPrice,
    /** At the price on screen. */
    factsOf: (texts: TicketTexts) => factsAt(shownPrice.get(), texts),
    submit,
  };
}
export type Ticket = ReturnType<typeof useTicket>;

/** A text, flag or figure of the order that renders only when it changes; taken at the price on screen. */
export const useShown = <Value extends string | number | boolean | null | undefined>(
  { shownPrice }: Ticket,
  read: () => Value,
): Value => useSyncExternalStore(shownPrice.subscribe, read);

/** The rule to show for what stands in the fields, settled. */
export function useFailedRule(ticket: Ticket): FailedRule | null {
  useShown(ticket, ticket.shownPrice.get);
  return ruleOnScreen(ticket.factsOf(ticket.state.settled));
}

/** Where the settled order fails; null when it may go. */
export function useFailedField(ticket: Ticket): FailedRule['field'] | null {
  const { state, factsOf } = ticket;
  return useShown(ticket, () => ruleOnScreen(factsOf(state.settled))?.field ?? null);
}

/** Whether this side's order as typed must not be sent. */
export function useIsBlocked(ticket: Ticket, side: Side): boolean {
  const { state, factsOf } = ticket;
  return useShown(ticket, () => failedRuleOf(side, factsOf(state.typed)) !== null);
}
