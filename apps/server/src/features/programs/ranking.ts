/**
 * The ranking of a contest: live by equity, frozen by the score. Invariants: a trader reads the ranking of contests that they entered; names are
 * shown as the contest says, to an admin always and to a tutor in contests of their classes.
 *
 * Known limitation: a live ranking is read whole, so the first reader of each five seconds waits for it.
 */
import {
  AppError,
  type ContestRankRow,
  contestClosingsShown,
  type getContestCertificate,
  type getContestRanking,
  type getContestResult,
  type SignedIn,
} from '@fulcrum/contract';
import { asMoney, contestReturnOf, dayMs, parseDecimal, toNumber } from '@fulcrum/domain';
import type { z } from 'zod';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import { marksOf, readEquities } from '../trading/index.ts';
import { createCertificateSigner } from './certificate.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { type ResultDocument, resultDocument } from './result.ts';
import { readContest, rulesOf, type StoredContest } from './stored-contest.ts';

type Ranking = z.output<typeof getContestRanking.result>;
type Result = z.output<typeof getContestResult.result>;
type Certificate = z.output<typeof getContestCertificate.result>;

/** Every entrant reads the same list. */
const liveForMs = 5_000;
/** Contests whose rankings are held. */
const contestsHeld = 20;
/** Accounts whose equity is read at a time: the engine shares the event loop. */
const pageSize = 500;
const ranksUsual = 100;

type Entry = Omit<ContestRankRow, 'username' | 'is_self'>;

interface Board {
  readonly at: string;
  readonly entries: readonly Entry[];
  readonly entryOf: ReadonlyMap<number, Entry>;
}
const toBoard = (at: string, entries: readonly Entry[]): Board => ({
  at,
  entries,
  entryOf: new Map(entries.map((entry) => [entry.number, entry])),
});

const numberOf = (decimal: string): number => toNumber(parseDecimal(decimal));

const toEntry = (one: ResultDocument['entrants'][number]): Entry => ({
  ...{ rank: one.rank, number: one.number, trades: one.trades, score: one.score, unranked: one.unranked },
  equity: numberOf(one.equity),
  return_pct: numberOf(one.return_pct),
  drawdown_pct: numberOf(one.drawdown_pct),
});

export function createContestRanking({ db, clock, market, secrets }: ProgramsDependencies) {
  const signer = createCertificateSigner(secrets.certificatesKey);
  const live = createTtlCache<Board>(clock, { ttlMs: liveForMs, max: contestsHeld });
  // A result never changes.
  const frozen = createTtlCache<{ board: Board; document: ResultDocument; sha256: string }>(clock, {
    ttlMs: dayMs,
    max: contestsHeld,
  });
  const marks = marksOf(market);

  async function readLive(contestId: string): Promise<Board> {
    const at = new Date(clock.now()).toISOString();
    const { rows } = await db.query<{ id: string; number: number; startBalance: string }>(
      `select id, program_number as number, start_balance::text as "startBalance"
       from app.trading_accounts where program_id = $1 order by program_number`,
      [contestId],
      'accounts_of_contest',
    );
    const entries: Entry[] = [];
    for (let from = 0; from < rows.length; from += pageSize) {
      const page = rows.slice(from, from + pageSize);
      const ids = page.map(({ id }) => id);
      const equities = await readEquities(db, ids, marks);
      const { rows: counted } = await db.query<{ id: string; trades: number }>(
        `select user_id as id, count(*)::int as trades from app.positions
         where user_id = any ($1::uuid[]) and split_from is null group by user_id`,
        [ids],
        'trades_of_contest',
      );
      const trades = new Map(counted.map((row) => [row.id, row.trades]));
      for (const { id, number, startBalance } of page) {
        const start = asMoney(parseDecimal(startBalance));
        const equity = equities.get(id)?.equity ?? start;
        entries.push({
          ...{ rank: null, number, score: null, drawdown_pct: null, unranked: null },
          equity: toNumber(equity),
          return_pct: toNumber(contestReturnOf(equity, start)),
          trades: trades.get(id) ?? 0,
        });
      }
    }
    const sorted = entries.toSorted((a, b) => b.equity - a.equity || a.number - b.number);
    return toBoard(
      at,
      sorted.map((entry, index) => ({ ...entry, rank: index + 1 })),
    );
  }

  async function readFrozen(contestId: string) {
    const { rows } = await db.query<{ document: string; sha256: string; at: Date }>(
      'select document, sha256, created_at as at from app.program_results where program_id = $1',
      [contestId],
      'result_of_contest',
    );
    const [stored] = rows;
    if (!stored) throw new Error('a frozen contest has a result');
    const document = resultDocument.parse(JSON.parse(stored.document));
    const board = toBoard(stored.at.toISOString(), document.entrants.map(toEntry));
    return { board, document, sha256: stored.sha256 };
  }

  /** @throws AppError not_found; not_allowed for a trader who has not entered */
  async function requireReader(caller: SignedIn, contestId: string): Promise<StoredContest> {
    const contest = await readContest(db, caller, contestId);
    if (caller.role === 'trader' && contest.account_id === null) {
      throw new AppError('not_allowed', 'Enter the contest to see its ranking.');
    }
    return contest;
  }

  return {
    /** @throws AppError not_found, not_allowed */
    get_contest_ranking: async (
      caller: SignedIn,
      args: z.output<typeof getContestRanking.args>,
    ): Promise<Ranking> => {
      const contest = await requireReader(caller, args.p_contest_id);
      const isFrozen = contest.frozen_at !== null;
      const board = isFrozen
        ? (await frozen.get(contest.id, () => readFrozen(contest.id))).board
        : await live.get(contest.id, () => readLive(contest.id));
      const from = args.p_offset ?? 0;
      const shown = board.entries.slice(from, from + (args.p_limit ?? ranksUsual));
      const { rows } = await db.query<{ number: number; ownerId: string; username: string }>(
        `select a.program_number as number, a.owner_id as "ownerId", u.username
         from app.trading_accounts a join app.users u on u.id = a.owner_id
         where a.program_id = $1 and (a.program_number = any ($2::int[]) or a.owner_id = $3)`,
        [contest.id, shown.map(({ number }) => number), caller.userId],
        'names_of_contest',
      );
      const users = new Map(rows.map((row) => [row.number, row]));
      const isNamed =
        caller.role === 'admin' ||
        (caller.role === 'manager' && contest.class_id !== null) ||
        rulesOf(contest).names === 'shown';
      const toRow = (entry: Entry): ContestRankRow => {
        const user = users.get(entry.number);
        const isSelf = user?.ownerId === caller.userId;
        return { ...entry, username: isNamed || isSelf ? (user?.username ?? null) : null, is_self: isSelf };
      };
      const own = rows.find(({ ownerId }) => ownerId === caller.userId);
      const ownEntry = own && board.entryOf.get(own.number);
      return {
        ...{ frozen: isFrozen, at: board.at, entrants: board.entries.length },
        ranks: shown.map(toRow),
        own: ownEntry ? toRow(ownEntry) : null,
      };
    },

    /** @throws AppError not_found, not_allowed */
    get_contest_result: async (
      caller: SignedIn,
      args: z.output<typeof getContestResult.args>,
    ): Promise<Result> => {
      const contest = await requireReader(caller, args.p_contest_id);
      if (contest.frozen_at === null) return null;
      const { board, document, sha256 } = await frozen.get(contest.id, () => readFrozen(contest.id));
      const { closed_at, positions_closed, closings, interventions } = document;
      return {
        ...{ frozen_at: board.at, closed_at, sha256, positions_closed, interventions },
        ...{ closings_total: closings.length, closings: closings.slice(0, contestClosingsShown) },
        certificate_key: signer.fingerprint,
        document: args.p_with_document ? await readDocument(contest.id) : null,
      };
    },

    /** @throws AppError not_found, not_allowed */
    get_contest_certificate: async (
      caller: SignedIn,
      args: z.output<typeof getContestCertificate.args>,
    ): Promise<Certificate> => {
      const contest = await requireReader(caller, args.p_contest_id);
      if (contest.frozen_at === null) return null;
      const { board, document, sha256 } = await frozen.get(contest.id, () => readFrozen(contest.id));
      const { rows } = await db.query<{ number: number; username: string; seq: string; hash: string }>(
        `select t.program_number as number, u.username, c.seq, encode(c.hash, 'hex') as hash
         from app.trading_accounts t join app.users u on u.id = t.owner_id
         cross join app.audit_log a join app.audit_chain c on c.audit_id = a.id
         where t.program_id = $1 and t.owner_id = $2 and a.action = 'contest.end' and a.object_id = $1`,
        [contest.id, caller.userId],
        'certificate_of_entrant',
      );
      const [entrant] = rows;
      const result = document.entrants.find(({ number }) => number === entrant?.number);
      if (!entrant || !result) throw new AppError('not_found', 'The result has no entry of yours.');
      const { id, name, begins_at, ends_at } = document.contest;
      const text = signer.sign({
        ...{ v: 1, contest: { id, name, begins_at, ends_at } },
        entrant: { number: entrant.number, username: entrant.username },
        ...{ result, entrants: document.entrants.length, frozen_at: board.at, result_sha256: sha256 },
        audit: { seq: Number(entrant.seq), hash: entrant.hash },
      });
      return { text };
    },
  };

  /** Not held in memory: few request it. */
  async function readDocument(contestId: string): Promise<string | null> {
    const { rows } = await db.query<{ document: string }>(
      'select document from app.program_results where program_id = $1',
      [contestId],
      'document_of_contest',
    );
    return rows[0]?.document ?? null;
  }
}
