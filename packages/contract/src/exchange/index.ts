/** Every route of `/fapi`, declared once. */
import { accountRoutes } from './account.ts';
import * as general from './general.ts';
import { marketDataRoutes } from './market-data.ts';
import { orderRoutes } from './orders.ts';
import { streamRoutes } from './streams.ts';

export { depthLimits, type exchangeInfo, type marketDataRoutes } from './market-data.ts';
export {
  type ExchangeAccess,
  type ExchangeMethod,
  type ExchangeRoute,
  type ExchangeWeight,
  weightOf,
} from './route.ts';

export const exchangeRoutes = [
  general.ping,
  general.serverTime,
  ...marketDataRoutes,
  ...accountRoutes,
  ...orderRoutes,
  ...streamRoutes,
] as const;
export type ExchangeRouteName = (typeof exchangeRoutes)[number]['name'];
