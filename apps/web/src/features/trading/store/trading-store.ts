/**
 * The stated trading store, for scripts on the page. It uses the same session and query cache as the
 * screen, so both show the same data.
 *
 * Every action sets `isLoading` and clears `error` at its start, and ends with `isLoading` false or with a message.
 * It resolves with its result, null for a refusal. Invariant: `orders` and `positions` equal the cache, also when the
 * screen or the server changed it.
 *
 * Known limitations: `orderBook` and `trades` are those on the screen of an account with net positions (A114), and empty in others (A94).
 * `orders` and `positions` are empty until the screen or an action has read them.
 */
import { texts } from '@fulcrum/contract/texts';
import { type Level, toNumber } from '@fulcrum/domain';
import { hashKey, type QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AccountReader, openOrdersQuery, openPositionsQuery } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log as appLog } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import { getErrorMessage, type Order, type Position, RequestError } from '../../../shared/supabase/index.ts';
import type { ShownBook, ShownTrade } from '../../order-book/index.ts';
import { cancelOrder, closePosition, insertOrder, openPosition } from '../requests.ts';
import {
  type Candle,
  type CandleInput,
  type OrderInput,
  type PositionInput,
  readCandles,
  toOpenRequest,
  toOrderRequest,
} from './trading-inputs.ts';

const log = appLog.of('trading store');

/** The client's shape of an order: the server's `size` is its `quantity`. */
export interface StoreOrder extends Omit<Order, 'size'> {
  readonly quantity: number;
}

export interface StoreLevel {
  readonly price: number;
  readonly size: number;
}

export interface TradingState {
  /** A symbol of the catalogue; null before one is selected. */
  readonly selectedPair: string | null;
  /** The best first. */
  readonly orderBook: { readonly bids: readonly StoreLevel[]; readonly asks: readonly StoreLevel[] };
  /** Of the market, the newest first. */
  readonly trades: readonly ShownTrade[];
  /** Oldest first, as the last `fetchCandles` read them. */
  readonly candles: readonly Candle[];
  /** Open orders, newest first. */
  readonly orders: readonly StoreOrder[];
  /** Open positions, newest first. */
  readonly positions: readonly Position[];
  readonly isLoading: boolean;
  readonly error: string | null;
}

export interface TradingActions {
  readonly setSelectedPair: (symbol: string) => void;
  readonly fetchPositions: () => Promise<readonly Position[] | null>;
  readonly fetchOrders: () => Promise<readonly StoreOrder[] | null>;
  readonly fetchCandles: (input?: CandleInput) => Promise<readonly Candle[] | null>;
  readonly placeOrder: (input: OrderInput) => Promise<StoreOrder | null>;
  readonly cancelOrder: (orderId: string) => Promise<StoreOrder | null>;
  readonly openPosition: (input: PositionInput) => Promise<Position | null>;
  readonly closePosition: (positionId: string) => Promise<Position | null>;
}

export type TradingStore = StoreApi<TradingState & TradingActions>;

export interface StoreContext extends AccountReader {
  readonly cache: QueryClient;
  readonly selectedPair: string | null;
  /** Selects another pair on the screen. */
  readonly select: (symbol: string) => void;
}

const noBook = { orderBook: { bids: [], asks: [] }, trades: [] };
const toStoreLevels = (levels: readonly Level[]): readonly StoreLevel[] =>
  levels.map(({ price, size }) => ({ price: toNumber(price), size: toNumber(size) }));

const fetchCandlesFailed = 'Failed to fetch candles';

const storeOrder = ({ size, ...order }: Order): StoreOrder => ({ ...order, quantity: size });

/** The error's own text, or the store's text for an error without one (ERR-72). */
const toErrorText = (cause: unknown, fallback: string): string =>
  cause instanceof RequestError
    ? getErrorMessage(cause, fallback)
    : (cause instanceof Error && cause.message) || fallback;

/**
 * `stop` ends the mirroring: a script that still holds the store then finds no data of this trader and can run no
 * action.
 */
export function createTradingStore(context: StoreContext) {
  const { cache, accountId, supabase, selectedPair, select } = context;
  let runningCount = 0;
  let isStopped = false;

  const store: TradingStore = createStore((set) => {
    /** Runs one action from start to end; several may overlap. */
    const runAction = async <Result>(
      fallback: string,
      work: () => Promise<Result>,
    ): Promise<Result | null> => {
      runningCount += 1;
      set({ isLoading: true, error: null });
      try {
        // The client belongs to the tab, whose signed-in user may have changed by now.
        if (isStopped) throw new Error('The session of this store has ended');
        return await work();
      } catch (cause) {
        log.warn(fallback, cause);
        set({ error: toErrorText(cause, fallback) });
        return null;
      } finally {
        runningCount -= 1;
        set({ isLoading: runningCount > 0 });
      }
    };
    const selected = (symbol: string | undefined): string => {
      const chosen = symbol ?? store.getState().selectedPair;
      if (chosen === null) throw new Error('No pair is selected');
      return chosen;
    };
    return {
      selectedPair,
      ...noBook,
      candles: [],
      orders: [],
      positions: [],
      isLoading: false,
      error: null,

      setSelectedPair: (symbol) => {
        set({ selectedPair: symbol, ...noBook });
        select(symbol);
      },
      fetchPositions: () => runAction(texts.fetchPositionsFailed, positions.read),
      fetchOrders: () =>
        runAction(texts.fetchOrdersFailed, async () => (await orders.read()).map(storeOrder)),
      fetchCandles: (input = {}) =>
        runAction(fetchCandlesFailed, async () => {
          const candles = await readCandles(supabase, { ...input, symbol: selected(input.symbol) });
          set({ candles });
          return candles;
        }),
      placeOrder: (input) =>
        runAction(texts.placeOrderFailed, async () => {
          const placed = await insertOrder(supabase, toOrderRequest(input));
          applyAccountChange(cache, accountId, { table: 'orders', row: placed });
          // Placing an order reads the open orders again (RULE-15).
          await orders.read();
          return storeOrder(placed);
        }),
      cancelOrder: (orderId) =>
        runAction(texts.cancelOrderFailed, async () => {
          const canceled = await cancelOrder(supabase, orderId);
          if (canceled === null) throw new Error(texts.orderNotFound);
          applyAccountChange(cache, accountId, { table: 'orders', row: canceled });
          return storeOrder(canceled);
        }),
      openPosition: (input) =>
        runAction(texts.placeOrderFailed, async () => {
          const opened = await openPosition(supabase, toOpenRequest(input));
          applyAccountChange(cache, accountId, { table: 'positions', row: opened });
          // Opening a position reads the open positions again (RULE-16).
          await positions.read();
          return opened;
        }),
      closePosition: (positionId) =>
        runAction(texts.closePositionFailed, async () => {
          const closed = await closePosition(supabase, {
            ...{ positionId, size: null, closePrice: null, realizedPnl: null },
            clientId: newClientId(),
          });
          // The closed row leaves the list of open positions (RULE-18).
          applyAccountChange(cache, accountId, { table: 'positions', row: closed });
          return closed;
        }),
    };
  });

  /** Mirrors the cached rows of a key and follows their changes; reads them on request. */
  function mirror<Row>(options: QueryObserverOptions<readonly Row[]>, show: (rows: readonly Row[]) => void) {
    const observer = new QueryObserver<readonly Row[]>(cache, { ...options, enabled: false });
    const showKnown = ({ data: rows }: { readonly data: readonly Row[] | undefined }) => {
      if (rows) show(rows);
    };
    showKnown(observer.getCurrentResult());
    const stop = observer.subscribe(showKnown);
    const read = async (): Promise<readonly Row[]> => {
      observer.setOptions({ ...options, enabled: true, staleTime: Number.POSITIVE_INFINITY });
      const { data: rows } = await observer.refetch({ throwOnError: true });
      return rows ?? [];
    };
    return { read, stop };
  }
  const reader: AccountReader = { accountId, supabase };
  const positions = mirror<Position>(openPositionsQuery(reader), (rows) =>
    store.setState({ positions: rows }),
  );
  const orders = mirror<Order>(openOrdersQuery(reader), (rows) =>
    store.setState({ orders: rows.map(storeOrder) }),
  );
  const stopBook = cache.getQueryCache().subscribe(({ query }) => {
    const symbol = store.getState().selectedPair;
    if (symbol === null || query.queryHash !== hashKey(queryKeys.orderBook(accountId, symbol))) return;
    const book = query.state.data as ShownBook | undefined;
    if (book)
      store.setState({
        orderBook: { bids: toStoreLevels(book.bids), asks: toStoreLevels(book.asks) },
        trades: book.trades,
      });
  });
  const stop = () => {
    isStopped = true;
    stopBook();
    positions.stop();
    orders.stop();
    store.setState({ positions: [], orders: [], ...noBook });
  };
  return { store, stop };
}
