/**
 * Fresh links to choose a password, for users who have never signed in. Invariants: one who has signed in gets none, nor an admin, because a
 * link signs its reader in; each user is one transaction, with an audit row of each link; a repeat of the client id leaves one link.
 */
import { hash } from 'node:crypto';
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import { importableRoles } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import { createPasswordLink, enqueuePasswordLink, lockStaffChanges } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';

type Args = ArgsOf<'invite_users_again'>;
type Row = ResultOf<'invite_users_again'>['rows'][number];

/** Refusals of all rows, not of one. */
const ends: ReadonlySet<string> = new Set(['not_signed_in', 'busy']);

/** Null for a user who gets a link. */
export function inviteRefusal(user: {
  readonly role: string;
  readonly hasSignedIn: boolean;
}): AppError | null {
  if (user.hasSignedIn) return new AppError('conflict', 'This user has signed in already.');
  if (!importableRoles.some((role) => role === user.role)) {
    return new AppError('not_allowed', 'An admin gets no link to choose a password.');
  }
  return null;
}

export function createInviteAgain({
  db,
  clock,
  log,
  publicUrl,
  wakeMails,
}: Pick<EnrolmentDependencies, 'db' | 'clock' | 'log' | 'publicUrl' | 'wakeMails'>) {
  async function inviteOne(
    tx: Queryable,
    { userId, links, reason, actorId, clientId }: InviteTerms,
  ): Promise<Pick<Row, 'username' | 'email' | 'link'>> {
    const { rows } = await tx.query<{ username: string; email: string; role: string; hasSignedIn: boolean }>(
      `select username, email, role, last_login is not null as "hasSignedIn" from app.users where id = $1 for no key update`,
      [userId],
      'invite_again',
    );
    const [user] = rows;
    if (!user) throw new AppError('not_found', texts.userNotFound);
    const refusal = inviteRefusal(user);
    if (refusal) throw refusal;
    const { username, email } = user;
    const at = new Date(clock.now());
    const terms = { userId, at, clientId };
    const link = links === 'file' ? await createPasswordLink(tx, { ...terms, publicUrl: publicUrl() }) : null;
    const isMade = link !== null || (await enqueuePasswordLink(tx, { ...terms, recipient: email }));
    if (isMade) {
      await recordAuditEntry(tx, {
        ...{ at, actorId, subjectId: userId, action: 'user.invite_again', reason, detail: { links } },
      });
    }
    return { username, email, link };
  }

  return {
    /** @throws AppError `reason_required`, `busy` when too many mails wait; AccountError `session_ended` */
    async invite_users_again(caller: SignedIn, args: Args): Promise<{ rows: Row[] }> {
      const reason = requireReason(args.p_reason);
      const { p_links: links, p_client_id: given } = args;
      const rows: Row[] = [];
      try {
        for (const userId of new Set(args.p_user_ids.map((id) => id.toLowerCase()))) {
          const clientId = given == null ? null : hash('sha256', `${caller.userId} ${links} ${given}`, 'hex');
          const base = { user_id: userId, message: null };
          try {
            const invited = await db.transaction(async (tx) => {
              await lockStaffChanges(tx, caller);
              return inviteOne(tx, { userId, links, reason, actorId: caller.userId, clientId });
            });
            rows.push({ ...base, outcome: 'done', ...invited });
          } catch (error) {
            if (error instanceof AppError && ends.has(error.code)) throw error;
            if (!(error instanceof AppError)) log.error({ err: error }, 'a row of an invitation failed');
            const message = error instanceof AppError ? error.message : texts.unexpectedError;
            const nothing = { username: null, email: null, link: null };
            rows.push({ ...base, ...nothing, outcome: 'refused', message });
          }
        }
      } finally {
        if (links === 'mail') wakeMails();
      }
      return { rows };
    },
  };
}

interface InviteTerms {
  readonly userId: string;
  readonly links: Args['p_links'];
  readonly reason: string;
  readonly actorId: string;
  /** The client id of this command, by this admin. */
  readonly clientId: string | null;
}
