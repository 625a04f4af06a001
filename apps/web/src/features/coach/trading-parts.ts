/** A module of its own: the trading page loads these parts, and no other one of the coach. */
import { lazyPart } from '../../shared/code/lazy-part.tsx';

/** Beside an order; without it an order is as it was. */
export const OrderWarnings = lazyPart(
  async () => (await import('./dialogs.ts')).loadOrderWarnings(),
  () => null,
);

/** While a leverage is chosen. */
export const LiquidationChance = lazyPart(
  async () => (await import('./dialogs.ts')).loadLiquidationChance(),
  () => null,
);

/** For a new account. */
export const FirstStepsCard = lazyPart(
  async () => (await import('./dialogs.ts')).loadFirstStepsCard(),
  () => null,
);
