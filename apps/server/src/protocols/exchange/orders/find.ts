/** Finds what a request names by number or client id. */
import { exchangeErrors } from '../errors.ts';
import type { Named, OrderReads } from './order-reads.ts';
import type { StoredOrder } from './order-wire.ts';

interface OrderName {
  readonly orderId?: number | undefined;
  readonly origClientOrderId?: string | undefined;
}
interface AlgoName {
  readonly algoId?: number | undefined;
  readonly clientAlgoId?: string | undefined;
}

/** @throws ExchangeError -1102 for neither, -2013 for what the account does not have */
async function find(
  reads: OrderReads,
  accountId: string,
  number: number | undefined,
  name: string | undefined,
  refusal: () => Error,
): Promise<Named> {
  if (number === undefined && name === undefined) throw refusal();
  const named =
    number === undefined
      ? await reads.byName(accountId, name ?? '')
      : await reads.byNumber(accountId, number);
  if (!named) throw exchangeErrors.unknownOrder();
  return named;
}

export const symbolOf = (named: Named): string =>
  named.kind === 'leg' ? named.position.symbol : named.row.symbol;

/** Of any kind; `symbol`: of the app. */
export async function requireNamed(
  reads: OrderReads,
  accountId: string,
  symbol: string,
  { orderId, origClientOrderId }: OrderName,
): Promise<Named> {
  const named = await find(reads, accountId, orderId, origClientOrderId, () =>
    exchangeErrors.noOrderNamed('orderId', 'origClientOrderId'),
  );
  if (symbolOf(named) !== symbol) throw exchangeErrors.unknownOrder();
  return named;
}

export async function requireOrder(
  reads: OrderReads,
  accountId: string,
  symbol: string,
  name: OrderName,
): Promise<StoredOrder> {
  const named = await requireNamed(reads, accountId, symbol, name);
  if (named.kind !== 'order') throw exchangeErrors.unknownOrder();
  return named.row;
}

export const requireAlgo = (
  reads: OrderReads,
  accountId: string,
  { algoId, clientAlgoId }: AlgoName,
): Promise<Named> =>
  find(reads, accountId, algoId, clientAlgoId, () => exchangeErrors.noOrderNamed('algoId', 'clientAlgoId'));
