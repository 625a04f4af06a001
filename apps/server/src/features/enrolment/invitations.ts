/**
 * Invitations to register (A117). Invariants: a use counts with the user it created, and never exceeds the number of uses; one text answers
 * for an unknown, revoked, expired and used up code. The code signs no one in, so it is stored in clear and staff can show it again.
 */
import { randomInt } from 'node:crypto';
import {
  AppError,
  type ArgsOf,
  type Caller,
  type InvitationRow,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import {
  dayMs,
  formatInvitationCode,
  invitationAlphabet,
  invitationCodeLength,
  parseDecimal,
  parseInvitationCode,
  practiceBalance,
  toDecimalString,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { IdentityError, lockStaffChanges, type User } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';

/** Invitations that can be used at once, and that the list shows. */
const invitationsMax = 500;

const makeCode = (): string =>
  Array.from({ length: invitationCodeLength }, () => invitationAlphabet[randomInt(32)]).join('');

interface OpenInvitation {
  readonly id: string;
  readonly classId: string | null;
  readonly className: string | null;
  readonly classEndsAt: Date | null;
  /** In 1e-8 USDT; null is that of a registration without an invitation. */
  readonly startBalance: bigint | null;
  readonly expiresAt: Date;
}

const columns = `i.id, i.code, i.note, i.class_id, c.name as class_name, i.start_balance::float8 as start_balance, i.uses, i.uses_max, i.expires_at, i.created_at,
  i.revoked_at`;

type StoredRow = Omit<InvitationRow, 'expires_at' | 'created_at' | 'revoked_at'> & {
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
};

const toRow = ({ code, expires_at, created_at, revoked_at, ...rest }: StoredRow): InvitationRow => ({
  ...rest,
  code: formatInvitationCode(code),
  expires_at: expires_at.toISOString(),
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
});

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({
  db,
  clock,
  joinClass,
}: Pick<EnrolmentDependencies, 'db' | 'clock' | 'joinClass'>) {
  const now = () => new Date(clock.now());

  /** The invitation of a code that can be used now; null for any other one. */
  async function findOpen(code: string): Promise<OpenInvitation | null> {
    const { rows } = await db.query<Omit<OpenInvitation, 'startBalance'> & { startBalance: string | null }>(
      `select i.id, i.start_balance as "startBalance", i.expires_at as "expiresAt", i.class_id as "classId", c.name as "className",
              c.ends_at as "classEndsAt"
       from app.invitations i left join app.classes c on c.id = i.class_id
       where i.code = $1 and i.revoked_at is null and i.expires_at > $2 and i.uses < i.uses_max`,
      [code, now()],
      'find_invitation',
    );
    const [found] = rows;
    if (!found) return null;
    return { ...found, startBalance: found.startBalance === null ? null : parseDecimal(found.startBalance) };
  }

  /** Counts a use, and joins the class of the invitation. @throws AccountError `invitation_invalid` when it was used up or revoked meanwhile */
  async function redeem(
    tx: Queryable,
    { id, classId }: Pick<OpenInvitation, 'id' | 'classId'>,
    user: User,
    at: Date,
  ): Promise<void> {
    const { rowCount } = await tx.query(
      `update app.invitations set uses = uses + 1
       where id = $1 and revoked_at is null and expires_at > $2 and uses < uses_max`,
      [id, at],
      'redeem_invitation',
    );
    if (rowCount === 0) throw new IdentityError('invitation_invalid');
    if (classId !== null) await joinClass(tx, { classId, userId: user.id, actorId: user.id, at });
  }

  async function readRow(tx: Queryable, id: string): Promise<InvitationRow> {
    const { rows } = await tx.query<StoredRow>(
      `select ${columns} from app.invitations i left join app.classes c on c.id = i.class_id where i.id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row) throw new AppError('not_found', 'This invitation does not exist.');
    return toRow(row);
  }

  return {
    findOpen,
    redeem,
    procedures: {
      /** @throws AppError invalid_argument for a balance out of bounds, not_found and class_over for the class, conflict beyond the number of invitations */
      create_invitation: async (caller: SignedIn, args: ArgsOf<'create_invitation'>) => {
        const startBalance = requireBalance(args.p_start_balance ?? null);
        const at = now();
        return db.transaction(async (tx) => {
          await lockStaffChanges(tx, caller);
          const clientId = args.p_client_id ?? null;
          const classId = args.p_class_id ?? null;
          const { rows: made } = await tx.query<{ id: string }>(
            'select id from app.invitations where created_by = $1 and client_id = $2',
            [caller.userId, clientId],
          );
          if (made[0]) return readRow(tx, made[0].id);
          await requireClass(tx, classId, at);
          const { rows } = await tx.query<{ id: string }>(
            `insert into app.invitations (code, note, start_balance, uses_max, created_by, client_id, created_at, expires_at, class_id)
             select $1, $2, $3, $4, $5, $6, $7, $8, $9
             where (select count(*) from app.invitations
                    where revoked_at is null and expires_at > $7 and uses < uses_max) < ${invitationsMax}
             returning id`,
            [
              ...[makeCode(), args.p_note?.trim() ?? '', startBalance, args.p_uses_max, caller.userId],
              ...[clientId, at, new Date(at.getTime() + args.p_days * dayMs), classId],
            ],
          );
          const [created] = rows;
          if (!created) {
            throw new AppError('conflict', `There are ${invitationsMax} open invitations. Revoke one first.`);
          }
          await recordAuditEntry(tx, {
            ...{ at, actorId: caller.userId, subjectId: null, action: 'invitation.create' },
            objectId: created.id,
            detail: {
              start_balance: startBalance,
              class_id: classId,
              uses_max: args.p_uses_max,
              days: args.p_days,
            },
          });
          return readRow(tx, created.id);
        });
      },

      /** @throws AppError not_found */
      revoke_invitation: async (caller: SignedIn, { p_id }: ArgsOf<'revoke_invitation'>) => {
        const at = now();
        return db.transaction(async (tx) => {
          await lockStaffChanges(tx, caller);
          const { rowCount } = await tx.query(
            'update app.invitations set revoked_at = $2 where id = $1 and revoked_at is null',
            [p_id, at],
          );
          const row = await readRow(tx, p_id);
          if (rowCount > 0) {
            await recordAuditEntry(tx, {
              ...{ at, actorId: caller.userId, subjectId: null, action: 'invitation.revoke' },
              ...{ objectId: row.id, detail: { uses: row.uses } },
            });
          }
          return row;
        });
      },

      list_invitations: async () => {
        const { rows } = await db.query<StoredRow>(
          `select ${columns} from app.invitations i left join app.classes c on c.id = i.class_id
           order by i.revoked_at is null and i.expires_at > $1 and i.uses < i.uses_max desc, i.created_at desc, i.id
           limit ${invitationsMax}`,
          [now()],
          'list_invitations',
        );
        return rows.map(toRow);
      },
    },

    /** @throws AccountError invitation_invalid; AppError class_over */
    get_invitation: async (_caller: Caller, { p_code }: ArgsOf<'get_invitation'>) => {
      const code = parseInvitationCode(p_code);
      const invitation = code === null ? null : await findOpen(code);
      if (!invitation) throw new IdentityError('invitation_invalid');
      const { startBalance, expiresAt, className, classEndsAt } = invitation;
      requireRunning(classEndsAt, now());
      return {
        start_balance: startBalance === null ? null : Number(toDecimalString(startBalance)),
        class_name: className,
        expires_at: expiresAt.toISOString(),
      };
    },
  };
}

/** @throws AppError not_found, class_over */
async function requireClass(tx: Queryable, id: string | null, at: Date): Promise<void> {
  if (id === null) return;
  const { rows } = await tx.query<{ endsAt: Date }>(
    'select ends_at as "endsAt" from app.classes where id = $1',
    [id],
  );
  const [found] = rows;
  if (!found) throw new AppError('not_found', 'This class does not exist.');
  requireRunning(found.endsAt, at);
}

/** Of the class of an invitation; null for none. @throws AppError class_over */
function requireRunning(classEndsAt: Date | null, at: Date): void {
  if (classEndsAt !== null && classEndsAt <= at)
    throw new AppError('class_over', texts.classEnded(classEndsAt));
}

/** A decimal of USDT, or null. @throws AppError invalid_argument */
function requireBalance(given: string | number | null): string | null {
  if (given === null) return null;
  const refused = new AppError(
    'invalid_argument',
    `The start balance is from 0 to ${toDecimalString(practiceBalance.max)} USDT.`,
  );
  try {
    const balance = parseDecimal(given);
    if (balance < 0n || balance > practiceBalance.max) throw refused;
    return toDecimalString(balance);
  } catch {
    throw refused;
  }
}
