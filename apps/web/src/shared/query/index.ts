/**
 * The cache of what was read from the server. Keys are made here, so that whoever reads and whoever updates mean the same
 * entry. Only this cache retries: three times, on failures that may pass, while the browser has a network. What fails for
 * good is logged here, whether a screen says it or not (A93).
 */
import { isUuid } from '@fulcrum/domain';
import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { type Log, log } from '../log/log.ts';
import { RequestError } from '../supabase/request.ts';

const maxRetries = 3;
const freshForMs = 30_000;

export const queryKeys = {
  wallet: (userId: string) => ['wallet', userId] as const,
  positions: (userId: string, status: 'open' | 'closed') => ['positions', userId, status] as const,
  orders: (userId: string, status: 'open' | 'past') => ['orders', userId, status] as const,
  notifications: (userId: string) => ['notifications', userId] as const,
  /** The trader's conversations, with what is unread in each. */
  chatUnread: (userId: string) => ['chat-unread', userId] as const,
  /** Who of support is there. */
  supportPresence: (userId: string) => ['support-presence', userId] as const,
  manager: (userId: string) => ['manager', userId] as const,
  transactions: (userId: string) => ['transactions', userId] as const,
  fills: (userId: string) => ['fills', userId] as const,
  equity: (userId: string) => ['equity', userId] as const,
  sessions: (userId: string) => ['sessions', userId] as const,
  equityOverview: (userId: string) => ['equity-overview', userId] as const,
  /** Of every range. */
  performances: (userId: string) => ['performance', userId] as const,
  performance: (userId: string, from: string | null, to: string | null) =>
    ['performance', userId, from, to] as const,
  /** One's own identity check. */
  kyc: (userId: string) => ['kyc', userId] as const,
  journal: (userId: string) => ['journal', userId] as const,
  agents: ['agents'] as const,
  /** Of one agent, or of all. */
  supportMetrics: (from: string, to: string, agentId: string | null) =>
    ['support-metrics', from, to, agentId] as const,
  /** A widget about the market, the same for everybody. */
  widget: (name: string) => ['widget', name] as const,
} as const;

/** What was read, by the name its reader gives it, else by the words that its key begins with: whose it is and how it is narrowed says nothing about what failed. */
const nameOf = ({ meta, queryKey }: Pick<Query<unknown, unknown>, 'meta' | 'queryKey'>): string =>
  typeof meta?.what === 'string'
    ? meta.what
    : queryKey
        .slice(0, 2)
        .filter((part) => typeof part === 'string' && !isUuid(part))
        .join(' ');

/** No answer came, and the browser knows of no network; an answer that says "busy" has come over one. */
const isOffline = ({ status }: RequestError): boolean => status === 0 && !navigator.onLine;

export const createQueryClient = (into: Log = log): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => into.of('reads').warn(`${nameOf(query)} could not be read`, error),
    }),
    defaultOptions: {
      queries: {
        staleTime: freshForMs,
        // Requests go out even when the browser believes it is offline: the server may be on this very machine.
        networkMode: 'always',
        // With that mode it would be off: what failed while the network was away is read again once it is back.
        refetchOnReconnect: true,
        // Without a network the next seconds bring nothing: what failed is told at once and read again with its return.
        retry: (failures, error) =>
          failures < maxRetries && error instanceof RequestError && error.transient && !isOffline(error),
        retryDelay: (attempt) => 1000 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

/** One for the page; it is emptied when the session ends. */
export const queryClient = createQueryClient();
