/** What contests and challenges have in common when they are made and changed. */
import { AppError, managerOf, type SignedIn, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';

export const refuse = (text: string): AppError => new AppError('invalid_argument', text);

/** A manager makes programs of the classes that they teach. @throws AppError not_allowed, not_found */
export async function requireClass(
  tx: Queryable,
  caller: SignedIn,
  classId: string | null,
  face: 'contest' | 'challenge',
): Promise<void> {
  if (caller.role === 'manager' && classId === null) {
    throw new AppError(
      'not_allowed',
      `Choose one of your classes: only an admin makes a ${face} for everyone.`,
    );
  }
  if (classId === null) return;
  const { rowCount } = await tx.query(
    `select from app.classes c where c.id = $1
     and ($2::uuid is null or exists (select from app.class_tutors t where t.class_id = c.id and t.user_id = $2))`,
    [classId, managerOf(caller)],
    'class_of_program',
  );
  if (rowCount === 0) throw new AppError('not_found', 'This class does not exist.');
}

/** @throws AppError conflict when another program has the name */
export const namedOnce = <T>(write: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      programs_name: () =>
        new AppError('conflict', 'There is a contest or challenge of this name. Choose another one.'),
    },
    write,
  );

/**
 * Locks the caller until the commit, so that two entries of one user wait for each other.
 * @throws AppError not_allowed for staff, by the role that this transaction finds
 */
export async function lockTrader(tx: Queryable, { userId }: SignedIn): Promise<void> {
  const { rows } = await tx.query<{ role: string }>(
    'select role from app.users where id = $1 for no key update',
    [userId],
  );
  if (rows[0]?.role !== 'trader') throw new AppError('not_allowed', texts.tradersOnly);
}

/** Why a program took no entrant: it has had `max` of them, or it was changed. */
export async function entryRefusal(tx: Queryable, id: string, max: number, full: string): Promise<AppError> {
  const { rows } = await tx.query<{ isFull: boolean }>(
    `select entrants >= ${max} as "isFull" from app.programs where id = $1`,
    [id],
  );
  return new AppError('conflict', rows[0]?.isFull ? full : texts.changedMeanwhile);
}
