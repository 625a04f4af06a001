/** Cancels orders, algo orders, and take profits and stop losses of positions, through the app's own handlers. */
import { AppError } from '@fulcrum/contract';
import { cancelBatchMax, type WireOrder } from '@fulcrum/contract/exchange';
import { isWaiting, type ProtectCommand } from '@fulcrum/domain';
import { toCommandOrigin } from '../../../features/trading/index.ts';
import { exchangeErrors } from '../errors.ts';
import type { DoorKey } from '../keys.ts';
import { requireText, textOf } from '../request.ts';
import type { OrderDependencies } from './dependencies.ts';
import { requireAlgo, requireNamed } from './find.ts';
import type { Named } from './order-reads.ts';
import {
  isListedAsOrder,
  type LegName,
  legIdOf,
  legOf,
  orderOfLeg,
  type StoredLegs,
  type StoredOrder,
  toWireAlgoOrder,
  toWireOrder,
} from './order-wire.ts';
import { type Outcome, outcomeOf, parseList } from './placing.ts';

interface CancelLists {
  readonly orderIdList?: string | undefined;
  readonly orderidlist?: string | undefined;
  readonly origClientOrderIdList?: string | undefined;
  readonly origclientorderidlist?: string | undefined;
}

export function createCanceling({ symbols, reads, trading, withReadSlot }: OrderDependencies) {
  async function cancelIds(key: DoorKey, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await trading.writes['orders.update'](key.caller, ids, { status: 'CANCELED' });
  }

  /** @throws ExchangeError -2011 for one that waits no more */
  async function cancelOrder(key: DoorKey, row: StoredOrder): Promise<StoredOrder> {
    if (!isWaiting(row.status)) throw exchangeErrors.notCancelable();
    await cancelIds(key, [row.id]);
    return (await reads.byId(key.accountId, row.id)) ?? row;
  }

  /** Removes these legs. The command does not name the other one, so it stays as it is then, not as it was read. */
  async function removeLegs(key: DoorKey, position: StoredLegs, legs: readonly LegName[]): Promise<void> {
    if (position.status !== 'open') throw exchangeErrors.notCancelable();
    const command: ProtectCommand = {
      ...{ kind: 'protect', positionId: position.id },
      ...(legs.includes('takeProfit') && { takeProfitPrice: null }),
      ...(legs.includes('stopLoss') && { stopLossPrice: null }),
    };
    await trading.engine.submit(toCommandOrigin(key.caller), command, null).catch((error: unknown) => {
      const isGone =
        error instanceof AppError &&
        (error.code === 'position_closed' || error.code === 'position_not_found');
      throw isGone ? exchangeErrors.notCancelable() : error;
    });
  }

  async function cancelNamed(key: DoorKey, named: Named, symbol: string): Promise<WireOrder> {
    if (named.kind === 'trade') throw exchangeErrors.notCancelable();
    if (named.kind === 'order') return toWireOrder(await cancelOrder(key, named.row), symbol, named.as);
    const order = orderOfLeg(named.position, named.leg, symbol);
    if (order === null) throw exchangeErrors.notCancelable();
    await removeLegs(key, named.position, [named.leg]);
    return { ...order, status: 'CANCELED' };
  }

  async function cancel(
    key: DoorKey,
    {
      symbol,
      ...name
    }: {
      readonly symbol: string;
      readonly orderId?: number | undefined;
      readonly origClientOrderId?: string | undefined;
    },
  ): Promise<WireOrder> {
    const pair = symbols.pairOf(symbol);
    const named = await withReadSlot(key.userId, () =>
      requireNamed(reads, key.accountId, pair.symbol, name, exchangeErrors.notCancelable),
    );
    return cancelNamed(key, named, symbol);
  }

  return {
    cancel,
    removeLegs,

    /** @throws ExchangeError for lists that cannot be read */
    async cancelList(key: DoorKey, symbol: string, lists: CancelLists): Promise<Outcome[]> {
      const numbers = lists.orderIdList ?? lists.orderidlist;
      const names = lists.origClientOrderIdList ?? lists.origclientorderidlist;
      const list = numbers ?? names;
      if (list === undefined) throw exchangeErrors.noOrderNamed('orderIdList', 'origClientOrderIdList');
      const isNumbers = numbers !== undefined;
      const items = parseList(isNumbers ? 'orderIdList' : 'origClientOrderIdList', list, cancelBatchMax);
      return Promise.all(
        items.map((item) =>
          outcomeOf(async () => {
            const name = textOf('orderIdList', item);
            const orderId = Number(name);
            if (isNumbers && !Number.isSafeInteger(orderId)) throw exchangeErrors.notCancelable();
            return cancel(key, {
              symbol,
              ...(isNumbers
                ? { orderId }
                : { origClientOrderId: requireText('origClientOrderIdList', name) }),
            });
          }),
        ),
      );
    },

    /** Those that are listed as orders. */
    async cancelAll(key: DoorKey, symbol: string): Promise<void> {
      const rows = await reads.waiting(key.accountId, symbol);
      await cancelIds(
        key,
        rows.filter(isListedAsOrder).map(({ id }) => id),
      );
    },

    async cancelAllAlgo(key: DoorKey, symbol: string): Promise<void> {
      const rows = await reads.waiting(key.accountId, symbol);
      await cancelIds(
        key,
        rows.filter((row) => !isListedAsOrder(row)).map(({ id }) => id),
      );
      for (const position of await reads.openLegs(key.accountId, symbol))
        await removeLegs(key, position, ['takeProfit', 'stopLoss']);
    },

    async cancelAlgo(
      key: DoorKey,
      name: { readonly algoId?: number | undefined; readonly clientAlgoId?: string | undefined },
    ): Promise<{ readonly algoId: number; readonly clientAlgoId: string }> {
      const named = await withReadSlot(key.userId, () =>
        requireAlgo(reads, key.accountId, name, exchangeErrors.notCancelable),
      );
      if (named.kind === 'trade') throw exchangeErrors.notCancelable();
      if (named.kind === 'leg') {
        const { position, leg } = named;
        const algo = legOf(position, leg, symbols.idOf(position.symbol));
        if (algo === null) throw exchangeErrors.notCancelable();
        await removeLegs(key, position, [leg]);
        return { algoId: legIdOf(position.number, leg), clientAlgoId: algo.clientAlgoId };
      }
      const { row } = named;
      // Once it is triggered the order that it became is to be cancelled.
      if (isListedAsOrder(row)) throw exchangeErrors.notCancelable();
      const { algoId, clientAlgoId } = toWireAlgoOrder(await cancelOrder(key, row), '');
      return { algoId, clientAlgoId };
    },
  };
}
