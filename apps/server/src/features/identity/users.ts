/**
 * The user rows behind accounts. Sign-in and profile are one row, so an account without a profile ('User profile not
 * found', AUTH-12) cannot occur: the web app keeps that text for other servers of the protocol.
 */
import { AppError, texts, type UserRole, type UserRow } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import { openWallet } from '../wallet/index.ts';
import { IdentityError } from './errors.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly role: UserRole;
  readonly phoneNumber: string | null;
  readonly createdAt: Date;
  readonly lastLogin: Date | null;
  /** The manager that a trader is assigned to; null without one. */
  readonly managerId: string | null;
}

export const userNotFound = () => new AppError('not_found', texts.userNotFound);

const columns = `u.id, u.email, u.username, u.role, u.phone_number as "phoneNumber", u.created_at as "createdAt",
  u.last_login as "lastLogin", u.manager_id as "managerId"`;

export interface NewUser {
  /** Both in their normal form (`normaliseEmail`, `normaliseUsername`) and checked. */
  readonly email: string;
  readonly username: string;
  readonly role: UserRole;
  readonly phoneNumber: string | null;
  readonly managerId: string | null;
  /** In 1e-8 USDT, booked as a completed deposit (A13); null makes no wallet (staff, A14). */
  readonly initialBalance: bigint | null;
  /** Null: nobody signs in as this user, and no recovery sets one. */
  readonly passwordHash: string | null;
  /** Of a demo account with a past: its wallet is opened and counted then; left out, now. */
  readonly walletOpenedAt?: Date;
}

/** What else belongs to the transaction that makes an account. */
interface InsertHooks<T> {
  /** What has to hold, before anything is written. */
  readonly before?: (tx: Queryable) => Promise<void>;
  readonly after: (tx: Queryable, user: User) => Promise<T>;
}

/**
 * Account, credentials and wallet in one transaction, with whatever `alongside` adds to it: a failure leaves nothing
 * half-made (A51). `lastLogin` is null until the first sign-in.
 * @throws AccountError `email_taken`, `username_taken`, and what `alongside` throws
 */
export async function insertUser<T>(
  db: Database,
  input: NewUser,
  createdAt: Date,
  hooks: InsertHooks<T>,
): Promise<T> {
  return mapTakenName(() =>
    db.transaction(async (tx) => {
      await hooks.before?.(tx);
      const { rows } = await tx.query<User>(
        `insert into app.users as u (email, username, role, phone_number, manager_id, created_at)
         values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
        [input.email, input.username, input.role, input.phoneNumber, input.managerId, createdAt],
      );
      const [user] = rows;
      if (!user) throw new Error('inserting a user returned no row');
      if (input.passwordHash !== null) {
        await tx.query(
          `insert into app.credentials (user_id, password_hash, changed_at) values ($1, $2, $3)`,
          [user.id, input.passwordHash, createdAt],
        );
      }
      if (input.initialBalance !== null) {
        const { initialBalance, walletOpenedAt: at } = input;
        await openWallet(tx, { accountId: user.id, initialBalance, ...(at && { at }) });
      }
      if (input.walletOpenedAt) await tx.query(countEarlier, [input.walletOpenedAt]);
      return hooks.after(tx, user);
    }),
  );
}

// The trigger has counted the user today.
const countEarlier = `
  insert into app.daily_totals as t (day, writer, users)
  select (moment at time zone 'utc')::date, 'accounts', counted
  from (values (now(), -1), ($1::timestamptz, 1)) as c (moment, counted)
  where ($1::timestamptz at time zone 'utc')::date <> (now() at time zone 'utc')::date
  on conflict (day, writer) do update set users = t.users + excluded.users`;

/** Maps a unique violation to the taken field (A46). @throws AccountError `email_taken`, `username_taken` */
export const mapTakenName = <T>(work: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      users_email: () => new IdentityError('email_taken'),
      users_username: () => new IdentityError('username_taken'),
    },
    work,
  );

export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `select ${columns} from app.users u where u.id = $1`,
    [id],
    'find_user',
  );
  return rows[0];
}

/** What `safe_update_user_profile` may change. */
export interface Profile {
  readonly email: string;
  readonly username: string;
  readonly role: UserRole;
  readonly phoneNumber: string | null;
  readonly managerId: string | null;
}

/** Writes a whole profile, its texts in their normal form. To be wrapped in `mapTakenName`. */
export async function updateProfile(tx: Queryable, id: string, profile: Profile): Promise<void> {
  await tx.query(
    `update app.users set email = $2, username = $3, role = $4, phone_number = $5, manager_id = $6 where id = $1`,
    [id, profile.email, profile.username, profile.role, profile.phoneNumber, profile.managerId],
    'update_profile',
  );
}

/** Takes the traders of a manager who is none any more away from them (A80). */
export async function unassignTradersOf(tx: Queryable, managerId: string): Promise<void> {
  await tx.query(`update app.users set manager_id = null where manager_id = $1`, [managerId]);
}

export async function hasOtherAdmin(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(`select from app.users where role = 'admin' and id <> $1 limit 1`, [
    id,
  ]);
  return rowCount > 0;
}

/** A user as the table API returns it. */
export async function getUserRow(db: Queryable, id: string): Promise<UserRow> {
  const { rows } = await db.query<{ row: UserRow }>(
    `select row_to_json(u) as row from api.users u where u.id = $1`,
    [id],
    'user_row',
  );
  const [found] = rows;
  if (!found) throw userNotFound();
  return found.row;
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
  if (!user) throw new IdentityError('session_ended');
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
