/** Every procedure of `/rest/v1/rpc`, declared once: arguments and result as schemas, and the roles that may call it. */

import * as accounts from './accounts.ts';
import * as alerts from './alerts.ts';
import * as analytics from './analytics.ts';
import * as apiKeys from './api-keys.ts';
import * as assistant from './assistant.ts';
import * as challenges from './challenges.ts';
import * as classes from './classes.ts';
import * as coach from './coach.ts';
import * as contact from './contact.ts';
import * as dashboard from './dashboard.ts';
import * as enrolment from './enrolment.ts';
import * as identity from './identity.ts';
import * as kyc from './kyc.ts';
import * as market from './market.ts';
import * as operations from './operations.ts';
import type { Procedure } from './procedure.ts';
import * as programs from './programs.ts';
import * as push from './push.ts';
import * as signals from './signals.ts';
import * as staffActions from './staff/actions.ts';
import * as staffViews from './staff/index.ts';
import * as support from './support.ts';
import * as trading from './trading.ts';

export * from './accounts.ts';
export * from './alerts.ts';
export * from './analytics.ts';
export * from './api-keys.ts';
export * from './assistant.ts';
export * from './challenges.ts';
export * from './classes.ts';
export * from './coach.ts';
export * from './contact.ts';
export * from './dashboard.ts';
export * from './enrolment.ts';
export * from './identity.ts';
export * from './kyc.ts';
export * from './market.ts';
export * from './operations.ts';
export type { Procedure } from './procedure.ts';
export * from './programs.ts';
export * from './push.ts';
export * from './signals.ts';
export * from './staff/actions.ts';
export * from './staff/index.ts';
export * from './support.ts';
export * from './trading.ts';

export const procedures = [
  trading.openPosition,
  trading.closePosition,
  trading.closeAtReopen,
  trading.setTakeProfitStopLoss,
  trading.amendOrder,
  trading.reversePosition,
  trading.setLeverage,
  trading.adjustMargin,
  trading.getBook,
  trading.resetAccount,
  accounts.createAccount,
  accounts.renameAccount,
  accounts.archiveAccount,
  accounts.accountToken,
  accounts.listAccounts,
  accounts.getOwnLimits,
  accounts.setOwnLimits,
  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.revokeApiKey,
  alerts.createAlert,
  alerts.changeAlert,
  alerts.deleteAlert,
  staffActions.adjustWalletBalance,
  staffActions.restrictUser,
  staffActions.deleteUserWithData,
  staffActions.acceptPrice,
  operations.rejectPrice,
  staffActions.getMarketControls,
  staffActions.setReplay,
  staffActions.shockPrice,
  operations.getPlatform,
  operations.haltTrading,
  operations.resumeTrading,
  staffViews.listUsers,
  staffViews.quickSearch,
  staffViews.findUserIds,
  staffViews.assignUsersToManager,
  staffViews.restrictUsers,
  staffViews.adjustFundsOfUsers,
  staffViews.resetUsers,
  staffViews.inviteUsersAgain,
  staffViews.previewBulkAction,
  staffViews.listPositions,
  staffViews.exportPositions,
  staffViews.listOrders,
  staffViews.listTransactions,
  staffViews.listLedgerEntries,
  staffViews.exportList,
  staffViews.previewFunds,
  staffViews.previewPositionEdit,
  staffViews.getPositionHistory,
  staffViews.listWallets,
  staffViews.reconcileWallets,
  staffViews.getAdminOverview,
  staffViews.getHouseMetrics,
  market.getCandles,
  market.getSparklines,
  market.fetchPrice,
  market.updatePositionMarkPrices,
  dashboard.getMarketSentiment,
  dashboard.getFearAndGreed,
  dashboard.getEconomicCalendar,
  dashboard.getNewsFeed,
  dashboard.getSocialSentiment,
  analytics.getPerformance,
  analytics.getEquityOverview,
  coach.reviewTrade,
  coach.reviewPeriod,
  coach.getPlaybookResults,
  assistant.getAssistant,
  assistant.askAssistant,
  assistant.suggestAnswer,
  kyc.listKycChecks,
  kyc.openKycCase,
  kyc.claimKyc,
  kyc.releaseKyc,
  kyc.reviewKyc,
  support.openChatSession,
  support.getChatUpdates,
  support.getChatPictures,
  support.markChatRead,
  support.rateChatSession,
  support.getSupportPresence,
  support.getAttendedTrader,
  support.getSupportTeam,
  support.assignChatSession,
  support.getChatTags,
  support.tagChatSession,
  support.snoozeChatSession,
  support.deleteChatTag,
  support.searchChats,
  support.getTeamReplies,
  support.saveTeamReply,
  support.deleteTeamReply,
  support.getSupportMetrics,
  contact.replyContactForm,
  identity.safeUpdateUserProfile,
  identity.adminUpdateUserPassword,
  identity.adminCreateUser,
  classes.saveClass,
  classes.listClasses,
  classes.addClassMembers,
  classes.removeClassMembers,
  classes.listClassMembers,
  classes.messageClass,
  classes.listClassmates,
  programs.saveContest,
  programs.listContests,
  programs.enterContest,
  programs.withdrawContest,
  programs.getContestRanking,
  programs.getContestResult,
  programs.getContestCertificate,
  programs.getContestMarket,
  challenges.saveChallenge,
  challenges.listChallenges,
  challenges.startChallenge,
  challenges.getChallengeAttempts,
  challenges.getChallengeCertificate,
  enrolment.createInvitation,
  enrolment.revokeInvitation,
  enrolment.listInvitations,
  enrolment.getInvitation,
  enrolment.previewUserImport,
  enrolment.importUsers,
  identity.assignUserToManager,
  identity.getMyManager,
  identity.listSessions,
  identity.revokeSession,
  push.savePushSubscription,
  push.listPushDevices,
  push.removePushDevice,
  signals.createSignalHook,
  signals.revokeSignalHook,
  signals.listSignalHooks,
  signals.listSignals,
  signals.previewSignal,
  identity.impersonateUser,
  identity.getActing,
  identity.endImpersonation,
] as const;
export type ProcedureName = (typeof procedures)[number]['name'];
export const procedureByName: ReadonlyMap<string, Procedure> = new Map(
  procedures.map((declared) => [declared.name, declared as Procedure]),
);
