/**
 * Sends the ticket's order (A19): Market calls `open_position` with the price seen as a bound, Limit and Stop insert an
 * order.
 */
import { texts } from '@fulcrum/contract/texts';
import type { QueryClient } from '@tanstack/react-query';
import type { AccountReader } from '../../../shared/account/index.ts';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import {
  type AccountChange,
  applyAccountChange,
  refetchWalletUnlessAnnounced,
} from '../../../shared/realtime/index.ts';
import { getErrorMessage, RequestError, type Supabase } from '../../../shared/supabase/index.ts';
import { insertOrder, openPosition } from '../requests.ts';
import type { OrderIntent } from './ticket.ts';

/** The result of an intent: a position at once, or an order. */
export type Placed = Extract<AccountChange, { table: 'positions' | 'orders' }>;

export async function placeOrder(supabase: Supabase, intent: OrderIntent): Promise<Placed> {
  // An order's row has what was filled of it; a net position's row does not.
  return intent.type === 'MARKET' && intent.netTerms === null
    ? { table: 'positions', row: await openPosition(supabase, intent) }
    : { table: 'orders', row: await insertOrder(supabase, intent) };
}

/**
 * Shows the placed position or order at once and reads its list again (RULE-15, RULE-16); also the positions, which an order that
 * was filled has changed. The wallet is read again only where its announcement does not arrive.
 */
export async function cachePlaced(
  cache: QueryClient,
  { accountId, supabase }: AccountReader,
  placed: Placed,
): Promise<void> {
  applyAccountChange(cache, accountId, placed);
  const lists = getChangedLists(accountId, placed);
  await Promise.all([
    ...lists.map((queryKey) => cache.invalidateQueries({ queryKey })),
    refetchWalletUnlessAnnounced(cache, { accountId, supabase }, placed.row.accountVersion),
  ]);
}

/** A fill in an account with net positions opens, changes or closes one. */
function getChangedLists(accountId: string, { table, row }: Placed): readonly (readonly string[])[] {
  const { positions, orders } = queryKeys;
  if (table === 'positions') return [positions(accountId, 'open')];
  const filled = row.filledSize > 0 ? [positions(accountId, 'open'), positions(accountId, 'closed')] : [];
  return [orders(accountId, 'open'), ...filled];
}

interface OrderSteps {
  readonly sendOrder: () => Promise<Placed>;
  readonly onPlaced: (placed: Placed) => void;
  readonly onFailed: (error: unknown) => Promise<void>;
  /** Brings the cached account up to date, which may take as long as its announcements. */
  readonly cachePlaced: (placed: Placed) => Promise<void>;
}

/**
 * Sends orders one at a time: a second one before the first one's answer is not sent. The next order waits for the answer alone,
 * not for the cache, and only a failed `sendOrder` is a failed order.
 */
export function createOrderSender() {
  let isSending = false;
  return async ({ sendOrder, onPlaced, onFailed, cachePlaced }: OrderSteps): Promise<void> => {
    if (isSending) return;
    isSending = true;
    const answer = await sendOrder()
      .then(
        (placed) => ({ placed }),
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        isSending = false;
      });
    if ('error' in answer) return onFailed(answer.error);
    try {
      onPlaced(answer.placed);
    } finally {
      cachePlaced(answer.placed).catch((cause: unknown) =>
        log.warn('The account could not be read again after an order', cause),
      );
    }
  };
}

const getNoAnswerText = (type: OrderIntent['type']): string =>
  `No answer yet. The order may have been placed: check Open ${type === 'MARKET' ? 'Positions' : 'Orders'}.`;

/** The failure's text, and whether the server sent it; without an answer the order may have been placed (TRADE-45). */
export function toOrderFailure(
  error: unknown,
  { type }: Pick<OrderIntent, 'type'>,
): { readonly message: string; readonly answered: boolean } {
  const answered =
    error instanceof RequestError && error.code !== '' && error.status > 0 && error.status < 500;
  const fallback = answered ? texts.placeOrderFailed : getNoAnswerText(type);
  // A refusal without a text uses the stated one.
  return { message: getErrorMessage(error, fallback) || fallback, answered };
}
