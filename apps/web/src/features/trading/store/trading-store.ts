/**
 * The trading store of the specification (§3, §4), for those who script against the page: the same session and the same
 * query cache as the screen, so that neither shows what the other does not. Every action sets `isLoading` and clears
 * `error` at its start and ends with `isLoading` false or with a message; it resolves with what came of it, null for a
 * refusal. Invariant: `orders` and `positions` are what the cache holds, also when the screen or the server changed it.
 *
 * Known limitations: `orderBook` and `trades` stay empty, because no feed provides them (A94). Reads come first: `orders`
 * and `positions` are empty until somebody, the screen or an action, has read them.
 */
import { texts } from '@fulcrum/contract/texts';
import { type QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AccountReader, openOrdersQuery, openPositionsQuery } from '../../../shared/account/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log as appLog } from '../../../shared/log/log.ts';
import { takeOver } from '../../../shared/realtime/index.ts';
import {
  fromWire,
  messageOf,
  type Order,
  type Position,
  RequestError,
} from '../../../shared/supabase/index.ts';
import {
  type Candle,
  type CandleClaim,
  type OrderClaim,
  type PositionClaim,
  tradingRequests,
} from './trading-requests.ts';

const log = appLog.of('trading store');

/** The client's shape of an order: what the server stores as `size` is its `quantity`. */
export interface StoreOrder extends Omit<Order, 'size'> {
  readonly quantity: number;
}

export interface TradingState {
  /** A symbol of the catalogue; null before one was chosen. */
  readonly selectedPair: string | null;
  readonly orderBook: { readonly bids: readonly never[]; readonly asks: readonly never[] };
  readonly trades: readonly never[];
  /** Oldest first, as the last `fetchCandles` read them. */
  readonly candles: readonly Candle[];
  /** Orders that wait, newest first. */
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
  readonly fetchCandles: (claim?: CandleClaim) => Promise<readonly Candle[] | null>;
  readonly placeOrder: (claim: OrderClaim) => Promise<StoreOrder | null>;
  readonly cancelOrder: (orderId: string) => Promise<StoreOrder | null>;
  readonly openPosition: (claim: PositionClaim) => Promise<Position | null>;
  readonly closePosition: (positionId: string) => Promise<Position | null>;
}

export type TradingStore = StoreApi<TradingState & TradingActions>;

export interface Circumstances extends AccountReader {
  readonly cache: QueryClient;
  readonly selectedPair: string | null;
  /** Shows another pair on the screen. */
  readonly select: (symbol: string) => void;
}

const fetchCandlesFailed = 'Failed to fetch candles';

const storeOrder = ({ size, ...order }: Order): StoreOrder => ({ ...order, quantity: size });

/** ERR-72: the error's own words, or the store's where it has none of ours. */
const wordsOf = (cause: unknown, fallback: string): string =>
  cause instanceof RequestError
    ? messageOf(cause, fallback)
    : (cause instanceof Error && cause.message) || fallback;

/** `stop` ends the mirroring: whoever kept the store then finds nothing of this trader in it and can do nothing with it. */
export function createTradingStore(circumstances: Circumstances) {
  const { cache, user, supabase, selectedPair, select } = circumstances;
  const requests = tradingRequests(supabase);
  let underWay = 0;
  let isOver = false;

  const store: TradingStore = createStore((set) => {
    /** One action from its start to its end; several may overlap. */
    const act = async <Result>(fallback: string, work: () => Promise<Result>): Promise<Result | null> => {
      underWay += 1;
      set({ isLoading: true, error: null });
      try {
        // The client is the tab's: by now it may speak for somebody else.
        if (isOver) throw new Error('The session of this store has ended');
        return await work();
      } catch (cause) {
        log.warn(fallback, cause);
        set({ error: wordsOf(cause, fallback) });
        return null;
      } finally {
        underWay -= 1;
        set({ isLoading: underWay > 0 });
      }
    };
    const selected = (symbol: string | undefined): string => {
      const chosen = symbol ?? store.getState().selectedPair;
      if (chosen === null) throw new Error('No pair is selected');
      return chosen;
    };
    return {
      selectedPair,
      orderBook: { bids: [], asks: [] },
      trades: [],
      candles: [],
      orders: [],
      positions: [],
      isLoading: false,
      error: null,

      setSelectedPair: (symbol) => {
        set({ selectedPair: symbol });
        select(symbol);
      },
      fetchPositions: () => act(texts.fetchPositionsFailed, positions.read),
      fetchOrders: () => act(texts.fetchOrdersFailed, async () => (await orders.read()).map(storeOrder)),
      fetchCandles: (claim = {}) =>
        act(fetchCandlesFailed, async () => {
          const candles = await requests.candles({ ...claim, symbol: selected(claim.symbol) });
          set({ candles });
          return candles;
        }),
      placeOrder: (claim) =>
        act(texts.placeOrderFailed, async () => {
          const placed = fromWire(await requests.insertOrder({ ...claim, clientId: newClientId() }));
          takeOver(cache, user.id, { table: 'orders', row: placed });
          // RULE-15.
          await orders.read();
          return storeOrder(placed);
        }),
      cancelOrder: (orderId) =>
        act(texts.cancelOrderFailed, async () => {
          const row = await requests.cancelOrder(orderId);
          if (row === null) throw new Error(texts.orderNotFound);
          const canceled = fromWire(row);
          takeOver(cache, user.id, { table: 'orders', row: canceled });
          return storeOrder(canceled);
        }),
      openPosition: (claim) =>
        act(texts.placeOrderFailed, async () => {
          const opened = fromWire(await requests.openPosition({ ...claim, clientId: newClientId() }));
          takeOver(cache, user.id, { table: 'positions', row: opened });
          // RULE-16.
          await positions.read();
          return opened;
        }),
      closePosition: (positionId) =>
        act(texts.closePositionFailed, async () => {
          const closed = fromWire(await requests.closePosition(positionId, newClientId()));
          // RULE-18.
          takeOver(cache, user.id, { table: 'positions', row: closed });
          return closed;
        }),
    };
  });

  /** Shows what the cache holds under a key, and reads it on request; from then on it is kept current. */
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
  const reader: AccountReader = { user, supabase };
  const positions = mirror<Position>(openPositionsQuery(reader), (rows) =>
    store.setState({ positions: rows }),
  );
  const orders = mirror<Order>(openOrdersQuery(reader), (rows) =>
    store.setState({ orders: rows.map(storeOrder) }),
  );
  const stop = () => {
    isOver = true;
    positions.stop();
    orders.stop();
    store.setState({ positions: [], orders: [] });
  };
  return { store, stop };
}
