/**
 * The live side of an account: joins `user:{id}` and writes announced wallets, positions, orders and notifications into the
 * query cache, so that every screen shows them without asking. The layouts call it once; `onNotified` hears of each
 * notification as it happens. After each (re)join and after a gap in the account's
 * version everything of the account is read again, because what was announced meanwhile is lost.
 */
import type { Database } from '@fulcrum/contract/database';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log } from '../log/log.ts';
import { queryKeys } from '../query/index.ts';
import type { Supabase } from '../supabase/client.ts';
import { useSupabase } from '../supabase/context.ts';
import { fromWire, type Notification, type Order, type Position, type Wallet } from '../supabase/rows.ts';
import {
  applyToClosed,
  applyToNotifications,
  applyToOpen,
  applyToOpenOrders,
  applyToPastOrders,
  hasGap,
  newest,
} from './changes.ts';

type Tables = Database['public']['Tables'];

/** After leaving and rejoining a topic, a late frame of the old channel may reach every listener of the new one. */
interface Announced {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
}

/** Called with each notification that is announced while this page looks; what is read later is no news. */
export type OnNotified = (notification: Notification) => void;

/** After this whatever shows the account asks the server for it again. */
export function readAccountAgain(cache: QueryClient, userId: string): void {
  const keys = [
    queryKeys.wallet(userId),
    queryKeys.positions(userId, 'open'),
    queryKeys.positions(userId, 'closed'),
    queryKeys.orders(userId, 'open'),
    queryKeys.orders(userId, 'past'),
    queryKeys.notifications(userId),
    queryKeys.transactions(userId),
  ];
  for (const queryKey of keys) {
    cache
      .invalidateQueries({ queryKey })
      .catch((cause: unknown) => log.warn('Reading the account again failed', cause));
  }
}

/** Settled once the channel before is gone: until then the client would hand out the dying one for the same topic. */
let left: Promise<unknown> = Promise.resolve();

/** Joins and keeps `cache` current until the returned function is called. */
export function followAccount(
  supabase: Supabase,
  cache: QueryClient,
  userId: string,
  onNotified: OnNotified,
): () => void {
  let version: number | undefined;
  const seen = (announced: number) => {
    if (hasGap(version, announced)) readAccountAgain(cache, userId);
    version = Math.max(version ?? announced, announced);
  };
  const onWallet = (row: Tables['wallets']['Row']) => {
    seen(row.version);
    const announced = fromWire(row);
    cache.setQueryData<Wallet | null>(queryKeys.wallet(userId), (held) =>
      held === undefined ? held : newest(held, announced),
    );
    // Deposits and withdrawals are not announced themselves; they always move the wallet.
    cache
      .invalidateQueries({ queryKey: queryKeys.transactions(userId) })
      .catch((cause: unknown) => log.warn('Reading the transactions again failed', cause));
  };
  const onPosition = (row: Tables['positions']['Row']) => {
    seen(row.account_version);
    const announced = fromWire(row);
    const update = (status: 'open' | 'closed', apply: typeof applyToOpen) =>
      cache.setQueryData<readonly Position[]>(
        queryKeys.positions(userId, status),
        (held) => held && apply(held, announced),
      );
    update('open', applyToOpen);
    update('closed', applyToClosed);
  };
  const onOrder = (row: Tables['orders']['Row']) => {
    seen(row.account_version);
    const announced = fromWire(row);
    const update = (status: 'open' | 'past', apply: typeof applyToOpenOrders) =>
      cache.setQueryData<readonly Order[]>(
        queryKeys.orders(userId, status),
        (held) => held && apply(held, announced),
      );
    update('open', applyToOpenOrders);
    update('past', applyToPastOrders);
  };
  const onNotification = (row: Tables['notifications']['Row'], isNew: boolean) => {
    const announced = fromWire(row);
    cache.setQueryData<readonly Notification[]>(
      queryKeys.notifications(userId),
      (held) => held && applyToNotifications(held, announced),
    );
    if (isNew) onNotified(announced);
  };

  const join = () => {
    const mine = { schema: 'public', filter: `user_id=eq.${userId}` } as const;
    const channel = supabase.realtime
      .channel(`user:${userId}`, { config: { private: true } })
      .on('postgres_changes', { event: '*', table: 'wallets', ...mine }, (change: Announced) => {
        if (change.table === 'wallets') onWallet(change.new as Tables['wallets']['Row']);
      })
      .on('postgres_changes', { event: '*', table: 'positions', ...mine }, (change: Announced) => {
        if (change.table === 'positions') onPosition(change.new as Tables['positions']['Row']);
      })
      .on('postgres_changes', { event: '*', table: 'orders', ...mine }, (change: Announced) => {
        if (change.table === 'orders') onOrder(change.new as Tables['orders']['Row']);
      })
      .on('postgres_changes', { event: '*', table: 'notifications', ...mine }, (change: Announced) => {
        if (change.table !== 'notifications') return;
        onNotification(change.new as Tables['notifications']['Row'], change.eventType === 'INSERT');
      });
    channel.subscribe((status, cause) => {
      if (status === 'SUBSCRIBED') readAccountAgain(cache, userId);
      else if (status !== 'CLOSED') log.warn(`Account channel: ${status}`, cause);
    });
    return channel;
  };

  let channel: RealtimeChannel | undefined;
  let isOver = false;
  left
    // A join without a token would be refused: the socket asks for one first.
    .then(() => supabase.realtime.setAuth())
    .then(() => {
      if (!isOver) channel = join();
    })
    .catch((cause: unknown) => log.warn('The account channel could not be joined', cause));

  return () => {
    isOver = true;
    if (!channel) return;
    left = supabase.realtime
      .removeChannel(channel)
      .catch((cause: unknown) => log.warn('Leaving the account channel failed', cause));
  };
}

/** `onNotified` has to be stable (a module function or memoised). */
export function useAccountChanges(userId: string, onNotified: OnNotified): void {
  const supabase = useSupabase();
  const cache = useQueryClient();
  useEffect(() => followAccount(supabase, cache, userId, onNotified), [supabase, cache, userId, onNotified]);
}
