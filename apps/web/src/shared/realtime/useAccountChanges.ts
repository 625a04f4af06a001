/**
 * Live updates of an account and of its user: joins the account's `user:{id}` and writes announced wallets, positions, orders, notifications and
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

const getAccountKeys = (accountId: string) => [
  queryKeys.wallet(accountId),
  queryKeys.positions(accountId, 'open'),
  queryKeys.positions(accountId, 'closed'),
  queryKeys.orders(accountId, 'open'),
  queryKeys.orders(accountId, 'past'),
  queryKeys.notifications(accountId),
  queryKeys.transactions(accountId),
  queryKeys.alerts(accountId),
];
const getUserKeys = (userId: string) => [queryKeys.chatUnread(userId), queryKeys.kyc(userId)];

/** A read that a newer one replaced has not failed. */
const ignoreCancelled = (cause: unknown) => {
  if (!(cause instanceof CancelledError)) throw cause;
};

/** Refetches the visible ones of these queries; rejects when one of them fails. */
async function refetchVisible(cache: QueryClient, keys: readonly (readonly string[])[]): Promise<void> {
  await Promise.all(
    keys.map((queryKey) =>
      cache.invalidateQueries({ queryKey }, { throwOnError: true }).catch(ignoreCancelled),
    ),
  );
}

/** Refetches all account queries. */
export function refetchAccount(cache: QueryClient, accountId: string): void {
  refetchVisible(cache, getAccountKeys(accountId)).catch((cause: unknown) =>
    log.warn('Refreshing the account failed', cause),
  );
}

/** Whether the item's final row is known: an answer may come after the announcement of a later change. */
function isOutdated(cache: QueryClient, accountId: string, { table, row }: AccountChange): boolean {
  if (table !== 'positions' && table !== 'orders') return false;
  const finished =
    table === 'positions' ? queryKeys.positions(accountId, 'closed') : queryKeys.orders(accountId, 'past');
  const rows = cache.getQueryData<readonly Pick<Position, 'id' | 'version'>[]>(finished);
  return rows?.some(({ id, version }) => id === row.id && version > row.version) ?? false;
}

/**
 * Applies an announced or answered change to the cached lists and to running reads. A row older than the cached one changes
 * nothing.
 */
export function applyAccountChange(cache: QueryClient, accountId: string, change: AccountChange): void {
  if (isOutdated(cache, accountId, change)) return;
  recordChange(cache, change);
  const update = <Held>(queryKey: readonly string[], apply: (held: Held) => Held) =>
    cache.setQueryData<Held>(queryKey, (held) => (held === undefined ? held : apply(held)));
  const { table, row } = change;
  if (table === 'wallets') {
    update<Wallet | null>(queryKeys.wallet(accountId), (held) => newerOf(held, row));
  } else if (table === 'positions') {
    update<readonly Position[]>(queryKeys.positions(accountId, 'open'), (held) => applyToOpen(held, row));
    update<readonly Position[]>(queryKeys.positions(accountId, 'closed'), (held) => applyToClosed(held, row));
  } else if (table === 'orders') {
    update<readonly Order[]>(queryKeys.orders(accountId, 'open'), (held) => applyToOpenOrders(held, row));
    update<readonly Order[]>(queryKeys.orders(accountId, 'past'), (held) => applyToPastOrders(held, row));
  } else {
    update<readonly Notification[]>(queryKeys.notifications(accountId), (held) =>
      applyToNotifications(held, row),
    );
  }
}

export interface ViewedAccount {
  readonly accountId: string;
  /** The owner of the account; its own id for a main account. */
  readonly userId: string;
  /** The account's owner, or staff during an impersonation, who see less. */
  readonly viewer: 'owner' | 'staff';
}

const tablesOfAccount = ['wallets', 'positions', 'orders', 'notifications', 'alerts'] as const;
const tablesOfUser = ['notifications', 'chat_sessions', 'kyc_verifications'] as const;
const ownerOnly: ReadonlySet<string> = new Set(['alerts', 'kyc_verifications']);

/** The tables to listen to, each with the owner of the rows. A main account and its user are one owner. */
const listenedTables = ({ accountId, userId, viewer }: ViewedAccount) =>
  [
    ...tablesOfAccount.map((table) => ({ table, ownerId: accountId })),
    ...tablesOfUser
      .filter((table) => table !== 'notifications' || accountId !== userId)
      .map((table) => ({ table, ownerId: userId })),
  ].filter(({ table }) => viewer === 'owner' || !ownerOnly.has(table));

/** Joins the topic and updates `cache` until the returned function is called. */
function subscribeToAccount(
  supabase: Supabase,
  cache: QueryClient,
  viewed: ViewedAccount,
  onNotified: OnNotified,
): () => void {
  const { accountId, userId } = viewed;
  let version: number | undefined;
  let isOver = false;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const refetchAll = () => {
    clearTimeout(retryTimer);
    refetchVisible(cache, [...getAccountKeys(accountId), ...getUserKeys(userId)]).catch((cause: unknown) => {
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
    applyAccountChange(cache, accountId, { table: 'wallets', row: fromWire(row) });
    // Deposits and withdrawals are not announced themselves; they always move the wallet.
    void cache.invalidateQueries({ queryKey: queryKeys.transactions(accountId) });
  };
  const onPosition = (row: Tables['positions']['Row']) => {
    trackVersion(row.account_version);
    applyAccountChange(cache, accountId, { table: 'positions', row: fromWire(row) });
  };
  const onOrder = (row: Tables['orders']['Row']) => {
    trackVersion(row.account_version);
    applyAccountChange(cache, accountId, { table: 'orders', row: fromWire(row) });
  };
  const onNotification = (row: Tables['notifications']['Row'], isNew: boolean) => {
    const announced = fromWire(row);
    applyAccountChange(cache, accountId, { table: 'notifications', row: announced });
    if (isNew) onNotified(announced);
  };
  const onSession = (change: RowChange) => {
    const queryKey = queryKeys.chatUnread(userId);
    if (change.eventType === 'DELETE') {
      void cache.invalidateQueries({ queryKey });
      return;
    }
    cache.setQueryData<readonly SupportConversation[]>(queryKey, (held) =>
      mergeConversations(held ?? [], [change.new as SupportConversation]),
    );
  };
  const onAnnounced = (change: RowChange) => {
    if (change.table === 'chat_sessions') onSession(change);
    else if (change.table === 'alerts') {
      void cache.invalidateQueries({ queryKey: queryKeys.alerts(accountId) });
    }
    // The announcement of a deleted row contains its key only.
    else if (change.eventType === 'DELETE') refetchAll();
    else if (change.table === 'wallets') onWallet(change.new as Tables['wallets']['Row']);
    else if (change.table === 'positions') onPosition(change.new as Tables['positions']['Row']);
    else if (change.table === 'orders') onOrder(change.new as Tables['orders']['Row']);
    else if (change.table === 'notifications') {
      onNotification(change.new as Tables['notifications']['Row'], change.eventType === 'INSERT');
    } else if (change.table === 'kyc_verifications') {
      void cache.invalidateQueries({ queryKey: queryKeys.kyc(userId) });
    }
  };

  const subscription = subscribeToTopic(supabase, `user:${accountId}`, {
    listen: (channel) => {
      for (const { table, ownerId } of listenedTables(viewed)) {
        const binding = { event: '*', schema: 'public', table, filter: `user_id=eq.${ownerId}` } as const;
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
export function useAccountChanges(
  { accountId, userId, viewer }: ViewedAccount,
  onNotified: OnNotified,
): void {
  const supabase = useSupabase();
  const cache = useQueryClient();
  useEffect(
    () => subscribeToAccount(supabase, cache, { accountId, userId, viewer }, onNotified),
    [supabase, cache, accountId, userId, viewer, onNotified],
  );
}
