/**
 * The recap of the last week (Monday to Sunday, UTC), an entry of the account's journal with a notification. Invariants: an account has
 * one for each week, whoever writes it and however often the process starts; none for a week with few trades, and none for a trader
 * who does not want them.
 *
 * Known limitation: a week that ended while no process ran for the whole next one has none.
 */

import type { FactSheet, Habits } from '@fulcrum/domain';
import {
  dayMs,
  hourMs,
  minuteMs,
  recapOf,
  recapTag,
  recapTradesMin,
  utcDate,
  weekMs,
  weekStart,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { allDuties, type Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import { notify } from '../notifications/index.ts';

/** After the end of the week: the prices that followed its last trades are a day's at most, and final by then. */
const settledMs = dayMs + hourMs;
/** How long a recap waits for a market that does not answer, and how often it tries again. */
const waitsMs = dayMs;
const triesEveryMs = 10 * minuteMs;
/** Accounts of one read. */
const accountsMax = 50;

export interface RecapDependencies extends Pick<Services, 'db' | 'bus' | 'clock' | 'timers' | 'log'> {
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
}

export interface RecapAccount {
  readonly accountId: string;
  readonly ownerId: string;
}
export interface ReviewedWeek {
  readonly sheets: readonly FactSheet[];
  readonly habits: Habits;
  /** Whether a market did not answer, so that prices are missing. */
  readonly hasFailed: boolean;
}
interface Week {
  readonly from: number;
  readonly to: number;
}

/** Accounts beyond `after` that lack the recap of the week. */
async function readDue(tx: Queryable, { from, to }: Week, after: string): Promise<readonly RecapAccount[]> {
  const { rows } = await tx.query<RecapAccount>(
    `select a.id as "accountId", a.owner_id as "ownerId"
     from app.positions p join app.trading_accounts a on a.id = p.user_id and a.status = 'active'
     join app.users u on u.id = a.owner_id and u.role = 'trader'
     left join app.user_settings s on s.user_id = a.owner_id and s.key = 'coach'
     where p.status = 'closed' and p.closed_at >= $1 and p.closed_at < $2 and a.id > $3
       and (s.value -> 'recap') is distinct from 'false'::jsonb
       and not exists (select from app.weekly_recaps r where r.account_id = a.id and r.week = $4)
     group by a.id having count(*) >= ${recapTradesMin} order by a.id limit ${accountsMax}`,
    [new Date(from), new Date(to), after, utcDate(from)],
    'recaps_due',
  );
  return rows;
}

class PricesMissing extends Error {}

const firstId = '00000000-0000-0000-0000-000000000000';

const isJournalFull = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'journal_entries_room';

export function createRecaps(
  { db, bus, clock, timers, log, duties = allDuties }: RecapDependencies,
  review: (account: RecapAccount, week: Week) => Promise<ReviewedWeek>,
) {
  /** The end of the last week that is done. */
  let doneUntil = 0;
  let nextTryAt = 0;
  let running: Promise<void> | null = null;
  let isStopping = false;

  /** False where another process was first. */
  async function registerWeek(tx: Queryable, accountId: string, { from }: Week, at: Date): Promise<boolean> {
    const { rowCount } = await tx.query(
      'insert into app.weekly_recaps (account_id, week, created_at) values ($1, $2, $3) on conflict do nothing',
      [accountId, utcDate(from), at],
      'register_recap',
    );
    return rowCount === 1;
  }

  async function write(account: RecapAccount, week: Week): Promise<void> {
    const { accountId } = account;
    const { sheets, habits, hasFailed } = await review(account, week);
    if (hasFailed && clock.now() < week.to + settledMs + waitsMs) throw new PricesMissing();
    const recap = recapOf(week.from, sheets, habits);
    if (recap === null) return;
    const at = new Date(clock.now());
    const change = await db.transaction(async (tx) => {
      if (!(await registerWeek(tx, accountId, week, at))) return null;
      await tx.query(
        `insert into app.journal_entries (user_id, title, content, tags, created_at) values ($1, $2, $3, $4, $5)`,
        [accountId, recap.title, recap.content, [recapTag], at],
        'write_recap',
      );
      return notify(tx, { userId: accountId, kind: 'weekly_recap', message: recap.summary, at });
    });
    if (change) bus.publish('account.changed', { changes: [change] });
  }

  /** @returns false when it failed and is to be tried again */
  async function attempt(account: RecapAccount, week: Week): Promise<boolean> {
    try {
      await write(account, week);
      return true;
    } catch (error) {
      if (isJournalFull(error)) {
        await registerWeek(db, account.accountId, week, new Date(clock.now()));
        return true;
      }
      if (error instanceof PricesMissing) nextTryAt = clock.now() + triesEveryMs;
      else log.warn({ err: error, account_id: account.accountId }, 'the recap of a week was not written');
      return false;
    }
  }

  async function writeDue(): Promise<void> {
    const to = weekStart(clock.now());
    if (to <= doneUntil || clock.now() < Math.max(to + settledMs, nextTryAt)) return;
    const week: Week = { from: to - weekMs, to };
    let isComplete = true;
    for (let after = firstId; ; ) {
      const accounts = await readDue(db, week, after);
      for (const account of accounts) {
        if (isStopping || !duties.isOurs('chores')) return;
        isComplete = (await attempt(account, week)) && isComplete;
        after = account.accountId;
      }
      if (accounts.length < accountsMax) break;
    }
    if (isComplete) doneUntil = to;
  }

  function run(): Promise<void> {
    running ??= writeDue()
      .catch((error: unknown) => log.warn({ err: error }, 'the weekly recaps were not written'))
      .finally(() => {
        running = null;
      });
    return running;
  }

  return {
    /** Writes what is due. */
    run,
    /** Runs every minute. Returns the function that stops it. */
    start(): () => Promise<void> {
      const cancel = timers.every(minuteMs, () => {
        if (duties.isOurs('chores')) void run();
      });
      return async () => {
        isStopping = true;
        cancel();
        await running;
      };
    },
  };
}
