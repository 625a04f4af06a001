/**
 * Live updates of an account: joins `user:{id}` and writes announced wallets, positions, orders, notifications and
 * conversations into the query cache. The layouts call it once; `onNotified` gets each notification as it happens. After each
 * (re)join, and after a gap in the account's version, the whole account is read again until that succeeds, because
 * announcements may be lost; changes announced during a read take precedence (read-with-changes.ts). An announced identity
 * check is read again, for the owner only (A45).
 */
import type { Database } from '@fulcrum/contract/database';
import { CancelledError, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log as appLog } from '../log/log.ts';
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
  newerOf,
} from './changes.ts';
import { type AccountChange, recordChange } from './read-with-changes.ts';
import { mergeConversations, type SupportConversation } from './support-conversations.ts';
import { subscribeToTopic } from './topic-subscription.ts';

type Tables = Database['public']['Tables'];

const log = appLog.of('realtime');
/** The delay before the account is read again after a failure. */
const retryAfterMs = 5_000;

/** The fields of a change. After rejoining a topic, a late frame of the old channel may reach all listeners of the new one. */
interface RowChange {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
}

/** Called with each notification announced while this page is open; notifications read later are not new. */
export type OnNotified = (notification: Notification) => void;

const getAccountKeys = (userId: string) => [
  queryKeys.wallet(userId),
  queryKeys.positions(userId, 'open'),
  queryKeys.positions(userId, 'closed'),
  queryKeys.orders(userId, 'open'),
  queryKeys.orders(userId, 'past'),
  queryKeys.notifications(userId),
  queryKeys.transactions(userId),
  queryKeys.chatUnread(userId),
  queryKeys.kyc(userId),
  queryKeys.alerts(userId),
];

/** A read that a newer one replaced has not failed. */
const ignoreCancelled = (cause: unknown) => {
  if (!(cause instanceof CancelledError)) throw cause;
};

/** Refetches the visible account queries; rejects when one of them fails. */
async function refetchAccountQueries(cache: QueryClient, userId: string): Promise<void> {
  await Promise.all(
    getAccountKeys(userId).map((queryKey) =>
      cache.invalidateQueries({ queryKey }, { throwOnError: true }).catch(ignoreCancelled),
    ),
  );
}

/** Refetches all account queries. */
export function refetchAccount(cache: QueryClient, userId: string): void {
  refetchAccountQueries(cache, userId).catch((cause: unknown) =>
    log.warn('Refreshing the account failed', cause),
  );
}

/** Whether the item's final row is known: an answer may come after the announcement of a later change. */
function isOutdated(cache: QueryClient, userId: string, { table, row }: AccountChange): boolean {
  if (table !== 'positions' && table !== 'orders') return false;
  const finished =
    table === 'positions' ? queryKeys.positions(userId, 'closed') : queryKeys.orders(userId, 'past');
  const rows = cache.getQueryData<readonly Pick<Position, 'id' | 'version'>[]>(finished);
  return rows?.some(({ id, version }) => id === row.id && version > row.version) ?? false;
}

/**
 * Applies an announced or answered change to the cached lists and to running reads. A row older than the cached one changes
 * nothing.
 */
export function applyAccountChange(cache: QueryClient, userId: string, change: AccountChange): void {
  if (isOutdated(cache, userId, change)) return;
  recordChange(cache, change);
  const update = <Held>(queryKey: readonly string[], apply: (held: Held) => Held) =>
    cache.setQueryData<Held>(queryKey, (held) => (held === undefined ? held : apply(held)));
  const { table, row } = change;
  if (table === 'wallets') {
    update<Wallet | null>(queryKeys.wallet(userId), (held) => newerOf(held, row));
  } else if (table === 'positions') {
    update<readonly Position[]>(queryKeys.positions(userId, 'open'), (held) => applyToOpen(held, row));
    update<readonly Position[]>(queryKeys.positions(userId, 'closed'), (held) => applyToClosed(held, row));
  } else if (table === 'orders') {
    update<readonly Order[]>(queryKeys.orders(userId, 'open'), (held) => applyToOpenOrders(held, row));
    update<readonly Order[]>(queryKeys.orders(userId, 'past'), (held) => applyToPastOrders(held, row));
  } else {
    update<readonly Notification[]>(queryKeys.notifications(userId), (held) =>
      applyToNotifications(held, row),
    );
  }
}

/** The viewer: the account's owner, or staff during an impersonation, who see less. */
export type AccountViewer = 'owner' | 'staff';

const tablesByViewer = {
  owner: ['wallets', 'positions', 'orders', 'notifications', 'chat_sessions', 'kyc_verifications', 'alerts'],
  staff: ['wallets', 'positions', 'orders', 'notifications', 'chat_sessions'],
} as const satisfies Record<AccountViewer, readonly (keyof Tables)[]>;

/** Joins the topic and updates `cache` until the returned function is called. */
export function subscribeToAccount(
  supabase: Supabase,
  cache: QueryClient,
  { userId, viewer }: { readonly userId: string; readonly viewer: AccountViewer },
  onNotified: OnNotified,
): () => void {
  let version: number | undefined;
  let isOver = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const refetchAll = () => {
    clearTimeout(retryTimer);
    refetchAccountQueries(cache, userId).catch((cause: unknown) => {
      log.warn('Refreshing the account failed', cause);
      // Without the channel a retry is pointless; the next join reads.
      if (!isOver && subscription.joined() !== null) retryTimer = setTimeout(refetchAll, retryAfterMs);
    });
  };
  const trackVersion = (announced: number) => {
    if (hasGap(version, announced)) {
      log.info('A change of the account was missed', { known: version, announced });
      refetchAll();
    }
    version = Math.max(version ?? announced, announced);
  };
  const onWallet = (row: Tables['wallets']['Row']) => {
    trackVersion(row.version);
    applyAccountChange(cache, userId, { table: 'wallets', row: fromWire(row) });
    // Deposits and withdrawals are not announced themselves; they always move the wallet.
    cache
      .invalidateQueries({ queryKey: queryKeys.transactions(userId) })
      .catch((cause: unknown) => log.warn('Refreshing the transactions failed', cause));
  };
  const onPosition = (row: Tables['positions']['Row']) => {
    trackVersion(row.account_version);
    applyAccountChange(cache, userId, { table: 'positions', row: fromWire(row) });
  };
  const onOrder = (row: Tables['orders']['Row']) => {
    trackVersion(row.account_version);
    applyAccountChange(cache, userId, { table: 'orders', row: fromWire(row) });
  };
  const onNotification = (row: Tables['notifications']['Row'], isNew: boolean) => {
    const announced = fromWire(row);
    applyAccountChange(cache, userId, { table: 'notifications', row: announced });
    if (isNew) onNotified(announced);
  };
  const onSession = (change: RowChange) => {
    const queryKey = queryKeys.chatUnread(userId);
    if (change.eventType === 'DELETE') {
      cache
        .invalidateQueries({ queryKey })
        .catch((cause: unknown) => log.warn('Refreshing the conversations failed', cause));
      return;
    }
    cache.setQueryData<readonly SupportConversation[]>(queryKey, (held) =>
      mergeConversations(held ?? [], [change.new as SupportConversation]),
    );
  };
  const onAnnounced = (change: RowChange) => {
    if (change.table === 'chat_sessions') onSession(change);
    else if (change.table === 'alerts') {
      cache
        .invalidateQueries({ queryKey: queryKeys.alerts(userId) })
        .catch((cause: unknown) => log.warn('Refreshing the alerts failed', cause));
    }
    // The announcement of a deleted row contains its key only.
    else if (change.eventType === 'DELETE') refetchAll();
    else if (change.table === 'wallets') onWallet(change.new as Tables['wallets']['Row']);
    else if (change.table === 'positions') onPosition(change.new as Tables['positions']['Row']);
    else if (change.table === 'orders') onOrder(change.new as Tables['orders']['Row']);
    else if (change.table === 'notifications') {
      onNotification(change.new as Tables['notifications']['Row'], change.eventType === 'INSERT');
    } else if (change.table === 'kyc_verifications') {
      cache
        .invalidateQueries({ queryKey: queryKeys.kyc(userId) })
        .catch((cause: unknown) => log.warn('Refreshing the identity check failed', cause));
    }
  };

  const subscription = subscribeToTopic(supabase, `user:${userId}`, {
    listen: (channel) => {
      for (const table of tablesByViewer[viewer]) {
        const binding = { event: '*', schema: 'public', table, filter: `user_id=eq.${userId}` } as const;
        channel.on('postgres_changes', binding, (change: RowChange) => {
          if (change.table === table) onAnnounced(change);
        });
      }
    },
    onJoined: refetchAll,
  });
  return () => {
    isOver = true;
    clearTimeout(retryTimer);
    subscription.leave();
  };
}

/** `onNotified` must be stable (a module function or memoised). */
export function useAccountChanges(userId: string, viewer: AccountViewer, onNotified: OnNotified): void {
  const supabase = useSupabase();
  const cache = useQueryClient();
  useEffect(
    () => subscribeToAccount(supabase, cache, { userId, viewer }, onNotified),
    [supabase, cache, userId, viewer, onNotified],
  );
}
