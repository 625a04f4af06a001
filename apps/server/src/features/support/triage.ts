/**
 * Tags and snoozes of open conversations, for support alone. Invariants: a conversation has only tags of the team's list,
 * which grows with the first use of a name and has a bound; each change is one transaction with its audit row. Setting what
 * is set already changes nothing, so a repeat is safe. The database ends a snooze with the trader's next message.
 */
import {
  AppError,
  type ArgsOf,
  type ChatTriageRow,
  type RowChange,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { chatLimits, isChatTag } from '@fulcrum/domain';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { chatNotFound, lockSession, lockUsers, nextInstant } from './locking.ts';

/** Conversations whose change by a deleted tag is announced one by one; lists are read again every half minute. */
const announcedMax = 200;

interface Triage {
  readonly tags: readonly string[];
  readonly snoozed_until: Date | null;
}
interface TriageChange extends Triage {
  readonly action: 'chat_session.tag' | 'chat_session.snooze';
  readonly detail: Readonly<Record<string, string | boolean | null>>;
}

const lockTags = (tx: Queryable) =>
  tx.query(`select pg_advisory_xact_lock(hashtext('app.chat_tags'))`, [], 'lock_chat_tags');

async function readTags(tx: Queryable): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    'select name from app.chat_tags order by name',
    [],
    'chat_tags',
  );
  return rows.map(({ name }) => name);
}

/** Adds the name to the team's list. @throws AppError `conflict` */
async function requireTag(tx: Queryable, tag: string, at: Date): Promise<void> {
  await lockTags(tx);
  const known = await readTags(tx);
  if (known.includes(tag)) return;
  if (known.length >= chatLimits.tags) {
    throw new AppError('conflict', `The team has ${known.length} tags. Delete one first.`);
  }
  await tx.query('insert into app.chat_tags (name, created_at) values ($1, $2)', [tag, at], 'chat_tag_add');
}

export function createTriage({ db, bus, timers }: Pick<Services, 'db' | 'bus' | 'timers'>) {
  const now = () => new Date(timers.now());
  const publish = (changes: readonly RowChange[]) => {
    if (changes.length > 0) bus.publish('account.changed', { changes });
  };
  const readChanges = async (tx: Queryable, sessionIds: readonly string[], at: Date) => {
    const rows = await readWireRows(tx, 'chat_triage', sessionIds);
    const written = { table: 'chat_triage', type: 'UPDATE', committedAt: at.toISOString() } as const;
    return { rows, changes: rows.map((row) => toRowChange(written, row)) };
  };

  /** `decide` returns null where nothing changes. @throws AppError `not_found`, `session_closed` */
  async function change(
    caller: SignedIn,
    sessionId: string,
    decide: (tx: Queryable, before: Triage, at: Date) => Promise<TriageChange | null>,
  ): Promise<ChatTriageRow> {
    refuseWhileImpersonating(caller);
    const { row, changes } = await db.transaction(async (tx) => {
      await lockUsers(tx, caller, [sessionId]);
      const session = await lockSession(tx, caller, sessionId);
      if (!session) throw chatNotFound();
      if (session.status !== 'open') throw new AppError('session_closed', texts.sessionClosed);
      const at = nextInstant(session, now());
      const { rows: before } = await tx.query<Triage>(
        `insert into app.chat_triage (session_id, user_id, updated_at) values ($1, $2, $3)
         on conflict (session_id) do update set session_id = excluded.session_id
         returning tags, snoozed_until`,
        [sessionId, session.user_id, at],
        'chat_triage_held',
      );
      const next = await decide(tx, before[0] ?? { tags: [], snoozed_until: null }, at);
      if (next !== null) {
        await tx.query(
          `update app.chat_triage set tags = $2, snoozed_until = $3, updated_at = $4 where session_id = $1`,
          [sessionId, next.tags, next.snoozed_until, at],
          'chat_triage_set',
        );
        await recordAuditEntry(tx, {
          at,
          actorId: caller.userId,
          subjectId: session.user_id,
          action: next.action,
          objectId: sessionId,
          detail: next.detail,
        });
      }
      const { rows, changes } = await readChanges(tx, [sessionId], at);
      // The contract declares the table's row and this one alike.
      return { row: rows[0] as ChatTriageRow, changes: next === null ? [] : changes };
    });
    publish(changes);
    return row;
  }

  return {
    get_chat_tags: async () => ({ tags: await readTags(db) }),

    /** @throws AppError `invalid_argument`, `conflict`, and those of `change` */
    tag_chat_session: (caller: SignedIn, args: ArgsOf<'tag_chat_session'>) =>
      change(caller, args.p_session_id, async (tx, { tags, snoozed_until }, at) => {
        const { p_tag: tag, p_is_on: isOn } = args;
        if (!isChatTag(tag)) {
          throw new AppError(
            'invalid_argument',
            'A tag has 1-24 lowercase letters, digits or hyphens, and does not start with a hyphen.',
          );
        }
        if (tags.includes(tag) === isOn) return null;
        if (isOn && tags.length >= chatLimits.tagsOfSession) {
          throw new AppError('conflict', `A session has at most ${chatLimits.tagsOfSession} tags.`);
        }
        if (isOn) await requireTag(tx, tag, at);
        return {
          tags: isOn ? [...tags, tag].sort() : tags.filter((one) => one !== tag),
          snoozed_until,
          action: 'chat_session.tag',
          detail: { tag, is_on: isOn },
        };
      }),

    /** Until a time within thirty days; null ends the snooze. @throws AppError `invalid_argument`, and those of `change` */
    snooze_chat_session: (caller: SignedIn, args: ArgsOf<'snooze_chat_session'>) =>
      change(caller, args.p_session_id, async (_tx, { tags, snoozed_until: before }, at) => {
        const until = args.p_until === null ? null : new Date(args.p_until);
        if (until !== null) {
          const aheadMs = until.getTime() - at.getTime();
          if (!(aheadMs > 0 && aheadMs <= chatLimits.snoozeMs)) {
            throw new AppError('invalid_argument', 'Choose a time within the next 30 days.');
          }
        }
        if ((before?.getTime() ?? null) === (until?.getTime() ?? null)) return null;
        return {
          tags,
          snoozed_until: until,
          action: 'chat_session.snooze',
          detail: { until: until?.toISOString() ?? null },
        };
      }),

    /** Takes the tag off the team's list and off every conversation; one that is gone already is no error. */
    delete_chat_tag: async (caller: SignedIn, { p_tag: tag }: ArgsOf<'delete_chat_tag'>) => {
      refuseWhileImpersonating(caller);
      const { tags, changes } = await db.transaction(async (tx) => {
        await lockTags(tx);
        const at = now();
        const { rowCount } = await tx.query(
          'delete from app.chat_tags where name = $1',
          [tag],
          'chat_tag_delete',
        );
        if (rowCount === 0) return { tags: await readTags(tx), changes: [] };
        const { rows: changed } = await tx.query<{ session_id: string; is_open: boolean }>(
          `update app.chat_triage set tags = array_remove(tags, $1), updated_at = $2
           where $1 = any(tags) returning session_id, is_open`,
          [tag, at],
          'chat_tag_remove',
        );
        await recordAuditEntry(tx, {
          at,
          actorId: caller.userId,
          subjectId: null,
          action: 'chat_tag.delete',
          objectId: null,
          detail: { tag },
        });
        const open = changed.filter(({ is_open }) => is_open).map(({ session_id }) => session_id);
        const { changes } = await readChanges(tx, open.slice(0, announcedMax), at);
        return { tags: await readTags(tx), changes };
      });
      publish(changes);
      return { tags };
    },
  };
}
