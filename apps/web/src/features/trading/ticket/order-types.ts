/** The order types: their labels. */
import type { OrderType } from '@fulcrum/domain';

/** The labels of the order types: the three of the form in display order, then those of accounts with net positions. */
export const orderTypeNames = {
  MARKET: 'Market',
  LIMIT: 'Limit',
  STOP: 'Stop',
  STOP_MARKET: 'Stop market',
  TAKE_PROFIT: 'Take profit limit',
  TAKE_PROFIT_MARKET: 'Take profit market',
  TRAILING_STOP_MARKET: 'Trailing stop',
} as const satisfies Record<OrderType, string>;
