/**
 * Programs (A112, A116): contests, with equal money and rules, a window that the engine enforces, and a frozen result; challenges, whose steps
 * the engine judges.
 */
import { guardFromImpersonation } from '../identity/index.ts';
import { createChallengeAttempts } from './attempts.ts';
import { createChallengeCommands } from './challenges.ts';
import { createContestMarket } from './contest-market.ts';
import { createContestCommands } from './contests.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { createContestJobs } from './ending.ts';
import { createContestRanking } from './ranking.ts';
import { createSteps } from './steps.ts';
import { createContestWithdrawal } from './withdrawing.ts';

export { CertificateFault, passedStepsOf, readCertificate, requireResult } from './certificate.ts';
export { checkMarketFile, MarketFileFault, type MarketReport, type UnprovenReason } from './market-file.ts';

export function createPrograms(deps: ProgramsDependencies) {
  const jobs = [createContestJobs(deps), createSteps(deps)];
  return {
    start: async (): Promise<void> => {
      for (const job of jobs) await job.start();
    },
    stop: async (): Promise<void> => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
    procedures: guardFromImpersonation({
      ...createContestCommands(deps),
      ...createContestRanking(deps),
      ...createChallengeCommands(deps),
      ...createChallengeAttempts(deps),
      ...createContestMarket(deps),
      ...createContestWithdrawal(deps),
    }),
  };
}
