/** Challenges (A112): steps with a target and loss limits, judged at each tick. What fits which table: decisions 27 and 30. */
import {
  challengeAttemptsMax,
  challengeDaysMax,
  challengeEntrantsMax,
  challengeLossModes,
  challengeOutcomes,
  challengePhases,
  challengeRulesBroken,
  challengeStepsMax,
  dailyLossBases,
  dailyLossChecks,
  dailyLossStarts,
  markStates,
} from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id } from '../columns.ts';
import { managingRoles } from '../roles.ts';
import { instant } from './arguments.ts';
import { command, programReads, query } from './procedure.ts';
import { accountRules, certificateFile, programRow, savedProgram } from './programs.ts';

/** One step; percentages are of the initial balance unless they say otherwise. The server checks their bounds in words. */
export const challengeStep = z.strictObject({
  targetPct: decimal,
  dailyLoss: z
    .strictObject({
      pct: decimal,
      /** Of the initial balance, or of where the day began. */
      of: z.enum(dailyLossBases),
      /** Where the day began at midnight UTC: the balance or the equity. */
      from: z.enum(dailyLossStarts),
      /** Whether open losses count. */
      countsOpen: z.boolean(),
      checked: z.enum(dailyLossChecks),
    })
    .nullable(),
  maxLoss: z.strictObject({
    pct: decimal,
    mode: z.enum(challengeLossModes),
    /** A trailing floor stops at the initial balance and this part of it; null never stops it. */
    lockPct: decimal.nullable(),
  }),
  /** The most that the best day may be of the whole profit. */
  consistencyPct: decimal.nullable(),
  /** Days with an opening. */
  daysMin: z.number().int().min(0).max(100),
  /** Of 24 hours from the start of the step. */
  daysMax: z.number().int().min(1).max(challengeDaysMax).nullable(),
});

/** The rules of a challenge, as they are stored. */
export const challengeRules = z.strictObject({
  ...accountRules,
  /** Of one trader. */
  attemptsMax: z.number().int().min(1).max(challengeAttemptsMax),
  steps: z.array(challengeStep).min(1).max(challengeStepsMax),
});
export type ChallengeRules = z.output<typeof challengeRules>;

const challengeRow = z.object({
  ...programRow,
  /** When attempts may be started. */
  opens_at: z.string(),
  starts_until: z.string(),
  /** A step that is undecided then has failed. */
  ends_at: z.string(),
  rules: challengeRules,
  phase: z.enum(challengePhases),
  /** Whether a trader may start an attempt now. */
  can_start: z.boolean(),
  /** Of all traders, and of the caller. */
  attempts: z.number().int(),
  own_attempts: z.number().int(),
  version: z.number().int(),
  /** The caller's account of the step in progress. */
  account_id: id.nullable(),
});
export type ChallengeRow = z.infer<typeof challengeRow>;

/**
 * Makes a challenge, or changes the one that `p_id` names. With the first attempt everything but name and description is fixed. A manager makes
 * challenges of classes that they teach.
 */
export const saveChallenge = command('save_challenge', {
  roles: managingRoles,
  args: z.strictObject({
    ...savedProgram,
    p_opens_at: instant,
    p_starts_until: instant,
    p_ends_at: instant,
    p_rules: challengeRules,
  }),
  result: challengeRow,
});

/**
 * Challenges, those that end last first. A trader reads those that they may start or have started, a manager those of the classes that they
 * teach and those that are open to everyone.
 */
export const listChallenges = query('list_challenges', { ...programReads, result: z.array(challengeRow) });

/** Opens the account of the first step of a new attempt. While one is in progress a repeat answers with it. */
export const startChallenge = command('start_challenge', {
  roles: ['trader'],
  args: z.strictObject({ p_challenge_id: id }),
  result: challengeRow,
});

const money = z.string();
/** What a judgement compares, USDT as decimals, instants in milliseconds since the epoch. */
const challengeFigures = z.object({
  at: z.number(),
  balance: money,
  equity: money,
  initial: money,
  dayBegins: z.number(),
  dailyLoss: z.object({ from: money, allowed: money, floor: money, value: money }).nullable(),
  maxLoss: z.object({ from: money, allowed: money, floor: money, locked: z.boolean() }),
  profit: money,
  profitNeeded: money,
  bestDay: money,
  tradingDays: z.number().int(),
  deadline: z.number().nullable(),
});

export const challengeVerdict = z.object({
  outcome: z.enum(challengeOutcomes),
  /** Null of a step that was passed. */
  rule: z.enum(challengeRulesBroken).nullable(),
  /** Of the tick that decided. */
  decided_at: z.string(),
  /** The prices of everything that was open then, at which it was closed. */
  marks: z.array(z.object({ symbol: z.string(), price: money, state: z.enum(markStates) })),
  arithmetic: challengeFigures,
});

const challengeAttempt = z.object({
  /** Of all attempts of the challenge. */
  attempt: z.number().int(),
  username: z.string(),
  is_self: z.boolean(),
  /** `passed` once every step is. */
  state: z.enum(['running', 'passed', 'failed']),
  /** Of the result of an attempt that has passed, as the audit log has it, from within seconds on. */
  result_sha256: z.string().nullable(),
  /** In order; the next one opens within seconds of a step that was passed. */
  steps: z.array(
    z.object({
      step: z.number().int(),
      account_id: id,
      began_at: z.string(),
      /** Of now, at the present prices; null of a decided step. */
      figures: challengeFigures.nullable(),
      verdict: challengeVerdict.nullable(),
    }),
  ),
});

const challengeAttemptsShown = 100;

/** Attempts, the newest first: a trader's own, for staff everyone's. */
export const getChallengeAttempts = query('get_challenge_attempts', {
  ...programReads,
  args: z.strictObject({
    p_challenge_id: id,
    /** How many to leave out, and how many to answer; default 0 and 50. */
    p_offset: z.number().int().min(0).max(challengeEntrantsMax).nullish(),
    p_limit: z.number().int().min(1).max(challengeAttemptsShown).nullish(),
  }),
  result: z.object({
    total: z.number().int(),
    attempts: z.array(challengeAttempt),
    /** SHA-256 of the public key that signs certificates, hexadecimal. */
    certificate_key: z.string(),
  }),
});

/** The certificate of the caller's attempt that has passed, a file for `npm run verify-certificate`; null without one. */
export const getChallengeCertificate = query('get_challenge_certificate', {
  roles: ['trader'],
  args: z.strictObject({ p_challenge_id: id }),
  result: certificateFile,
});
