/** Every procedure of `/rest/v1/rpc`, declared once: arguments and result as schemas, and the roles that may call it. */
import * as accounts from './accounts.ts';
import * as analytics from './analytics.ts';
import * as dashboard from './dashboard.ts';
import * as market from './market.ts';
import type { Procedure } from './procedure.ts';
import * as staff from './staff.ts';
import * as trading from './trading.ts';

export * from './accounts.ts';
export * from './analytics.ts';
export * from './dashboard.ts';
export * from './market.ts';
export type { Procedure } from './procedure.ts';
export * from './staff.ts';
export * from './trading.ts';

export const procedures = [
  trading.openPosition,
  trading.closePosition,
  trading.closeAtReopen,
  trading.setTakeProfitStopLoss,
  trading.amendOrder,
  trading.resetAccount,
  staff.adjustWalletBalance,
  staff.restrictUser,
  staff.deleteUserWithData,
  staff.acceptPrice,
  staff.getMarketControls,
  staff.setReplay,
  staff.shockPrice,
  market.getCandles,
  market.fetchPrice,
  market.updatePositionMarkPrices,
  dashboard.getMarketSentiment,
  dashboard.getFearAndGreed,
  dashboard.getEconomicCalendar,
  dashboard.getNewsFeed,
  dashboard.getSocialSentiment,
  analytics.getPerformance,
  analytics.getEquityOverview,
  accounts.safeUpdateUserProfile,
  accounts.adminUpdateUserPassword,
  accounts.adminCreateUser,
  accounts.assignUserToManager,
  accounts.getMyManager,
  accounts.listSessions,
  accounts.revokeSession,
  accounts.impersonateUser,
  accounts.endImpersonation,
] as const;
export type ProcedureName = (typeof procedures)[number]['name'];
export const procedureByName: ReadonlyMap<string, Procedure> = new Map(
  procedures.map((declared) => [declared.name, declared as Procedure]),
);
