/** What the exchange answers instead of what was asked for. */
import { texts } from '@fulcrum/contract';
import { PriceError } from '../../price-error.ts';

/** It answered, with something else than 200. */
export class RefusedByExchange extends PriceError {
  readonly status: number;
  /** The exchange's own error number, such as -1121 for a symbol that it does not list; null without one. */
  readonly code: number | null;

  constructor(status: number, code: number | null, said: string) {
    super(texts.httpError(status), { cause: new Error(said) });
    this.status = status;
    this.code = code;
  }
}

/** Firewall, ban, too many requests, a location that is not served: asking on makes it worse. */
const refusing: ReadonlySet<number> = new Set([403, 418, 429, 451]);

/** Whether the exchange refuses us, whatever we ask. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RefusedByExchange && refusing.has(error.status);
