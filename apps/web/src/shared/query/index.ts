/**
 * The cache of server data. Its keys are created here, so that readers and writers use the same entry. Only this cache retries:
 * three times, on transient failures, while the browser has a network. A final failure is logged here, whether or not a screen
 * shows it (A93); so a refetch that is not awaited needs no handler, and it does not reject.
 */
import { isUuid, type PositionStatus } from '@fulcrum/domain';
import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { type Log, log } from '../log/log.ts';
import { RequestError } from '../supabase/request.ts';

const maxRetries = 3;
const staleAfterMs = 30_000;

export const queryKeys = {
  /** The user's trading accounts. */
  accounts: (userId: string) => ['accounts', userId] as const,
  wallet: (accountId: string) => ['wallet', accountId] as const,
  positions: (accountId: string, status: PositionStatus) => ['positions', accountId, status] as const,
  orders: (accountId: string, status: 'open' | 'past') => ['orders', accountId, status] as const,
  notifications: (accountId: string) => ['notifications', accountId] as const,
  /** The trader's conversations with the unread count of each. */
  chatUnread: (userId: string) => ['chat-unread', userId] as const,
  /** The presence of support agents. */
  supportPresence: (userId: string) => ['support-presence', userId] as const,
  manager: (userId: string) => ['manager', userId] as const,
  transactions: (accountId: string) => ['transactions', accountId] as const,
  fills: (accountId: string) => ['fills', accountId] as const,
  /** The book of a market as the account meets it. */
  orderBook: (accountId: string, symbol: string) => ['order-book', accountId, symbol] as const,
  equity: (accountId: string) => ['equity', accountId] as const,
  sessions: (userId: string) => ['sessions', userId] as const,
  push: (userId: string) => ['push', userId] as const,
  equityOverview: (accountId: string) => ['equity-overview', accountId] as const,
  /** Prefix of the performance in every range. */
  performances: (accountId: string) => ['performance', accountId] as const,
  performance: (accountId: string, from: string | null, to: string | null) =>
    ['performance', accountId, from, to] as const,
  /** The user's own identity check. */
  kyc: (userId: string) => ['kyc', userId] as const,
  journal: (accountId: string) => ['journal', accountId] as const,
  /** The last hours of a market, the same for all users. */
  lastHours: (symbol: string) => ['last-hours', symbol] as const,
  alerts: (accountId: string) => ['alerts', accountId] as const,
  agents: ['agents'] as const,
  /** Metrics of one agent, or of all. */
  supportMetrics: (from: string, to: string, agentId: string | null) =>
    ['support-metrics', from, to, agentId] as const,
  /** A market widget, the same for all users. */
  widget: (name: string) => ['widget', name] as const,
} as const;

/** The name of a query in the log: its `meta.what`, or the leading words of its key without user id and filters. */
const getQueryName = ({ meta, queryKey }: Pick<Query<unknown, unknown>, 'meta' | 'queryKey'>): string =>
  typeof meta?.what === 'string'
    ? meta.what
    : queryKey
        .slice(0, 2)
        .filter((part) => typeof part === 'string' && !isUuid(part))
        .join(' ');

/** Whether no answer came and the browser has no network; an answer such as "busy" proves a network. */
const isOffline = ({ status }: RequestError): boolean => status === 0 && !navigator.onLine;

export const createQueryClient = (into: Log = log): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => into.of('reads').warn(`${getQueryName(query)} could not be read`, error),
    }),
    defaultOptions: {
      queries: {
        staleTime: staleAfterMs,
        // Requests are sent even when the browser reports offline: the server may be on the same machine.
        networkMode: 'always',
        // Off by default in that mode: queries that failed offline are read again once the network returns.
        refetchOnReconnect: true,
        // Without a network a retry is pointless: the query fails at once and is read again when the network returns.
        retry: (failures, error) =>
          failures < maxRetries && error instanceof RequestError && error.transient && !isOffline(error),
        retryDelay: (attempt) => 1000 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

/** The page's cache; it is cleared when the session ends. */
export const queryClient = createQueryClient();
