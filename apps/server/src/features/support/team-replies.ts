/**
 * Canned replies of the team, beside the own ones of each agent. Every agent and admin reads and changes them. Invariants: a
 * shortcut is unique in the team; each change is one transaction with its audit row; there are at most 100; a save never replaces
 * what its author was not shown.
 */
import { AppError, type ArgsOf, type SignedIn, type TeamReply, texts } from '@fulcrum/contract';
import { cannedReplyLimits, isReplyShortcut } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';

type ReplyText = Pick<TeamReply, 'shortcut' | 'content'>;

/** Whether two replies have one text; one that does not exist is null. */
const isSameText = (one: ReplyText | null, other: ReplyText | null): boolean =>
  one?.shortcut === other?.shortcut && one?.content === other?.content;

const lock = (tx: Queryable) =>
  tx.query(`select pg_advisory_xact_lock(hashtext('app.team_replies'))`, [], 'lock_team_replies');

export function createTeamReplies({ db, timers }: Pick<Services, 'db' | 'timers'>) {
  const read = async (tx: Queryable): Promise<TeamReply[]> => {
    const { rows } = await tx.query<TeamReply>(
      'select id, shortcut, content from app.team_replies order by shortcut',
      [],
      'team_replies',
    );
    return rows;
  };

  return {
    get_team_replies: async (): Promise<{ replies: TeamReply[] }> => ({ replies: await read(db) }),

    /** Adds the reply, or changes the one of this id. @throws AppError `invalid_argument`, `conflict`, `changed_meanwhile` */
    save_team_reply: async (caller: SignedIn, args: ArgsOf<'save_team_reply'>) => {
      const { p_id: id, p_shortcut: shortcut } = args;
      const content = args.p_content.trim();
      if (!isReplyShortcut(shortcut)) {
        throw new AppError(
          'invalid_argument',
          'A shortcut has 1-24 lowercase letters, digits or hyphens, and does not start with a hyphen.',
        );
      }
      if (content === '') throw new AppError('invalid_argument', 'Please write the reply.');
      return db.transaction(async (tx) => {
        await lock(tx);
        const before = await read(tx);
        const known = before.find((reply) => reply.id === id) ?? null;
        if (isSameText(known, { shortcut, content })) return { replies: before };
        if (!isSameText(known, args.p_former)) {
          throw new AppError('changed_meanwhile', texts.changedMeanwhile);
        }
        if (before.some((reply) => reply.shortcut === shortcut && reply.id !== id)) {
          throw new AppError('conflict', `The team has a reply /${shortcut} already.`);
        }
        if (!known && before.length >= cannedReplyLimits.count) {
          throw new AppError('conflict', `The team has ${before.length} replies. Delete one first.`);
        }
        const at = new Date(timers.now());
        await tx.query(
          `insert into app.team_replies (id, shortcut, content, updated_at) values ($1, $2, $3, $4)
           on conflict (id) do update set shortcut = $2, content = $3, updated_at = $4`,
          [id, shortcut, content, at],
          'save_team_reply',
        );
        await recordAuditEntry(tx, {
          at,
          actorId: caller.userId,
          subjectId: null,
          action: 'team_reply.save',
          objectId: id,
          detail: { shortcut, ...(known && { former_shortcut: known.shortcut }) },
        });
        return { replies: await read(tx) };
      });
    },

    /** Deletes the reply; one that is gone already is no error. */
    delete_team_reply: async (caller: SignedIn, { p_id: id }: ArgsOf<'delete_team_reply'>) =>
      db.transaction(async (tx) => {
        await lock(tx);
        const known = (await read(tx)).find((reply) => reply.id === id);
        if (known) {
          await tx.query('delete from app.team_replies where id = $1', [id], 'delete_team_reply');
          await recordAuditEntry(tx, {
            at: new Date(timers.now()),
            actorId: caller.userId,
            subjectId: null,
            action: 'team_reply.delete',
            objectId: id,
            detail: { shortcut: known.shortcut },
          });
        }
        return { replies: await read(tx) };
      }),
  };
}
