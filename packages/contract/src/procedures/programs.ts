/** Programs (A112, A116): contests. Rules are data with a version; what is fixed when stands in decision 27. */
import {
  accountNameMax,
  contestDescriptionMax,
  contestEntrantsMax,
  contestNames,
  contestPhases,
  contestScores,
  contestSymbolsMax,
  contestTieBreaks,
  MAX_OPEN_POSITIONS,
  markStates,
  ruleSetNames,
} from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, symbol } from '../columns.ts';
import { managingRoles } from '../roles.ts';
import { clientId, instant, reason, storableText } from './arguments.ts';
import { command, programReads, query } from './procedure.ts';

/** What the rules of contests and challenges say of the accounts; the version is of the whole schema. */
export const accountRules = {
  v: z.literal(1),
  startBalance: decimal,
  ruleSet: z.enum(ruleSetNames),
  leverageMax: z.number().int(),
  /** Null is every listed one. */
  symbols: z.array(symbol).min(1).max(contestSymbolsMax).nullable(),
  positionsMax: z.number().int().min(1).max(MAX_OPEN_POSITIONS).nullable(),
};

/** What a row of either names first. */
export const programRow = {
  id,
  name: z.string(),
  description: z.string(),
  /** Null: open to every trader. */
  class_id: id.nullable(),
  class_name: z.string().nullable(),
};

/** What a save of either names first. */
export const savedProgram = {
  p_id: id.nullish(),
  /** Of the program that the caller saw; needed with `p_id`. */
  p_version: z.number().int().nullish(),
  p_client_id: clientId,
  p_name: storableText(2 * accountNameMax),
  p_description: storableText(contestDescriptionMax),
  p_class_id: id.nullable(),
};

/** The rules of a contest, as they are stored. The server checks balance and leverage in words. */
export const contestRules = z.strictObject({
  ...accountRules,
  score: z.enum(contestScores),
  /** In this order; each at most once. */
  tieBreaks: z
    .array(z.enum(contestTieBreaks))
    .max(contestTieBreaks.length)
    .refine((list) => new Set(list).size === list.length, 'Each tie-break at most once'),
  /** Positions that an entrant has to open to be ranked. */
  tradesMin: z.number().int().min(0).max(1000),
  names: z.enum(contestNames),
});
export type ContestRules = z.output<typeof contestRules>;

const contestRow = z.object({
  ...programRow,
  registration_opens_at: z.string(),
  registration_ends_at: z.string(),
  begins_at: z.string(),
  ends_at: z.string(),
  rules: contestRules,
  phase: z.enum(contestPhases),
  /** Whether a trader may enter now. */
  can_enter: z.boolean(),
  /** Who take part now. */
  entrants: z.number().int(),
  version: z.number().int(),
  frozen_at: z.string().nullable(),
  withdrawn_at: z.string().nullable(),
  /** The caller's own account in it; null for staff and for who has not entered. */
  account_id: id.nullable(),
});
export type ContestRow = z.infer<typeof contestRow>;

/**
 * Makes a contest, or changes the one that `p_id` names. Balance, rule set, leverage and limits are fixed with the first entrant, everything but name
 * and description with the start. A manager makes contests of classes that they teach.
 */
export const saveContest = command('save_contest', {
  roles: managingRoles,
  args: z.strictObject({
    ...savedProgram,
    p_registration_opens_at: instant,
    p_registration_ends_at: instant,
    p_begins_at: instant,
    p_ends_at: instant,
    p_rules: contestRules,
  }),
  result: contestRow,
});

/**
 * Contests, those that end last first. A trader reads those that they may enter or have entered, a manager those of the classes that they teach
 * and those that are open to everyone.
 */
export const listContests = query('list_contests', { ...programReads, result: z.array(contestRow) });

/** Opens the caller's account in the contest. A repeat answers with the same account. */
export const enterContest = command('enter_contest', {
  roles: ['trader'],
  args: z.strictObject({ p_contest_id: id }),
  result: contestRow,
});

/** Withdraws a contest that was made by mistake, before it begins: nobody enters it any more, its accounts are archived. A repeat changes nothing. */
export const withdrawContest = command('withdraw_contest', {
  roles: ['admin'],
  args: z.strictObject({ p_contest_id: id, p_reason: reason }),
  result: contestRow,
});

const rank = z.object({
  /** Null for an entrant who is not ranked. */
  rank: z.number().int().nullable(),
  /** Of the entrant in this contest. */
  number: z.number().int(),
  /** Null where names are not shown to the caller, and for a user who is gone. */
  username: z.string().nullable(),
  is_self: z.boolean(),
  equity: z.number(),
  /** Per cent of the start balance. */
  return_pct: z.number(),
  /** Positions that were opened. */
  trades: z.number().int(),
  /** Of the frozen result; null before. */
  score: z.number().nullable(),
  drawdown_pct: z.number().nullable(),
  unranked: z.enum(['too_few_trades', 'no_score']).nullable(),
});
export type ContestRankRow = z.infer<typeof rank>;

const contestRanksMax = 200;
export const contestClosingsShown = 200;

/**
 * The ranking: while the contest runs by equity at the present prices, a few seconds old; after its end the frozen one, by the score. For
 * entrants, admins, and managers who read the contest.
 */
export const getContestRanking = query('get_contest_ranking', {
  ...programReads,
  args: z.strictObject({
    p_contest_id: id,
    /** How many ranks to leave out, and how many to answer; default 0 and 100. */
    p_offset: z.number().int().min(0).max(contestEntrantsMax).nullish(),
    p_limit: z.number().int().min(1).max(contestRanksMax).nullish(),
  }),
  result: z.object({
    frozen: z.boolean(),
    /** When the equities were read, or the result was frozen. */
    at: z.string(),
    entrants: z.number().int(),
    ranks: z.array(rank),
    /** The caller's own, wherever it is. */
    own: rank.nullable(),
  }),
});

export const certificateFile = z.object({ text: z.string() }).nullable();

/** The caller's certificate of a frozen contest, a file for `npm run verify-certificate`; null before the result is frozen. */
export const getContestCertificate = query('get_contest_certificate', {
  roles: ['trader'],
  args: z.strictObject({ p_contest_id: id }),
  result: certificateFile,
});

/** What the frozen result says besides the ranks, and its proof. Null before the end is frozen. */
export const getContestResult = query('get_contest_result', {
  ...programReads,
  args: z.strictObject({ p_contest_id: id, p_with_document: z.boolean().nullish() }),
  result: z
    .object({
      frozen_at: z.string(),
      /** When the closing prices were read. */
      closed_at: z.string(),
      /** Of the whole document, as the audit log has it. */
      sha256: z.string(),
      /** SHA-256 of the public key that signs certificates, hexadecimal. */
      certificate_key: z.string(),
      /** Positions that the end closed, of all entrants. */
      positions_closed: z.number().int(),
      /** How many of them were closed at a price that did not trade at that moment, and the first of those; the document has all. */
      closings_total: z.number().int(),
      closings: z.array(
        z.object({
          number: z.number().int(),
          position_id: id,
          symbol: z.string(),
          /** Null: the symbol never had a price, and the position ended at its entry. */
          state: z.enum(markStates).nullable(),
          price: z.string(),
        }),
      ),
      /** Price shocks, held prices that staff decided, and halts of trading between the begin and the end. */
      interventions: z.array(z.object({ at: z.string(), action: z.string(), symbol: z.string().nullable() })),
      /** The exact text whose hash it is, where it is requested. */
      document: z.string().nullable(),
    })
    .nullable(),
});

/**
 * What is published of the simulated market of a contest: the commitment from its begin on, and with `p_with_file` the file for
 * `npm run verify-market`, once its days are over and no running contest has them. Null before the begin, and where nothing is simulated.
 */
export const getContestMarket = query('get_contest_market', {
  ...programReads,
  args: z.strictObject({
    p_contest_id: id,
    p_with_commitment: z.boolean().nullish(),
    p_with_file: z.boolean().nullish(),
  }),
  result: z
    .object({
      /** Of the commitment, as the audit log has it. */
      sha256: z.string(),
      published_at: z.string(),
      /** The link of the audit chain: `SEQ:HASH`. */
      audit: z.string().nullable(),
      /** The days whose keys it commits to, as dates. */
      first_day: z.string(),
      last_day: z.string(),
      symbols: z.number().int(),
      /** Whether the keys are published. */
      is_public: z.boolean(),
      /** The earliest instant at which they are. */
      keys_from: z.string(),
      /** Whether another contest delays that. */
      waits_for_others: z.boolean(),
      /** The exact text whose hash it is, where it is requested. */
      commitment: z.string().nullable(),
      file: z.string().nullable(),
    })
    .nullable(),
});
