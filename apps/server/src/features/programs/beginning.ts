/**
 * Notices that contests have begun: publishes the commitment to the prices of a simulated market (decision 32) and notifies the entrants.
 * Invariant: commitment, notifications, audit row and the mark that it is done are one transaction, so each happens once.
 *
 * Known limitation: a server that is down at the begin does so when it is back; the commitment states the instant. A contest whose begin keeps
 * failing ends without a commitment.
 */
import { texts } from '@fulcrum/contract';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { notifyAll } from '../notifications/index.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { hashOf } from './result.ts';
import { rulesOf, type StoredContest } from './stored-contest.ts';

type Beginning = Pick<StoredContest, 'id' | 'name' | 'begins_at' | 'ends_at' | 'rules'>;

/** How long the begin waits for the sources of its markets, from then or the start of the server on. Some markets may have none. */
const waitsForSourcesMs = minuteMs;

export function createContestBegins({ db, clock, bus, log, market, marketProof }: ProgramsDependencies) {
  const startedAt = clock.now();

  /** The text and its hash; null where nothing is simulated. */
  async function commit({ id, begins_at, ends_at }: Beginning, symbols: readonly string[], at: Date) {
    const commitment = await marketProof.commit(db, {
      contest: id,
      begins: begins_at.getTime(),
      ends: ends_at.getTime(),
      publishedAt: at.getTime(),
      symbols: symbols.filter((symbol) => market.sourceOf(symbol) === 'simulated'),
    });
    if (commitment === null) return null;
    const text = JSON.stringify(commitment);
    return { text, sha256: hashOf(text) };
  }

  async function writeCommitment(
    tx: Queryable,
    id: string,
    { text, sha256 }: { readonly text: string; readonly sha256: string },
    at: Date,
  ): Promise<void> {
    await tx.query(
      'insert into app.program_markets (program_id, commitment, sha256, created_at) values ($1, $2, $3, $4)',
      [id, text, sha256, at],
    );
    await recordAuditEntry(tx, {
      ...{ at, actorId: null, subjectId: null, action: 'contest.commit_market', objectId: id },
      detail: { commitment_sha256: sha256 },
    });
  }

  async function begin(contest: Beginning): Promise<void> {
    const at = new Date(clock.now());
    const symbols = rulesOf(contest).symbols ?? market.pairs().map(({ symbol }) => symbol);
    const isUndecided = marketProof.isSimulated && symbols.some((symbol) => market.sourceOf(symbol) === null);
    const waitsUntil = Math.max(contest.begins_at.getTime(), startedAt) + waitsForSourcesMs;
    if (isUndecided && at.getTime() < waitsUntil) return;
    const committed = await commit(contest, symbols, at);
    const changes = await db.transaction(async (tx) => {
      // What was committed to has the times that the contest has: they are fixed from its begin on.
      const { rowCount } = await tx.query(
        `update app.programs set begun_at = $2
         where id = $1 and begun_at is null and withdrawn_at is null and closing_marks is null and begins_at = $3 and ends_at = $4`,
        [contest.id, at, contest.begins_at, contest.ends_at],
      );
      if (rowCount === 0) return null;
      if (committed !== null) await writeCommitment(tx, contest.id, committed, at);
      // After a time without a server it is no news any more.
      if (contest.ends_at <= at || contest.begins_at.getTime() < at.getTime() - dayMs) return [];
      const { rows: entrants } = await tx.query<{ id: string }>(
        `select owner_id as id from app.trading_accounts where program_id = $1 and status = 'active' order by program_number`,
        [contest.id],
        'entrants_to_notify',
      );
      return notifyAll(
        tx,
        entrants.map(({ id }) => id),
        { kind: 'contest_begun', message: texts.contestBegun(contest.name, contest.ends_at), at },
      );
    });
    if (changes === null) return;
    if (changes.length > 0) bus.publish('account.changed', { changes });
    log.info({ contest: contest.id, committed: committed?.sha256 ?? null }, 'a contest has begun');
  }

  /** A failure of one is logged, and tried again with the next check. */
  return async (): Promise<void> => {
    const { rows } = await db.query<Beginning>(
      `select id, name, begins_at, ends_at, rules from app.programs
       where face = 'contest' and begun_at is null and withdrawn_at is null and closing_marks is null and begins_at <= $1 order by begins_at`,
      [new Date(clock.now())],
      'contests_to_begin',
    );
    for (const contest of rows) {
      await begin(contest).catch((error: unknown) => {
        log.warn({ err: error, contest: contest.id }, 'beginning a contest failed; trying again');
      });
    }
  };
}
