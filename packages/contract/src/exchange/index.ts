/** Every route of `/fapi`, declared once. */
import { accountRoutes } from './account.ts';
import * as general from './general.ts';
import { marketDataRoutes } from './market-data.ts';
import { orderRoutes } from './orders.ts';
import { streamRoutes } from './streams.ts';

export { accountRoutes, type IncomeType } from './account.ts';
export { depthLimits, type exchangeInfo, type marketDataRoutes } from './market-data.ts';
export type { WireAlgoOrder, WireOrder, WireTrade } from './order-shapes.ts';
export {
  type AlgoOrderTerms,
  type AmendmentTerms,
  amendmentTerms,
  batchMax,
  cancelBatchMax,
  type OrderTerms,
  orderRoutes,
  orderTerms,
} from './orders.ts';
export { type ExchangeAccess, type ExchangeRoute, weightOf } from './route.ts';
export { streamRoutes } from './streams.ts';

export const exchangeRoutes = [
  general.ping,
  general.serverTime,
  ...marketDataRoutes,
  ...accountRoutes,
  ...orderRoutes,
  ...streamRoutes,
] as const;
export type ExchangeRouteName = (typeof exchangeRoutes)[number]['name'];
