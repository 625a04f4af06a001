/**
 * What the page of a contest states of its simulated market (decision 32): the commitment from the begin on, and the file with the keys once they are
 * past. Invariant: no key of a day leaves the server before that day is over, or while a contest runs that has it among its days.
 *
 * Known limitation: a clock that is set back after the keys are published shows those prices again.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn } from '@fulcrum/contract';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import { dayOf, formatDay } from '../market/index.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { formatMarketFile } from './market-file.ts';
import { readContest, type StoredContest } from './stored-contest.ts';
import { readCommitment, type StoredCommitment } from './traded-prices.ts';

type Market = ResultOf<'get_contest_market'>;

/** Of two clocks that differ a little, none is still in the day. */
const afterMidnightMs = 5 * minuteMs;
/** A file has up to 15 MB, and a class requests it within a few minutes. */
const files = { ttlMs: 10 * minuteMs, max: 2 } as const;

export function createContestMarket({ db, clock, marketProof }: ProgramsDependencies) {
  const cached = createTtlCache<string>(clock, files);

  /** The instant of the closing prices, ms since the epoch; until they are stored that of the end. */
  async function readClosedAt({ id, ends_at }: StoredContest): Promise<number> {
    const { rows } = await db.query<{ at: string | null }>(
      `select closing_marks ->> 'at' as at from app.programs where id = $1`,
      [id],
      'closing_of_contest',
    );
    return rows[0]?.at == null ? ends_at.getTime() : Date.parse(rows[0].at);
  }

  /** The latest end of the contests that run and have a day of this one among theirs; null without any. */
  async function readOthersEnd(contestId: string, daysEnd: number): Promise<number | null> {
    const { rows } = await db.query<{ endsAt: Date | null }>(
      `select max(ends_at) as "endsAt" from app.programs
       where face = 'contest' and id <> $1 and frozen_at is null and withdrawn_at is null and begins_at < $2`,
      [contestId, new Date(daysEnd)],
      'contests_with_these_days',
    );
    return rows[0]?.endsAt?.getTime() ?? null;
  }

  async function readLinks(contestId: string) {
    const { rows } = await db.query<{ action: string; seq: string; hash: string }>(
      `select a.action, c.seq, encode(c.hash, 'hex') as hash from app.audit_log a join app.audit_chain c on c.audit_id = a.id
       where a.object_id = $1 and a.action in ('contest.commit_market', 'contest.end')`,
      [contestId],
      'audit_of_contest_market',
    );
    return new Map(rows.map(({ action, seq, hash }) => [action, { seq: Number(seq), hash }]));
  }

  async function makeFile(contest: StoredContest, { text, commitment }: StoredCommitment): Promise<string> {
    const { rows } = await db.query<{ document: string; prices: string | null }>(
      'select document, prices from app.program_results where program_id = $1',
      [contest.id],
      'result_to_prove',
    );
    const [result] = rows;
    const links = await readLinks(contest.id);
    const [commitmentLink, resultLink] = [links.get('contest.commit_market'), links.get('contest.end')];
    if (!result || !commitmentLink || !resultLink)
      throw new AppError('conflict', 'The result is not there yet.');
    const keys = await marketProof.publish(commitment, dayOf(await readClosedAt(contest)));
    if (keys === null)
      throw new AppError(
        'conflict',
        'This server has another market key than at the begin of the contest: its prices cannot be proved any more.',
      );
    return formatMarketFile({
      ...{ commitment: text, commitment_audit: commitmentLink },
      ...{ result: result.document, result_audit: resultLink },
      ...{ keys, prices: result.prices ?? '' },
    });
  }

  return {
    /** @throws AppError not_found; not_allowed for the file of a trader who has not entered; conflict while the keys are secret, or lost */
    get_contest_market: async (caller: SignedIn, args: ArgsOf<'get_contest_market'>): Promise<Market> => {
      const contest = await readContest(db, caller, args.p_contest_id);
      const stored = await readCommitment(db, contest.id);
      if (stored === null) return null;
      const isFrozen = contest.frozen_at !== null;
      const lastDay = dayOf(await readClosedAt(contest));
      const daysEnd = (lastDay + 1) * dayMs;
      const othersEnd = await readOthersEnd(contest.id, daysEnd);
      const isPublic = isFrozen && othersEnd === null && clock.now() >= daysEnd + afterMidnightMs;
      if (args.p_with_file === true) {
        if (caller.role === 'trader' && contest.account_id === null)
          throw new AppError('not_allowed', 'Enter the contest to see its market file.');
        if (!isPublic)
          throw new AppError('conflict', 'The keys of this contest are secret until its days are over.');
      }
      const { first_day, days } = stored.commitment;
      const link = (await readLinks(contest.id)).get('contest.commit_market');
      return {
        ...{ sha256: stored.sha256, published_at: stored.publishedAt.toISOString() },
        audit: link ? `${link.seq}:${link.hash}` : null,
        ...{ first_day: formatDay(first_day), last_day: formatDay(first_day + days.length - 1) },
        ...{ symbols: stored.commitment.symbols.length, is_public: isPublic },
        keys_from: new Date(Math.max(daysEnd + afterMidnightMs, othersEnd ?? 0)).toISOString(),
        waits_for_others: othersEnd !== null && othersEnd > daysEnd,
        commitment: args.p_with_commitment ? stored.text : null,
        file: args.p_with_file ? await cached.get(contest.id, () => makeFile(contest, stored)) : null,
      };
    },
  };
}
