/** Every procedure of `/rest/v1/rpc`, declared once: arguments and result as schemas, and the roles that may call it. */

import type { z } from 'zod';
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

const declarationsBySubject = {
  Trading: trading,
  Accounts: accounts,
  'API keys': apiKeys,
  Alerts: alerts,
  Market: market,
  Dashboard: dashboard,
  Analytics: analytics,
  Coach: coach,
  Assistant: assistant,
  Contests: programs,
  Challenges: challenges,
  Classes: classes,
  Signals: signals,
  Identity: identity,
  'Identity checks': kyc,
  Support: support,
  Contact: contact,
  Push: push,
  Enrolment: enrolment,
  Staff: { ...staffActions, ...staffViews, ...operations },
} as const;

type Declarations = (typeof declarationsBySubject)[keyof typeof declarationsBySubject];
type DeclaredIn<D> = D extends D ? Extract<D[keyof D], Procedure> : never;

/** A file of declarations also exports schemas and bounds. */
const isProcedure = (exported: unknown): exported is DeclaredIn<Declarations> =>
  typeof exported === 'object' && exported !== null && 'roles' in exported && 'kind' in exported;

/** By the subject that the API reference lists them under. */
export const proceduresBySubject = Object.entries(declarationsBySubject).map(
  ([subject, declared]) => [subject, Object.values<unknown>(declared).filter(isProcedure)] as const,
);
export const procedures = proceduresBySubject.flatMap(([, declared]) => declared);
export type ProcedureName = (typeof procedures)[number]['name'];
export type ProcedureOf<N extends ProcedureName> = Extract<(typeof procedures)[number], { name: N }>;
/** What the handler of a procedure is called with. */
export type ArgsOf<N extends ProcedureName> = z.output<ProcedureOf<N>['args']>;
/** What the handler of a procedure answers. */
export type ResultOf<N extends ProcedureName> = z.input<ProcedureOf<N>['result']>;
export const procedureByName: ReadonlyMap<string, Procedure> = new Map(
  procedures.map((declared) => [declared.name, declared as Procedure]),
);
