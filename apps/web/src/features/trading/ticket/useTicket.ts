/** The order form's state with what it needs of the market and the account; it outlives the form being hidden. */
import { asMoney, parseDecimal, rulesOf, type Side, toDecimalString } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef, useSyncExternalStore } from 'react';
import { useWallet } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { type Pair, useFeedState, useFreshness, usePriceStream } from '../../market/index.ts';
import { readAmount } from './amount.ts';
import { orderFailure, placeOrder, takeOverOpened } from './orders.ts';
import { samplePrice } from './shown-price.ts';
import { priceOf, summaryOf } from './summary.ts';
import { changeTicket, emptyTicket, type OrderIntent, repeatedIntent } from './ticket.ts';
import { type FailedRule, firstFailedRule, type OrderFacts, type PriceStatus } from './validators.ts';

const settleMs = 300;

function usePriceStatus(pair: Pair): PriceStatus {
  const freshness = useFreshness(pair);
  const feed = useFeedState();
  if (freshness !== 'missing') return freshness;
  if (feed === 'connecting') return 'loading';
  return feed === 'silent' ? 'failed' : 'missing';
}

export function useTicket(pair: Pair) {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const stream = usePriceStream();
  const wallet = useWallet();
  const priceStatus = usePriceStatus(pair);
  const [state, dispatch] = useReducer(changeTicket, pair.symbol, emptyTicket);
  const { amountText } = state;

  useEffect(() => dispatch({ type: 'pair', symbol: pair.symbol }), [pair.symbol]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke starts the wait anew
  useEffect(() => {
    const timer = setTimeout(() => dispatch({ type: 'settled' }), settleMs);
    return () => clearTimeout(timer);
  }, [amountText]);

  const balance = wallet.data === undefined ? undefined : (wallet.data?.availableBalance ?? 0);
  const available = useMemo(() => (balance === undefined ? null : asMoney(parseDecimal(balance))), [balance]);
  const rules = rulesOf(supabase.config.rules);

  const shownPrice = useMemo(() => samplePrice(stream, pair.symbol), [stream, pair.symbol]);

  /** Everything a rule or a figure needs, at a price of the wire. */
  const factsAt = (price: number | null | undefined, text: string): OrderFacts => {
    const amount = readAmount(text);
    const terms = {
      limits: pair.limits,
      rules,
      price: priceOf(price),
      size: amount.kind === 'amount' ? amount.size : null,
      leverage: state.leverage,
    };
    return { symbol: pair.symbol, priceStatus, amount, terms, summary: summaryOf(terms), available };
  };

  /** Beside `state.pending`, which a second click of the same frame has not seen yet. */
  const isSending = useRef<boolean>(false);
  const send = async (intent: OrderIntent) => {
    if (isSending.current) return;
    isSending.current = true;
    dispatch({ type: 'submitted', intent });
    try {
      const position = await placeOrder(supabase, intent);
      dispatch({ type: 'placed' });
      const side = position.side === 'BUY' ? 'Long' : 'Short';
      announce(
        'success',
        `${side} ${formatSize(position.size, pair.stepSize)} ${position.symbol} opened at ${formatPrice(position.entryPrice, pair.tickSize)}`,
      );
      await takeOverOpened(cache, user.id, position);
    } catch (error) {
      log.warn('An order failed', error);
      dispatch({ type: 'failed', ...orderFailure(error) });
    } finally {
      isSending.current = false;
    }
  };

  const submit = (side: Side) => {
    dispatch({ type: 'settled' });
    const price = stream.latest(pair.symbol)?.price;
    const { terms, summary, ...facts } = factsAt(price, amountText);
    if (state.pending || firstFailedRule({ ...facts, terms, summary }) || price === undefined) return;
    if (terms.size === null || summary.requiredMargin === null) return;
    const order = {
      symbol: pair.symbol,
      side,
      size: toDecimalString(terms.size),
      leverage: state.leverage,
    } as const;
    const intent = repeatedIntent(state, order) ?? {
      ...order,
      clientId: newClientId(),
      entryPrice: price,
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
    walletFailed: wallet.isError && balance === undefined,
    priceStatus,
    shownPrice,
    /** At the price on screen. */
    factsOf: (text: string) => factsAt(shownPrice.get(), text),
    submit,
  };
}
export type Ticket = ReturnType<typeof useTicket>;

/** A text, flag or figure of the order that renders only when it changes; taken at the price on screen. */
export const useShown = <Value extends string | number | boolean | null | undefined>(
  { shownPrice }: Ticket,
  read: () => Value,
): Value => useSyncExternalStore(shownPrice.subscribe, read);

/** The first failing rule for a text of the amount field. */
export function useFailedRule(ticket: Ticket, text: string): FailedRule | null {
  useShown(ticket, ticket.shownPrice.get);
  return firstFailedRule(ticket.factsOf(text));
}

/** Where the settled order fails; null when it may go. */
export function useFailedField(ticket: Ticket): FailedRule['field'] | null {
  const { state, factsOf } = ticket;
  return useShown(ticket, () => firstFailedRule(factsOf(state.settledText))?.field ?? null);
}

/** Whether the order as typed must not be sent. */
export function useIsBlocked(ticket: Ticket): boolean {
  const { state, factsOf } = ticket;
  return useShown(ticket, () => firstFailedRule(factsOf(state.amountText)) !== null);
}
