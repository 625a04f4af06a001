/**
 * The person behind an account. Sign-in and profile are one row here, so an account without a profile ('User profile not
 * found', AUTH-12) cannot occur: the web app keeps that text for other servers of the protocol.
 */
import type { UserRole } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { openWallet } from '../wallet/index.ts';
import { AccountError } from './errors.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly role: UserRole;
  readonly phoneNumber: string | null;
  readonly createdAt: Date;
  readonly lastLogin: Date | null;
}

const columns = `u.id, u.email, u.username, u.role, u.phone_number as "phoneNumber", u.created_at as "createdAt",
  u.last_login as "lastLogin"`;

export interface NewUser {
  /** Both in their normal form (`normaliseEmail`, `normaliseUsername`) and checked. */
  readonly email: string;
  readonly username: string;
  readonly role: UserRole;
  readonly phoneNumber: string | null;
  readonly managerId: string | null;
  /** In 1e-8 USDT, booked as a completed deposit (A13); null makes no wallet (staff, A14). */
  readonly initialBalance: bigint | null;
  readonly passwordHash: string;
}

/**
 * Account, credentials and wallet in one transaction, with whatever `alongside` adds to it: a failure leaves nothing
 * half-made (A51). `lastLogin` is null until the first sign-in.
 * @throws AccountError `email_taken`, `username_taken`
 */
export async function insertUser<T>(
  db: Database,
  input: NewUser,
  createdAt: Date,
  alongside: (tx: Queryable, user: User) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      const { rows } = await tx.query<User>(
        `insert into app.users as u (email, username, role, phone_number, manager_id, created_at)
         values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
        [input.email, input.username, input.role, input.phoneNumber, input.managerId, createdAt],
      );
      const [user] = rows;
      if (!user) throw new Error('inserting a user returned no row');
      await tx.query(`insert into app.credentials (user_id, password_hash, changed_at) values ($1, $2, $3)`, [
        user.id,
        input.passwordHash,
        createdAt,
      ]);
      if (input.initialBalance !== null) {
        await openWallet(tx, { userId: user.id, initialBalance: input.initialBalance });
      }
      return await alongside(tx, user);
    });
  } catch (error) {
    const violated = uniqueIndexOf(error);
    if (violated === 'users_email') throw new AccountError('email_taken');
    if (violated === 'users_username') throw new AccountError('username_taken');
    throw error;
  }
}

function uniqueIndexOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined;
}

export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `select ${columns} from app.users u where u.id = $1`,
    [id],
    'find_user',
  );
  return rows[0];
}

export interface Credentials {
  readonly userId: string;
  readonly passwordHash: string;
}

export async function findCredentials(
  db: Queryable,
  by: { email: string } | { userId: string },
): Promise<Credentials | undefined> {
  const [condition, value] = 'email' in by ? ['u.email = $1', by.email] : ['u.id = $1', by.userId];
  const { rows } = await db.query<Credentials>(
    `select u.id as "userId", c.password_hash as "passwordHash"
     from app.users u join app.credentials c on c.user_id = u.id where ${condition}`,
    [value],
  );
  return rows[0];
}

/**
 * Locks the account for the rest of the transaction: sign-in and password change of one account happen one after the
 * other, so no session made with an old password outlives the change. Returns the row as it now is.
 */
export async function lockUser(tx: Queryable, id: string): Promise<User | undefined> {
  const { rows } = await tx.query<User>(
    `select ${columns} from app.users u where u.id = $1 for no key update`,
    [id],
    'lock_user',
  );
  return rows[0];
}

/** Sets `last_login` (AUTH-14) and returns the row as it now is. */
export async function recordLogin(tx: Queryable, id: string, at: Date): Promise<User> {
  const { rows } = await tx.query<User>(
    `update app.users as u set last_login = $2 where u.id = $1 returning ${columns}`,
    [id, at],
    'record_login',
  );
  const [user] = rows;
  if (!user) throw new AccountError('session_ended');
  return user;
}

export async function replacePassword(
  tx: Queryable,
  id: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  await tx.query(`update app.credentials set password_hash = $2, changed_at = $3 where user_id = $1`, [
    id,
    passwordHash,
    at,
  ]);
}

/** Whether the trader `userId` is assigned to the manager `managerId`. */
export async function isAssigned(db: Queryable, managerId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from app.users where id = $1 and manager_id = $2`,
    [userId, managerId],
    'is_assigned',
  );
  return rowCount > 0;
}
