/** The order types: their labels, and those that the form offers. */
import { type BasicOrderType, basicOrderTypes, type OrderType } from '@fulcrum/domain';

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

/** A stop of an account with net positions is a conditional order, which the form does not place. */
const netOrderTypes = basicOrderTypes.filter((type) => type !== 'STOP');

/** The types that the form offers, in display order. */
export const offeredOrderTypes = (isNet: boolean): readonly BasicOrderType[] =>
  isNet ? netOrderTypes : basicOrderTypes;
