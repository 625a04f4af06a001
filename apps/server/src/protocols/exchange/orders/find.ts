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

/** What is answered for what the account does not have. */
type Missing = () => Error;

/** @throws ExchangeError -1102 for neither, `missing` for what the account does not have */
async function find(
  reads: OrderReads,
  accountId: string,
  number: number | undefined,
  name: string | undefined,
  refusal: () => Error,
  missing: Missing,
): Promise<Named> {
  if (number === undefined && name === undefined) throw refusal();
  const named =
    number === undefined
      ? await reads.byName(accountId, name ?? '')
      : await reads.byNumber(accountId, number);
  if (!named) throw missing();
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
  missing: Missing = exchangeErrors.unknownOrder,
): Promise<Named> {
  const refusal = () => exchangeErrors.noOrderNamed('orderId', 'origClientOrderId');
  const named = await find(reads, accountId, orderId, origClientOrderId, refusal, missing);
  if (symbolOf(named) !== symbol) throw missing();
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
  missing: Missing = exchangeErrors.unknownOrder,
): Promise<Named> => {
  const refusal = () => exchangeErrors.noOrderNamed('algoId', 'clientAlgoId');
  return find(reads, accountId, algoId, clientAlgoId, refusal, missing);
};
