/** Refusals of the exchange, by HTTP status. */
import { texts } from '@fulcrum/contract';
import { PriceError } from '../../price-error.ts';

/** It answered, with something else than 200. */
export class ExchangeRefusalError extends PriceError {
  readonly status: number;
  /** The exchange's own error number, such as -1121 for a symbol that it does not list; null without one. */
  readonly code: number | null;

  constructor(status: number, code: number | null, answerText: string) {
    super(texts.httpError(status), { cause: new Error(answerText) });
    this.status = status;
    this.code = code;
  }
}

/** Firewall, ban, too many requests, a location that is not served: further requests make it worse. */
const refusalStatuses: ReadonlySet<number> = new Set([403, 418, 429, 451]);

/** Whether the exchange refuses every request of ours. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ExchangeRefusalError && refusalStatuses.has(error.status);
