/**
 * Support as a team: the agents with their load, and who answers a conversation. Invariants: only an open conversation is
 * assigned, and only to an agent; an assignment names the assignee that its author saw, so of two at once the second is
 * refused. Each one is an internal note under the caller's client id, by which a repeat is recognised, and an audit entry.
 *
 * Known limitation: a conversation with 500 notes cannot be assigned any more.
 */
import {
  AppError,
  type ArgsOf,
  type ChatSessionRow,
  type ResultOf,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { readWireRows, toRowChange } from '../../platform/changes/index.ts';
import type { Database, Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import { chatNotFound, lockSession, lockUsers, nextInstant } from './locking.ts';
import { changesOf, readRows } from './rows.ts';

type Args = ArgsOf<'assign_chat_session'>;

const agentsMax = 500;
const notesMax = 500;

export const createTeamAnswer =
  ({ db }: { readonly db: Database }) =>
  async (_caller: SignedIn): Promise<ResultOf<'get_support_team'>> => {
    const { rows: agents } = await db.query<ResultOf<'get_support_team'>['agents'][number]>(
      `select u.id, u.username, d.status, (
         select count(*)::int from app.chat_sessions s where s.assigned_to = u.id and s.status = 'open') as assigned
       from app.support_details d join app.users u on u.id = d.user_id
       order by u.username limit ${agentsMax}`,
      [],
      'support_team',
    );
    return { agents };
  };

/** The username of an agent, who stays one until the commit. @throws AppError `invalid_argument` */
async function lockAgent(tx: Queryable, agentId: string): Promise<string> {
  const { rows } = await tx.query<{ username: string }>(
    `select username from app.users where id = $1 and role = 'support' for share`,
    [agentId],
    'chat_agent_held',
  );
  const [agent] = rows;
  if (!agent) throw new AppError('invalid_argument', 'This user is no support agent. Choose another one.');
  return agent.username;
}

/** Whether the note of that client id exists. @throws AppError `idempotency_conflict` for one of another assignment */
async function wasAssigned(tx: Queryable, caller: SignedIn, args: Args): Promise<boolean> {
  const { rows } = await tx.query<{ is_same: boolean }>(
    `select n.author_id = $2::uuid and n.session_id = $3::uuid and exists (
       select from app.audit_log a
       where a.action = 'chat_session.assign' and a.object_id = $3::uuid
         and a.detail ->> 'client_id' = $1::uuid::text and a.detail ->> 'agent_id' is not distinct from $4::uuid::text) as is_same
     from app.chat_notes n where n.id = $1::uuid`,
    [args.p_client_id, caller.userId, args.p_session_id, args.p_agent_id],
    'chat_was_assigned',
  );
  const [note] = rows;
  if (!note) return false;
  if (!note.is_same) {
    throw new AppError('idempotency_conflict', 'This client_id belongs to another assignment.');
  }
  return true;
}

/** @throws AppError `changed_meanwhile`, `conflict` */
async function requireExpected(
  tx: Queryable,
  { id, assigned_to }: ChatSessionRow,
  args: Args,
): Promise<void> {
  if (assigned_to === args.p_expected && assigned_to !== args.p_agent_id) {
    const { rows } = await tx.query<{ n: number }>(
      'select count(*)::int as n from app.chat_notes where session_id = $1',
      [id],
      'chat_notes_counted',
    );
    if ((rows[0]?.n ?? 0) < notesMax) return;
    throw new AppError(
      'conflict',
      `A session has at most ${notesMax} internal notes, and this one has them.`,
    );
  }
  const { rows } = await tx.query<{ username: string }>(
    'select username from app.users where id = $1',
    [assigned_to],
    'chat_assignee',
  );
  const name = rows[0]?.username;
  throw new AppError(
    assigned_to === args.p_agent_id ? 'conflict' : 'changed_meanwhile',
    name === undefined
      ? 'This session is no longer assigned to anyone. Nothing was changed.'
      : `This session is assigned to ${name} now. Nothing was changed.`,
  );
}

export function createAssignment({ db, bus, timers }: Pick<Services, 'db' | 'bus' | 'timers'>) {
  async function change(tx: Queryable, caller: SignedIn, args: Args) {
    const id = args.p_session_id;
    await lockUsers(tx, caller, [id]);
    const agent = args.p_agent_id === null ? null : await lockAgent(tx, args.p_agent_id);
    const held = await lockSession(tx, caller, id);
    if (!held) throw chatNotFound();
    const { session: before } = await readRows(tx, id);
    if (await wasAssigned(tx, caller, args)) return { session: before, changes: [] };
    if (held.status !== 'open') throw new AppError('session_closed', texts.sessionClosed);
    await requireExpected(tx, before, args);
    const at = nextInstant(held, new Date(timers.now()));
    await tx.query(
      'update app.chat_sessions set assigned_to = $2, updated_at = $3, version = version + 1 where id = $1',
      [id, args.p_agent_id, at],
      'chat_assign',
    );
    const note = args.p_note?.trim() ?? '';
    const title = agent === null ? 'Given back to all' : `Assigned to ${agent}`;
    await tx.query(
      'insert into app.chat_notes (id, session_id, author_id, content) values ($1, $2, $3, $4)',
      [args.p_client_id, id, caller.userId, note === '' ? title : `${title}: ${note}`],
      'chat_assign_note',
    );
    await recordAuditEntry(tx, {
      at,
      actorId: caller.userId,
      subjectId: held.user_id,
      action: 'chat_session.assign',
      objectId: id,
      detail: { agent_id: args.p_agent_id, client_id: args.p_client_id },
    });
    const rows = await readRows(tx, id);
    const committedAt = at.toISOString();
    const notes = await readWireRows(tx, 'chat_notes', [args.p_client_id]);
    return {
      session: rows.session,
      changes: [
        ...changesOf(rows, { session: 'UPDATE' }, at),
        ...notes.map((row) => toRowChange({ table: 'chat_notes', type: 'INSERT', committedAt }, row)),
      ],
    };
  }

  /** @throws AppError `not_found`, `session_closed`, `invalid_argument`, `changed_meanwhile`, `conflict` */
  return async (caller: SignedIn, args: Args): Promise<ChatSessionRow> => {
    refuseWhileImpersonating(caller);
    const { session, changes } = await db.transaction((tx) => change(tx, caller, args));
    if (changes.length > 0) bus.publish('account.changed', { changes });
    return session;
  };
}
