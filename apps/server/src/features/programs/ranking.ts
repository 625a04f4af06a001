/**
 * The ranking of a contest: live by equity, frozen by the score. Invariants: a trader reads the ranking of contests that they entered; names are
 * shown as the contest says, to an admin always and to a tutor in contests of their classes.
 *
 * Known limitation: a live ranking is read whole. Where that takes long, readers get the one before meanwhile, at most 15 s old.
 */
import {
  AppError,
  type ArgsOf,
  type ContestRankRow,
  contestClosingsShown,
  type ResultOf,
  type SignedIn,
} from '@fulcrum/contract';
import { asMoney, contestReturnOf, dayMs, type Money, parseDecimal, toNumber } from '@fulcrum/domain';
import { BoundedMap } from '../../platform/cache/bounded-map.ts';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import { waitAtMost } from '../../platform/clock/wait-at-most.ts';
import { marksOf, readEquities } from '../trading/index.ts';
import { createCertificateSigner } from './certificate.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { type ResultDocument, resultDocument } from './result.ts';
import { readContest, rulesOf, type StoredContest } from './stored-contest.ts';

type Ranking = ResultOf<'get_contest_ranking'>;
type Result = ResultOf<'get_contest_result'>;
type Certificate = ResultOf<'get_contest_certificate'>;

/** Every entrant reads the same list. */
const liveForMs = 5_000;
/** A reader waits so long for a newer ranking, and then gets the latest one if it is not older than that. */
const waitsForMs = 30;
const heldForMs = 3 * liveForMs;
/** Contests whose rankings are held. */
const contestsHeld = 20;
/** Accounts whose equity is read at a time: the engine shares the event loop. */
const pageSize = 500;
const ranksUsual = 100;

interface EntrantRow {
  readonly id: string;
  readonly number: number;
  readonly startBalance: string;
  readonly balance: string;
  readonly trades: number;
  readonly isOpen: boolean;
}

// Without a position the balance is the equity.
const entrantsQuery = `
  select a.id, a.program_number as number, a.start_balance::text as "startBalance", w.balance::text as balance,
         coalesce(p.trades, 0) as trades, coalesce(p.is_open, false) as "isOpen"
  from app.trading_accounts a join app.wallets w on w.user_id = a.id
  left join lateral (
    select (count(*) filter (where split_from is null))::int as trades, bool_or(status = 'open') as is_open
    from app.positions where user_id = a.id
  ) p on true
  where a.program_id = $1 order by a.program_number`;

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

export function createContestRanking({ db, clock, timers, market, secrets }: ProgramsDependencies) {
  const signer = createCertificateSigner(secrets.certificatesKey);
  const live = createTtlCache<Board>(clock, { ttlMs: liveForMs, max: contestsHeld });
  const latest = new BoundedMap<string, Board>(contestsHeld);
  // A result never changes.
  const frozen = createTtlCache<{ board: Board; document: ResultDocument; sha256: string }>(clock, {
    ttlMs: dayMs,
    max: contestsHeld,
  });
  const marks = marksOf(market);

  async function readOpenEquities(ids: readonly string[]): Promise<ReadonlyMap<string, Money>> {
    const equities = new Map<string, Money>();
    for (let from = 0; from < ids.length; from += pageSize) {
      const page = await readEquities(db, ids.slice(from, from + pageSize), marks);
      for (const [id, { equity }] of page) equities.set(id, equity);
    }
    return equities;
  }

  async function readLive(contestId: string): Promise<Board> {
    const at = new Date(clock.now()).toISOString();
    const { rows } = await db.query<EntrantRow>(entrantsQuery, [contestId], 'accounts_of_contest');
    const equities = await readOpenEquities(rows.filter(({ isOpen }) => isOpen).map(({ id }) => id));
    const entries = rows.map(({ id, number, startBalance, balance, trades }): Entry => {
      const start = asMoney(parseDecimal(startBalance));
      const equity = equities.get(id) ?? asMoney(parseDecimal(balance));
      return {
        ...{ rank: null, number, score: null, drawdown_pct: null, unranked: null, trades },
        ...{ equity: toNumber(equity), return_pct: toNumber(contestReturnOf(equity, start)) },
      };
    });
    const sorted = entries.toSorted((a, b) => b.equity - a.equity || a.number - b.number);
    return toBoard(
      at,
      sorted.map((entry, index) => ({ ...entry, rank: index + 1 })),
    );
  }

  /** The present ranking; while it is being read and takes longer, the one before. */
  async function readBoard(contestId: string): Promise<Board> {
    const reading = live.get(contestId, async () => {
      const board = await readLive(contestId);
      latest.setNewest(contestId, board);
      return board;
    });
    const held = latest.get(contestId);
    if (held === undefined || Math.abs(clock.now() - Date.parse(held.at)) > heldForMs) return reading;
    await waitAtMost(timers, waitsForMs, reading);
    return latest.get(contestId) ?? held;
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
    get_contest_ranking: async (caller: SignedIn, args: ArgsOf<'get_contest_ranking'>): Promise<Ranking> => {
      const contest = await requireReader(caller, args.p_contest_id);
      const isFrozen = contest.frozen_at !== null;
      const board = isFrozen
        ? (await frozen.get(contest.id, () => readFrozen(contest.id))).board
        : await readBoard(contest.id);
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
    get_contest_result: async (caller: SignedIn, args: ArgsOf<'get_contest_result'>): Promise<Result> => {
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
      args: ArgsOf<'get_contest_certificate'>,
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
