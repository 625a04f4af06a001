/**
 * The trading requests of the screen and of the store for scripts (A19). The server checks what they state (A18): the user comes
 * from the token; price, margin and PnL are the server's own. Sizes and prices are decimal texts.
 */
import type { BasicOrderType, Side } from '@fulcrum/domain';
import {
  fromWire,
  type Order,
  type Position,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../shared/supabase/index.ts';
import type { NetTerms } from '../order-book/index.ts';

type Client = Pick<Supabase, 'rest'>;

export interface OpenRequest {
  readonly symbol: string;
  readonly side: Side;
  /** The price seen, which bounds the fill; null opens at any market price. */
  readonly price: string | null;
  readonly size: string;
  readonly leverage: number;
  readonly requiredMargin: string | null;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
  /** Sent again unchanged after a lost answer, so that nothing happens twice. */
  readonly clientId: string;
}

/** Opens a position at the market price (CALL-47). */
export async function openPosition({ rest }: Client, request: OpenRequest): Promise<Position> {
  const position = await unwrap(
    rest.rpc('open_position', {
      p_symbol: request.symbol,
      p_side: request.side,
      p_entry_price: request.price,
      p_size: request.size,
      p_leverage: request.leverage,
      p_required_margin: request.requiredMargin,
      p_take_profit_price: request.takeProfitPrice,
      p_stop_loss_price: request.stopLossPrice,
      p_client_id: request.clientId,
    }),
  );
  return fromWire(position);
}

export interface OrderRequest extends Omit<OpenRequest, 'requiredMargin'> {
  readonly type: BasicOrderType;
  /** Of an account with net positions, else null. */
  readonly netTerms: NetTerms | null;
}

const numberOrNull = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));

/** Inserts an order; the server sets the owner and the status (CALL-45). */
export async function insertOrder({ rest }: Client, request: OrderRequest): Promise<Order> {
  const row = {
    symbol: request.symbol,
    type: request.type,
    side: request.side,
    price: numberOrNull(request.price),
    size: Number(request.size),
    leverage: request.leverage,
    take_profit_price: numberOrNull(request.takeProfitPrice),
    stop_loss_price: numberOrNull(request.stopLossPrice),
    client_id: request.clientId,
    ...(request.netTerms && {
      time_in_force: request.netTerms.timeInForce,
      reduce_only: request.netTerms.reduceOnly,
    }),
  };
  return fromWire(await unwrap(rest.from('orders').insert(row).select('*').single()));
}

/** Cancels an order; resolves with null if it is not open any more (CALL-46). */
export async function cancelOrder({ rest }: Client, id: string): Promise<Order | null> {
  const request = rest.from('orders').update({ status: 'CANCELED' }).eq('id', id);
  const row = await unwrapOrNull(request.select('*').maybeSingle());
  return row === null ? null : fromWire(row);
}

export interface CloseRequest {
  readonly positionId: string;
  /** Null closes the whole position, whatever its size is by then. */
  readonly size: string | null;
  /** Price and result on the screen; null: not known. */
  readonly closePrice: number | null;
  readonly realizedPnl: number | null;
  readonly clientId: string;
}

/** Closes a position or a part of it; the server finds price and profit itself (CALL-48). */
export async function closePosition({ rest }: Client, request: CloseRequest): Promise<Position> {
  const row = await unwrap(
    rest.rpc('close_position', {
      p_position_id: request.positionId,
      p_close_price: request.closePrice,
      p_realized_pnl: request.realizedPnl,
      p_size: request.size,
      p_client_id: request.clientId,
    }),
  );
  return fromWire(row);
}

export interface ReverseRequest {
  readonly positionId: string;
  /** The price seen, which bounds the trade; null reverses at any market price. */
  readonly price: string | null;
  readonly clientId: string;
}

/** Closes a position and opens the other side, both or neither; resolves with the new position. */
export async function reversePosition({ rest }: Client, request: ReverseRequest): Promise<Position> {
  const row = await unwrap(
    rest.rpc('reverse_position', {
      p_position_id: request.positionId,
      p_expected_price: request.price,
      p_client_id: request.clientId,
    }),
  );
  return fromWire(row);
}
