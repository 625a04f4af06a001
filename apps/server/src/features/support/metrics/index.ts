/**
 * Support metrics (A69), computed from messages, closes and ratings by the functions of migration 0014, which the view
 * `support_metrics` reads as well. Invariants: nothing is rounded; a figure without events is null, not 0; all figures of a
 * response come from one snapshot.
 *
 * Known limitation: a close by a deleted agent has no agent; the figures of all agents still count it.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database, Queryable } from '../../../platform/database/index.ts';

const rangeDaysMax = 400;
const instant = z.iso.datetime({ offset: true });

type Args = ArgsOf<'get_support_metrics'>;
type Metrics = ResultOf<'get_support_metrics'>;

/** Reckons a duration over the rows of `source`. */
const measured = (source: string, condition: string) =>
  `(select json_build_object('n', count(d.seconds), 'mean', avg(d.seconds),
      'median', percentile_cont(0.5) within group (order by d.seconds),
      'p90', percentile_cont(0.9) within group (order by d.seconds))
    from ${source} d where ${condition})`;

/** Reckons the share of the rows of `source` where `condition` holds. */
const rate = (source: string, condition: string, of = 'true') =>
  `(select json_build_object('n', count(*) filter (where ${condition}), 'of', count(*),
      'share', (count(*) filter (where ${condition}))::double precision / nullif(count(*), 0))
    from ${source} r where ${of})`;

const metricsStatement = `
  with waits as materialized (select * from app.support_waits($1, $2, $3)),
       opened as materialized (select * from app.support_opened($1, $2, $3)),
       closings as materialized (select * from app.support_closings($1, $2, $3)),
       waiting as materialized (
         select s.waiting_since from app.chat_sessions s
         where s.waiting_since is not null and ($3::uuid is null or exists (
           select from app.chat_messages a where a.session_id = s.id and a.sender_id = $3)))
  select json_build_object(
    'sessions', (select count(*) from opened),
    'first_response', ${measured('waits', 'd.is_first')},
    'response', ${measured('waits', 'true')},
    'resolution', ${measured('closings', 'true')},
    'resolved', ${rate('opened', 'r.is_closed and r.is_answered and ($3::uuid is null or r.closed_by = $3)')},
    'abandoned', ${rate('opened', 'r.is_closed and not r.is_answered and ($3::uuid is null or r.closed_by = $3)')},
    'satisfied', ${rate('closings', 'r.rating >= 4', 'r.rating is not null')},
    'rated', ${rate('closings', 'r.rating is not null')},
    'active_chats', app.support_active($4, $3),
    'interactions', app.support_interactions($1, $2, $3),
    'unanswered', (select count(*) from waiting),
    'longest_wait_s', (select max(greatest(0, extract(epoch from $4 - w.waiting_since))) from waiting w)
  ) as metrics`;

/** @throws AppError invalid_argument */
function instantOf(name: string, text: string): Date {
  if (instant.safeParse(text).success) return new Date(text);
  throw new AppError('invalid_argument', `Invalid argument ${name}: an instant such as 2026-01-31T00:00:00Z`);
}

/** @throws AppError invalid_argument */
function rangeOf({ p_from, p_to }: Args): { from: Date; to: Date } {
  const [from, to] = [instantOf('p_from', p_from), instantOf('p_to', p_to)];
  if (from >= to) throw new AppError('invalid_argument', 'Invalid argument p_to: after p_from');
  if (to.getTime() - from.getTime() > rangeDaysMax * dayMs) {
    throw new AppError(
      'invalid_argument',
      `Invalid argument p_to: at most ${rangeDaysMax} days after p_from`,
    );
  }
  return { from, to };
}

/** How many conversations got their first answer, and how long that took as a rule. */
export interface Answered {
  readonly n: number;
  readonly median: number | null;
}

export async function firstResponse(db: Queryable, from: Date, to: Date): Promise<Answered> {
  const { rows } = await db.query<Answered>(
    `select count(*)::int as n, percentile_cont(0.5) within group (order by w.seconds) as median
     from app.support_waits($1, $2, null) w where w.is_first`,
    [from, to],
    'first_response',
  );
  return rows[0] ?? { n: 0, median: null };
}

export const createMetrics =
  ({ db, clock }: { readonly db: Database; readonly clock: Pick<Clock, 'now'> }) =>
  async (_caller: SignedIn, args: Args): Promise<Metrics> => {
    const { from, to } = rangeOf(args);
    const now = new Date(clock.now());
    const { rows } = await db.query<{ metrics: Omit<Metrics, 'as_of'> }>(metricsStatement, [
      from,
      to,
      args.p_support_id ?? null,
      now,
    ]);
    const [row] = rows;
    if (!row) throw new Error('the metrics have no row');
    return { ...row.metrics, as_of: now.toISOString() };
  };
