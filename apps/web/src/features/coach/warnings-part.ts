/** A module of its own: the trading page loads this part, and no other one of the coach. */
import { lazyPart } from '../../shared/code/lazy-part.tsx';

/** Beside an order; without it an order is as it was. */
export const OrderWarnings = lazyPart(
  async () => (await import('./dialogs.ts')).loadOrderWarnings(),
  () => null,
);
