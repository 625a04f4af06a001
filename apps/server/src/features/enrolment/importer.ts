/**
 * Imports rows of users, for an admin and for the operator. Invariants: each user is one transaction with account, wallet, audit row and
 * link; nobody is created twice, because an email exists once; a user of an import has no password that anybody knows; each link has an
 * audit row.
 */
import { AppError, type ErrorCode, texts } from '@fulcrum/contract';
import { type ImportedUser, type ImportRow, importableRoles, readImportRow } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import {
  createPasswordLink,
  enqueuePasswordLink,
  IdentityError,
  insertUser,
  makeUnusableHash,
  recordUserCreation,
  requireManager,
  type User,
} from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';

/** How the users get their links to choose a password. */
export type LinkDelivery = 'mail' | 'file';

interface ImportTerms {
  readonly importId: string;
  readonly links: LinkDelivery;
  /** Null: the operator of the machine. */
  readonly actorId: string | null;
  /** Takes the staff lock, and proves that the actor may still import. */
  readonly lock: (tx: Queryable) => Promise<void>;
}

interface JudgedRow {
  readonly email: string;
  readonly verdict: 'new' | 'exists' | 'refused';
  readonly message: string | null;
  readonly startBalance: bigint;
  /** Of a new one. */
  readonly user?: ImportedUser & { readonly managerId: string | null; readonly classId: string | null };
  /** Of one who exists. */
  readonly existing?: { readonly id: string; readonly importId: string | null };
}

export interface ImportedRow {
  readonly email: string;
  readonly username: string | null;
  readonly verdict: 'created' | 'exists' | 'refused';
  readonly message: string | null;
  readonly link: string | null;
}

export function createImporter({
  db,
  bus,
  clock,
  joinClass,
  publicUrl,
  wakeMails,
}: Pick<EnrolmentDependencies, 'db' | 'bus' | 'clock' | 'joinClass' | 'publicUrl' | 'wakeMails'>) {
  /** The verdict on each row, in order, by what the database holds now. */
  async function judge(rows: readonly ImportRow[]): Promise<readonly JudgedRow[]> {
    const read = rows.map((row) => ({ row, result: readImportRow(row) }));
    const users = read.flatMap(({ result }) => ('user' in result ? [result.user] : []));
    const [existing, names, managers, classes] = await Promise.all([
      findExisting(
        db,
        users.map(({ email }) => email),
      ),
      findNames(
        db,
        users.map(({ username }) => username),
      ),
      findManagers(
        db,
        users.flatMap(({ manager }) => manager ?? []),
      ),
      findClasses(
        db,
        users.flatMap(({ className }) => className ?? []),
      ),
    ]);
    return read.map(({ row, result }): JudgedRow => {
      if ('objection' in result) {
        return { email: row.email, verdict: 'refused', message: result.objection, startBalance: 0n };
      }
      const { user } = result;
      const { email, startBalance } = user;
      const known = existing.get(email);
      if (known) return { email, verdict: 'exists', message: null, startBalance: 0n, existing: known };
      const refused = (message: string): JudgedRow => ({
        ...{ email, verdict: 'refused', message, startBalance: 0n },
      });
      if (names.has(user.username.toLowerCase())) return refused(new IdentityError('username_taken').message);
      const managerId = user.manager === null ? null : managers.get(user.manager.toLowerCase());
      if (managerId === undefined) return refused(`There is no manager ${user.manager}.`);
      const inClass = user.className === null ? null : classes.get(user.className.toLowerCase());
      if (inClass === undefined) return refused(`There is no class ${user.className}.`);
      if (inClass !== null && inClass.endsAt.getTime() <= clock.now()) {
        return refused(texts.classEnded(inClass.endsAt));
      }
      const classId = inClass?.id ?? null;
      return { email, verdict: 'new', message: null, startBalance, user: { ...user, managerId, classId } };
    });
  }

  async function linkFor(tx: Queryable, user: Pick<User, 'id' | 'email'>, links: LinkDelivery, at: Date) {
    if (links === 'file') return createPasswordLink(tx, { userId: user.id, publicUrl: publicUrl(), at });
    await enqueuePasswordLink(tx, { userId: user.id, recipient: user.email, at });
    return null;
  }

  async function createOne(
    user: NonNullable<JudgedRow['user']>,
    { importId, links, actorId, lock }: ImportTerms,
  ): Promise<ImportedRow> {
    const at = new Date(clock.now());
    const { email, username, role, phoneNumber, managerId, classId, startBalance: initialBalance } = user;
    const account = { email, username, role, phoneNumber, managerId, initialBalance };
    const link = await insertUser(db, { ...account, passwordHash: makeUnusableHash() }, at, {
      before: async (tx) => {
        await lock(tx);
        if (managerId !== null) await requireManager(tx, managerId);
      },
      after: async (tx, created) => {
        await tx.query('insert into app.imported_users (user_id, import_id) values ($1, $2)', [
          created.id,
          importId,
        ]);
        await recordUserCreation(tx, { actorId, user: created, initialBalance, at, importId });
        if (classId !== null) await joinClass(tx, { classId, userId: created.id, actorId, at });
        return linkFor(tx, created, links, at);
      },
    });
    return { email, username, verdict: 'created', message: null, link };
  }

  /**
   * A fresh link, where links are in the answer, for a user of this import who has not signed in: the answer with the first one was lost.
   * One who has another role by now gets none, because the link signs its reader in. @throws AppError not_found for who was deleted
   */
  async function repeatOne(
    row: JudgedRow,
    existing: NonNullable<JudgedRow['existing']>,
    { importId, links, actorId, lock }: ImportTerms,
  ): Promise<ImportedRow> {
    const base = { email: row.email, username: null, message: null, link: null };
    if (existing.importId !== importId) return { ...base, verdict: 'exists' };
    const repeated = { ...base, verdict: 'created' } as const;
    if (links === 'mail') return repeated;
    return db.transaction(async (tx) => {
      await lock(tx);
      const { rows } = await tx.query<{ username: string; role: string; isUnused: boolean }>(
        `select username, role, last_login is null as "isUnused" from app.users where id = $1 and email = $2 for no key update`,
        [existing.id, row.email],
        'import_repeated',
      );
      const [user] = rows;
      if (!user) throw new AppError('not_found', texts.userNotFound);
      if (!user.isUnused || !importableRoles.some((role) => role === user.role)) return repeated;
      const at = new Date(clock.now());
      await recordAuditEntry(tx, {
        ...{ at, actorId, subjectId: existing.id, action: 'users.import', objectId: importId },
        detail: { links },
      });
      const link = await linkFor(tx, { id: existing.id, email: row.email }, links, at);
      return { ...repeated, username: user.username, link };
    });
  }

  /**
   * Imports one judged row; what refuses it is its verdict, so it does not stop the others.
   * @throws AppError `not_signed_in` when the actor may import no more, `busy` when too many mails wait
   */
  async function importOne(row: JudgedRow, terms: ImportTerms): Promise<ImportedRow> {
    const { email, message } = row;
    const { user, existing } = row;
    try {
      if (existing) return await repeatOne(row, existing, terms);
      if (user) return await createOne(user, terms);
      return { email, username: null, verdict: 'refused', message, link: null };
    } catch (error) {
      // Taken by somebody else since the verdict.
      if (error instanceof IdentityError && error.reason === 'email_taken') {
        return { email, username: null, verdict: 'exists', message: null, link: null };
      }
      if (error instanceof AppError && !endsImport.has(error.code)) {
        return { email, username: null, verdict: 'refused', message: error.message, link: null };
      }
      throw error;
    }
  }

  return {
    judge,

    /** Imports the rows one after the other; each is committed by itself. @throws as `importOne` */
    async run(
      rows: readonly ImportRow[],
      rowsInAll: number,
      terms: ImportTerms,
    ): Promise<readonly ImportedRow[]> {
      await db.transaction(async (tx) => {
        await terms.lock(tx);
        const at = new Date(clock.now());
        const { importId, actorId, links } = terms;
        const { rowCount } = await tx.query(
          `insert into app.user_imports (id, actor_id, created_at) values ($1, $2, $3) on conflict (id) do nothing`,
          [importId, actorId, at],
        );
        if (rowCount === 0) return;
        await recordAuditEntry(tx, {
          ...{ at, actorId, subjectId: null, action: 'users.import', objectId: importId },
          detail: { rows: rowsInAll, links },
        });
      });
      const imported: ImportedRow[] = [];
      const managerIds = new Set<string>();
      try {
        for (const row of await judge(rows)) {
          const outcome = await importOne(row, terms);
          imported.push(outcome);
          if (outcome.verdict === 'created' && row.user?.managerId) managerIds.add(row.user.managerId);
        }
      } finally {
        if (managerIds.size > 0) bus.publish('traders.changed', { managerIds: [...managerIds] });
        if (terms.links === 'mail') wakeMails();
      }
      return imported;
    },
  };
}

/** Refusals of all rows, not of one. */
const endsImport: ReadonlySet<ErrorCode> = new Set(['not_signed_in', 'busy']);

type Existing = NonNullable<JudgedRow['existing']>;

async function findExisting(
  db: Queryable,
  emails: readonly string[],
): Promise<ReadonlyMap<string, Existing>> {
  const { rows } = await db.query<Existing & { email: string }>(
    `select u.email, u.id, i.import_id as "importId"
     from app.users u left join app.imported_users i on i.user_id = u.id where u.email = any($1::text[])`,
    [emails],
    'import_existing',
  );
  return new Map(rows.map(({ email, ...row }) => [email, row]));
}

async function findNames(db: Queryable, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ given: string }>(
    `select n.given from unnest($1::text[]) as n (given) join app.users u on lower(u.username) = lower(n.given)`,
    [names],
    'import_names',
  );
  return new Set(rows.map(({ given }) => given.toLowerCase()));
}

/** Ids of managers by their email and by their name, both in lowercase. */
async function findManagers(db: Queryable, named: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; given: string }>(
    `select distinct u.id, lower(n.given) as given from unnest($1::text[]) as n (given)
     join app.users u on u.role = 'manager' and (u.email = lower(n.given) or lower(u.username) = lower(n.given))`,
    [named],
    'import_managers',
  );
  return new Map(rows.map(({ id, given }) => [given, id]));
}

interface NamedClass {
  readonly id: string;
  readonly endsAt: Date;
}

/** Classes by their name in lowercase. */
async function findClasses(
  db: Queryable,
  named: readonly string[],
): Promise<ReadonlyMap<string, NamedClass>> {
  const { rows } = await db.query<NamedClass & { name: string }>(
    `select c.id, c.ends_at as "endsAt", lower(c.name) as name from app.classes c
     where lower(c.name) in (select lower(n) from unnest($1::text[]) as n)`,
    [named],
    'import_classes',
  );
  return new Map(rows.map(({ name, ...found }) => [name, found]));
}
