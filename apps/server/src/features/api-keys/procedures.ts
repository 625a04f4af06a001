/**
 * Makes, lists and revokes keys. Invariants: a secret is in the answer to its creation and nowhere else; each act is in the audit log
 * by its own transaction; none is possible during impersonation or with a key; to staff the keys of a user whom they may not
 * manage do not exist.
 */
import { randomUUID } from 'node:crypto';
import {
  type ApiKeyRow,
  type ApiKeyScope,
  AppError,
  type ArgsOf,
  type ResultOf,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { type AccountKind, apiKeyFaults, checkApiKeyName, dayMs, normaliseApiKeyName } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import {
  guardFromImpersonation,
  IdentityError,
  lockLiveSession,
  lockStaffChanges,
} from '../identity/index.ts';
import { requireTrader } from '../trading/index.ts';
import { parseAddresses } from './addresses.ts';
import { keyStartLength, newApiKey, newSecret, type SecretBox } from './credentials.ts';
import type { ApiKeyDependencies } from './dependencies.ts';

const { apiKeysOfAccount, apiKeysMade } = defaultLimits;
/** How long an ended key stays in the list. */
const endedRetentionMs = 30 * dayMs;
const listedMax = 200;

const keyNotFound = () => new AppError('not_found', 'This API key is gone.');

interface StoredRow {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly account_kind: AccountKind;
  readonly key_start: string;
  readonly scopes: ApiKeyScope[];
  readonly addresses: string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
  readonly revoked_at: Date | null;
}

const rowsSql = `
  select k.id, k.name, k.account_id, a.name as account_name, a.kind as account_kind,
         left(k.api_key, ${keyStartLength}) as key_start, k.scopes, k.addresses, k.created_at, k.expires_at, k.last_used_at,
         k.last_used_address, k.revoked_at
  from app.api_keys k join app.trading_accounts a on a.id = k.account_id`;

const toRow = (row: StoredRow): ApiKeyRow => ({
  ...row,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

async function readRow(tx: Queryable, id: string): Promise<ApiKeyRow> {
  const { rows } = await tx.query<StoredRow>(`${rowsSql} where k.id = $1`, [id]);
  const [row] = rows;
  if (!row) throw new Error('a written API key exists');
  return toRow(row);
}

/** The log outlives the account: the name of a key is its user's text and stays out of it. */
const auditDetail = ({ account_id, scopes, addresses, expires_at }: ApiKeyRow) => ({
  account_id,
  scopes,
  addresses: addresses.length,
  expires_at,
});

export function createProcedures(
  { db, clock }: Pick<ApiKeyDependencies, 'db' | 'clock'>,
  box: SecretBox,
  announce: (keyIds: readonly string[]) => void,
) {
  /** @throws AppError `not_found` for another user's account, `account_archived` */
  async function lockAccount(tx: Queryable, ownerId: string, accountId: string): Promise<void> {
    const { rows } = await tx.query<{ status: string }>(
      'select status from app.trading_accounts where id = $1 and owner_id = $2 for no key update',
      [accountId, ownerId],
    );
    const [account] = rows;
    if (!account) throw new AppError('not_found', texts.accountGone);
    if (account.status !== 'active') throw new AppError('account_archived', texts.accountArchived);
  }

  /** @throws AppError `conflict` for a name in use or beyond the limit */
  async function requireRoom(tx: Queryable, accountId: string, name: string, at: Date): Promise<void> {
    await tx.query('delete from app.api_keys where account_id = $1 and least(revoked_at, expires_at) <= $2', [
      accountId,
      new Date(at.getTime() - endedRetentionMs),
    ]);
    const { rows } = await tx.query<{ name: string }>(
      `select lower(name) as name from app.api_keys
       where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
      [accountId, at],
    );
    if (rows.some((row) => row.name === name.toLowerCase())) {
      throw new AppError('conflict', apiKeyFaults.nameTaken, { details: 'p_name' });
    }
    if (rows.length >= apiKeysOfAccount.most) {
      throw new AppError('conflict', `This account has ${apiKeysOfAccount.most} keys. Revoke one first.`);
    }
  }

  /**
   * The account of a key, locked with it; staff reach those of traders they may manage.
   * @throws AppError `not_found`, `reason_required` for staff
   */
  async function lockKey(tx: Queryable, caller: SignedIn, { p_key_id, p_reason }: RevokeArgs) {
    // In front of the key's row: a change of role takes both in this order.
    if (caller.role !== 'trader') await lockStaffChanges(tx, caller);
    const { rows } = await tx.query<{ accountId: string; ownerId: string; isRevoked: boolean }>(
      `select k.account_id as "accountId", a.owner_id as "ownerId", k.revoked_at is not null as "isRevoked"
       from app.api_keys k join app.trading_accounts a on a.id = k.account_id
       where k.id = $1 for no key update of k`,
      [p_key_id],
    );
    const [key] = rows;
    if (!key) throw keyNotFound();
    if (key.ownerId === caller.userId) return { ...key, reason: null };
    if (caller.role === 'trader') throw keyNotFound();
    const reason = requireReason(p_reason);
    try {
      await requireTrader(tx, caller, key.accountId);
    } catch (error) {
      // A key of a user beyond reach does not exist.
      throw error instanceof AppError && error.code === 'not_found' ? keyNotFound() : error;
    }
    return { ...key, reason };
  }

  return guardFromKeys(
    guardFromImpersonation({
      /**
       * @throws AppError `invalid_argument` and `conflict` with the argument in `details`, `not_found`, `account_archived`; AccountError
       * `session_ended`; TooManyAttempts
       */
      async create_api_key(
        caller: SignedIn,
        args: ArgsOf<'create_api_key'>,
      ): Promise<ResultOf<'create_api_key'>> {
        const name = requireName(args.p_name);
        const addresses = parseAddresses(args.p_addresses ?? []);
        const accountId = args.p_account_id.toLowerCase();
        const at = new Date(clock.now());
        const expiresAt = requireFuture(args.p_expires_at ?? null, at);
        const scopes = args.p_scopes.includes('trade') ? ['read', 'trade'] : ['read'];
        const [id, apiKey, secret] = [randomUUID(), newApiKey(), newSecret()];
        const row = await db.transaction(async (tx) => {
          if (!(await lockLiveSession(tx, caller))) throw new IdentityError('session_ended');
          await lockAccount(tx, caller.userId, accountId);
          await requireRoom(tx, accountId, name, at);
          await countAttempt(tx, apiKeysMade, caller.userId, at);
          await tx.query(
            `insert into app.api_keys (id, account_id, name, api_key, secret, scopes, addresses, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
            [id, accountId, name, apiKey, box.seal(id, secret), scopes, addresses, at, expiresAt],
          );
          const written = await readRow(tx, id);
          await recordAuditEntry(tx, {
            at,
            actorId: caller.userId,
            subjectId: caller.userId,
            action: 'api_key.create',
            objectId: id,
            detail: auditDetail(written),
          });
          return written;
        });
        return { ...row, api_key: apiKey, secret };
      },

      /** @throws AppError `not_found`, `not_allowed` for staff who name a user they may not manage */
      async list_api_keys(caller: SignedIn, { p_user_id }: ArgsOf<'list_api_keys'>): Promise<ApiKeyRow[]> {
        const ownerId = p_user_id?.toLowerCase() ?? caller.userId;
        if (ownerId !== caller.userId) await requireTrader(db, caller, ownerId);
        const { rows } = await db.query<StoredRow>(
          `${rowsSql} where a.owner_id = $1 and (least(k.revoked_at, k.expires_at) > $3) is not false
           order by k.revoked_at is not null or (k.expires_at <= $2) is true, k.created_at desc, k.id limit ${listedMax}`,
          [ownerId, new Date(clock.now()), new Date(clock.now() - endedRetentionMs)],
          'list_api_keys',
        );
        return rows.map(toRow);
      },

      /** @throws AppError `not_found`, `not_allowed`, `reason_required`; AccountError `session_ended` */
      async revoke_api_key(caller: SignedIn, args: RevokeArgs): Promise<ApiKeyRow> {
        const at = new Date(clock.now());
        const row = await db.transaction(async (tx) => {
          const { ownerId, isRevoked, reason } = await lockKey(tx, caller, args);
          if (isRevoked) return readRow(tx, args.p_key_id);
          await tx.query('update app.api_keys set revoked_at = $2 where id = $1', [args.p_key_id, at]);
          const revoked = await readRow(tx, args.p_key_id);
          await recordAuditEntry(tx, {
            at,
            actorId: caller.userId,
            subjectId: ownerId,
            action: 'api_key.revoke',
            objectId: revoked.id,
            reason,
            detail: auditDetail(revoked),
          });
          return revoked;
        });
        announce([row.id]);
        return row;
      },
    }),
  );
}

type RevokeArgs = ArgsOf<'revoke_api_key'>;

type Handler = (caller: SignedIn, args: never) => Promise<unknown>;

/** Wraps the handlers: each refuses a caller with a key, whatever door it came through. */
function guardFromKeys<Handlers extends Record<string, Handler>>(handlers: Handlers): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const guard: Handler = async (caller, args) => {
      if (caller.apiKey) throw new AppError('not_allowed', texts.apiKeyRefused);
      return handler(caller, args);
    };
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Handlers;
}

/** @throws AppError `invalid_argument` with the text of the fault */
function requireName(given: string): string {
  const objection = checkApiKeyName(given);
  if (objection !== null) throw new AppError('invalid_argument', objection, { details: 'p_name' });
  return normaliseApiKeyName(given);
}

/** @throws AppError `invalid_argument` */
function requireFuture(given: string | null, now: Date): Date | null {
  if (given === null) return null;
  const expiresAt = new Date(given);
  if (expiresAt > now) return expiresAt;
  throw new AppError('invalid_argument', apiKeyFaults.endPassed, { details: 'p_expires_at' });
}
