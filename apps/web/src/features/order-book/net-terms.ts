/** What only an order of an account with net positions states (A113). */
import type { TimeInForce } from '@fulcrum/domain';

/** As the form names them. */
export const waitNames = {
  GTC: 'GTC',
  IOC: 'IOC',
  FOK: 'FOK',
  GTX: 'Post only',
  GTD: 'Until a time',
} as const satisfies Record<TimeInForce, string>;

export interface NetTerms {
  /** Of a limit order. */
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
}
