/** Every procedure of `/rest/v1/rpc`, declared once: arguments and result as schemas, and the roles that may call it. */
import * as accounts from './accounts.ts';
import * as analytics from './analytics.ts';
import * as backOffice from './back-office/index.ts';
import * as contact from './contact.ts';
import * as dashboard from './dashboard.ts';
import * as kyc from './kyc.ts';
import * as market from './market.ts';
import * as platform from './platform.ts';
import type { Procedure } from './procedure.ts';
import * as staff from './staff.ts';
import * as support from './support.ts';
import * as trading from './trading.ts';

export * from './accounts.ts';
export * from './analytics.ts';
export * from './back-office/index.ts';
export * from './contact.ts';
export * from './dashboard.ts';
export * from './kyc.ts';
export * from './market.ts';
export * from './platform.ts';
export type { Procedure } from './procedure.ts';
export * from './staff.ts';
export * from './support.ts';
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
  platform.rejectPrice,
  staff.getMarketControls,
  staff.setReplay,
  staff.shockPrice,
  platform.getPlatform,
  platform.haltTrading,
  platform.resumeTrading,
  backOffice.listUsers,
  backOffice.quickSearch,
  backOffice.findUserIds,
  backOffice.assignUsersToManager,
  backOffice.restrictUsers,
  backOffice.listPositions,
  backOffice.exportPositions,
  backOffice.previewFunds,
  backOffice.previewPositionEdit,
  backOffice.getPositionHistory,
  backOffice.listWallets,
  backOffice.reconcileWallets,
  backOffice.getAdminOverview,
  backOffice.getHouseMetrics,
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
  kyc.openKycCase,
  kyc.reviewKyc,
  support.openChatSession,
  support.getChatUpdates,
  support.markChatRead,
  support.rateChatSession,
  support.getSupportPresence,
  support.getAttendedTrader,
  support.getSupportMetrics,
  contact.replyContactForm,
  accounts.safeUpdateUserProfile,
  accounts.adminUpdateUserPassword,
  accounts.adminCreateUser,
  accounts.assignUserToManager,
  accounts.getMyManager,
  accounts.listSessions,
  accounts.revokeSession,
  accounts.impersonateUser,
  accounts.getActing,
  accounts.endImpersonation,
] as const;
export type ProcedureName = (typeof procedures)[number]['name'];
export const procedureByName: ReadonlyMap<string, Procedure> = new Map(
  procedures.map((declared) => [declared.name, declared as Procedure]),
);
