/** Programs (A112, A116): contests, with equal money and rules, a window that the engine enforces, and a frozen result. */
import { guardFromImpersonation } from '../identity/index.ts';
import { createContestMarket } from './contest-market.ts';
import { createContestCommands } from './contests.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { createContestEnds } from './ending.ts';
import { createContestRanking } from './ranking.ts';
import { createContestWithdrawal } from './withdrawing.ts';

export { CertificateFault, readCertificate, requireResult } from './certificate.ts';
export { checkMarketFile, MarketFileFault, type MarketReport } from './market-file.ts';

export function createPrograms(deps: ProgramsDependencies) {
  return {
    ...createContestEnds(deps),
    procedures: guardFromImpersonation({
      ...createContestCommands(deps),
      ...createContestRanking(deps),
      ...createContestMarket(deps),
      ...createContestWithdrawal(deps),
    }),
  };
}
