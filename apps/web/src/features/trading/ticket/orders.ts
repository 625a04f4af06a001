/**
 * Sends an order (A19): Market calls `open_position` with the price seen as a bound, Limit and Stop insert an order.
 * Price, margin and user are the server's (A18).
 */
import { texts } from '@fulcrum/contract/texts';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToOpen, applyToOpenOrders, applyToPastOrders } from '../../../shared/realtime/changes.ts';
import {
  fromWire,
  getErrorMessage,
  type Order,
  type Position,
  RequestError,
  type Supabase,
  unwrap,
} from '../../../shared/supabase/index.ts';
import type { OrderIntent } from './ticket.ts';

/** The result of an intent: a position at once, or an order. */
export type Placed =
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'order'; readonly order: Order };

async function openPosition(supabase: Supabase, intent: OrderIntent): Promise<Position> {
  const position = await unwrap(
    supabase.rest.rpc('open_position', {
      p_symbol: intent.symbol,
      p_side: intent.side,
      p_entry_price: intent.price,
      p_size: intent.size,
      p_leverage: intent.leverage,
      p_required_margin: intent.requiredMargin,
      p_take_profit_price: intent.takeProfitPrice,
      p_stop_loss_price: intent.stopLossPrice,
      p_client_id: intent.clientId,
    }),
  );
  return fromWire(position);
}

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/** Inserts an order; the server sets the owner and the status (CALL-45). */
async function insertOrder(supabase: Supabase, intent: OrderIntent): Promise<Order> {
  const row = {
    symbol: intent.symbol,
    type: intent.type,
    side: intent.side,
    price: numberOf(intent.price),
    size: Number(intent.size),
    leverage: intent.leverage,
    take_profit_price: numberOf(intent.takeProfitPrice),
    stop_loss_price: numberOf(intent.stopLossPrice),
    client_id: intent.clientId,
  };
  return fromWire(await unwrap(supabase.rest.from('orders').insert(row).select('*').single()));
}

export async function placeOrder(supabase: Supabase, intent: OrderIntent): Promise<Placed> {
  if (intent.type === 'MARKET') return { kind: 'position', position: await openPosition(supabase, intent) };
  return { kind: 'order', order: await insertOrder(supabase, intent) };
}

/** Shows the placed position or order at once and reads wallet and list again (RULE-15, RULE-16). */
export async function cachePlaced(cache: QueryClient, userId: string, placed: Placed): Promise<void> {
  const isPosition = placed.kind === 'position';
  const list = isPosition ? queryKeys.positions(userId, 'open') : queryKeys.orders(userId, 'open');
  if (isPosition) {
    cache.setQueryData<readonly Position[]>(list, (cached) => cached && applyToOpen(cached, placed.position));
  } else {
    cacheOrder(cache, userId, placed.order);
  }
  const keys = [queryKeys.wallet(userId), list];
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
}

/** Puts an answered order into the cached lists, unless a newer row of it arrived before the answer. */
export function cacheOrder(cache: QueryClient, userId: string, order: Order): void {
  const [open, past] = [queryKeys.orders(userId, 'open'), queryKeys.orders(userId, 'past')];
  const known = cache.getQueryData<readonly Order[]>(past)?.some(({ id }) => id === order.id) ?? false;
  if (order.status === 'NEW' && known) return;
  cache.setQueryData<readonly Order[]>(open, (cached) => cached && applyToOpenOrders(cached, order));
  cache.setQueryData<readonly Order[]>(past, (cached) => cached && applyToPastOrders(cached, order));
}

const noAnswer = {
  MARKET: 'No answer yet. The order may have been placed: check Open Positions.',
  LIMIT: 'No answer yet. The order may have been placed: check Open Orders.',
  STOP: 'No answer yet. The order may have been placed: check Open Orders.',
} as const satisfies Record<OrderIntent['type'], string>;

/** The failure's text, and whether the server sent it; without an answer the order may have been placed (TRADE-45). */
export function toOrderFailure(
  error: unknown,
  { type }: Pick<OrderIntent, 'type'>,
): { readonly message: string; readonly answered: boolean } {
  const answered =
    error instanceof RequestError && error.code !== '' && error.status > 0 && error.status < 500;
  const fallback = answered ? texts.placeOrderFailed : noAnswer[type];
  // A refusal without a text uses the stated one.
  return { message: getErrorMessage(error, fallback) || fallback, answered };
}
