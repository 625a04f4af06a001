/** Sending an order: `open_position` with the price seen as a bound; price, margin and user are the server's (A18). */
import { texts } from '@fulcrum/contract/texts';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyToOpen } from '../../../shared/realtime/changes.ts';
import {
  fromWire,
  messageOf,
  type Position,
  RequestError,
  rowsOf,
  type Supabase,
} from '../../../shared/supabase/index.ts';
import type { OrderIntent } from './ticket.ts';

export async function placeOrder(supabase: Supabase, intent: OrderIntent): Promise<Position> {
  const position = await rowsOf(
    supabase.rest.rpc('open_position', {
      p_symbol: intent.symbol,
      p_side: intent.side,
      p_entry_price: intent.entryPrice,
      p_size: intent.size,
      p_leverage: intent.leverage,
      p_required_margin: intent.requiredMargin,
      p_client_id: intent.clientId,
    }),
  );
  return fromWire(position);
}

/** Shows an opened position at once and reads wallet and positions again (RULE-16). */
export async function takeOverOpened(cache: QueryClient, userId: string, position: Position): Promise<void> {
  cache.setQueryData<readonly Position[]>(
    queryKeys.positions(userId, 'open'),
    (held) => held && applyToOpen(held, position),
  );
  await Promise.all([
    cache.invalidateQueries({ queryKey: queryKeys.wallet(userId) }),
    cache.invalidateQueries({ queryKey: queryKeys.positions(userId, 'open') }),
  ]);
}

const noAnswer = 'No answer yet. The order may have been placed: check Open Positions.';

/** TRADE-45 and whether the server said so; without its word the order may have been opened. */
export function orderFailure(error: unknown): { readonly message: string; readonly answered: boolean } {
  const answered =
    error instanceof RequestError && error.code !== '' && error.status > 0 && error.status < 500;
  return { message: messageOf(error, answered ? texts.placeOrderFailed : noAnswer), answered };
}
