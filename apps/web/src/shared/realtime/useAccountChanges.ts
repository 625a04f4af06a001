/**
 * The live side of an account: joins `user:{id}` and writes announced wallets, positions, orders, notifications and
 * conversations into the query cache, so that every screen shows them without asking. The layouts call it once; `onNotified` hears of each
 * notification as it happens. After each (re)join and after a gap in the account's version everything of the account is
 * read again, until that has worked, because what was announced meanwhile is lost; what is announced while it is being read
 * stays on top (reading.ts). An identity check is read again when it is announced, and is followed by its person alone (A45).
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
  newest,
} from './changes.ts';
import { followTopic } from './follow-topic.ts';
import { type OwnSession, withSessions } from './own-sessions.ts';
import { type AccountChange, noteChange } from './reading.ts';

type Tables = Database['public']['Tables'];

const log = appLog.of('realtime');
/** Until the account is asked for again after an answer did not come. */
const againAfterMs = 5_000;

/** After leaving and rejoining a topic, a late frame of the old channel may reach every listener of the new one. */
interface Announced {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
}

/** Called with each notification that is announced while this page looks; what is read later is no news. */
export type OnNotified = (notification: Notification) => void;

const partsOf = (userId: string) => [
  queryKeys.wallet(userId),
  queryKeys.positions(userId, 'open'),
  queryKeys.positions(userId, 'closed'),
  queryKeys.orders(userId, 'open'),
  queryKeys.orders(userId, 'past'),
  queryKeys.notifications(userId),
  queryKeys.transactions(userId),
  queryKeys.chatUnread(userId),
  queryKeys.kyc(userId),
];

/** A reading that a newer one took the place of has not failed. */
const unlessReplaced = (cause: unknown) => {
  if (!(cause instanceof CancelledError)) throw cause;
};

/** Reads what is shown of the account again; rejects when a part of it cannot be had. */
async function readAgain(cache: QueryClient, userId: string): Promise<void> {
  await Promise.all(
    partsOf(userId).map((queryKey) =>
      cache.invalidateQueries({ queryKey }, { throwOnError: true }).catch(unlessReplaced),
    ),
  );
}

/** After this whatever shows the account asks the server for it again. */
export function readAccountAgain(cache: QueryClient, userId: string): void {
  readAgain(cache, userId).catch((cause: unknown) => log.warn('Reading the account again failed', cause));
}

/** Puts a change into what is shown, and over what is being read. Older rows than the held ones change nothing. */
export function takeOver(cache: QueryClient, userId: string, change: AccountChange): void {
  noteChange(cache, change);
  const update = <Held>(queryKey: readonly string[], apply: (held: Held) => Held) =>
    cache.setQueryData<Held>(queryKey, (held) => (held === undefined ? held : apply(held)));
  const { table, row } = change;
  if (table === 'wallets') {
    update<Wallet | null>(queryKeys.wallet(userId), (held) => newest(held, row));
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

/** Who looks at the account: its person, or staff who act as them and see less. */
export type AccountReader = 'person' | 'staff';

const followedBy = {
  person: ['wallets', 'positions', 'orders', 'notifications', 'chat_sessions', 'kyc_verifications'],
  staff: ['wallets', 'positions', 'orders', 'notifications', 'chat_sessions'],
} as const satisfies Record<AccountReader, readonly (keyof Tables)[]>;

/** Joins and keeps `cache` current until the returned function is called. */
export function followAccount(
  supabase: Supabase,
  cache: QueryClient,
  { userId, reader }: { readonly userId: string; readonly reader: AccountReader },
  onNotified: OnNotified,
): () => void {
  let version: number | undefined;
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const readAll = () => {
    clearTimeout(again);
    readAgain(cache, userId).catch((cause: unknown) => {
      log.warn('Reading the account again failed', cause);
      // Without the channel there is nothing to keep up with; the next join reads.
      if (!isOver && followed.joined() !== null) again = setTimeout(readAll, againAfterMs);
    });
  };
  const seen = (announced: number) => {
    if (hasGap(version, announced)) {
      log.info('A change of the account was missed', { known: version, announced });
      readAll();
    }
    version = Math.max(version ?? announced, announced);
  };
  const onWallet = (row: Tables['wallets']['Row']) => {
    seen(row.version);
    takeOver(cache, userId, { table: 'wallets', row: fromWire(row) });
    // Deposits and withdrawals are not announced themselves; they always move the wallet.
    cache
      .invalidateQueries({ queryKey: queryKeys.transactions(userId) })
      .catch((cause: unknown) => log.warn('Reading the transactions again failed', cause));
  };
  const onPosition = (row: Tables['positions']['Row']) => {
    seen(row.account_version);
    takeOver(cache, userId, { table: 'positions', row: fromWire(row) });
  };
  const onOrder = (row: Tables['orders']['Row']) => {
    seen(row.account_version);
    takeOver(cache, userId, { table: 'orders', row: fromWire(row) });
  };
  const onNotification = (row: Tables['notifications']['Row'], isNew: boolean) => {
    const announced = fromWire(row);
    takeOver(cache, userId, { table: 'notifications', row: announced });
    if (isNew) onNotified(announced);
  };
  const onSession = (change: Announced) => {
    const queryKey = queryKeys.chatUnread(userId);
    if (change.eventType === 'DELETE') {
      cache
        .invalidateQueries({ queryKey })
        .catch((cause: unknown) => log.warn('Reading the conversations again failed', cause));
      return;
    }
    cache.setQueryData<readonly OwnSession[]>(queryKey, (held) =>
      withSessions(held ?? [], [change.new as OwnSession]),
    );
  };
  const onAnnounced = (change: Announced) => {
    if (change.table === 'chat_sessions') onSession(change);
    // What is gone is announced by its key alone.
    else if (change.eventType === 'DELETE') readAll();
    else if (change.table === 'wallets') onWallet(change.new as Tables['wallets']['Row']);
    else if (change.table === 'positions') onPosition(change.new as Tables['positions']['Row']);
    else if (change.table === 'orders') onOrder(change.new as Tables['orders']['Row']);
    else if (change.table === 'notifications') {
      onNotification(change.new as Tables['notifications']['Row'], change.eventType === 'INSERT');
    } else if (change.table === 'kyc_verifications') {
      cache
        .invalidateQueries({ queryKey: queryKeys.kyc(userId) })
        .catch((cause: unknown) => log.warn('Reading the identity check again failed', cause));
    }
  };

  const followed = followTopic(supabase, `user:${userId}`, {
    listen: (channel) => {
      for (const table of followedBy[reader]) {
        const asked = { event: '*', schema: 'public', table, filter: `user_id=eq.${userId}` } as const;
        channel.on('postgres_changes', asked, (change: Announced) => {
          if (change.table === table) onAnnounced(change);
        });
      }
    },
    onJoined: readAll,
  });
  return () => {
    isOver = true;
    clearTimeout(again);
    followed.leave();
  };
}

/** `onNotified` has to be stable (a module function or memoised). */
export function useAccountChanges(userId: string, reader: AccountReader, onNotified: OnNotified): void {
  const supabase = useSupabase();
  const cache = useQueryClient();
  useEffect(
    () => followAccount(supabase, cache, { userId, reader }, onNotified),
    [supabase, cache, userId, reader, onNotified],
  );
}
