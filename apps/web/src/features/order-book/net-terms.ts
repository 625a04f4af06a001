/** What only an order of an account with net positions states (A113). */
import type { TimeInForce } from '@fulcrum/domain';

export interface NetTerms {
  /** Of a limit order. */
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
}
