/**
 * The addresses of an account that take signals. Invariants: the secret of an address is 32 random bytes, answered once and stored as
 * its SHA-256 (a random value needs no slow hash); an account has at most `signalHooksOfAccount` that are not revoked; another
 * user's account and address do not exist for the caller.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { AppError, type ArgsOf, type SignalHook, type SignedIn, texts } from '@fulcrum/contract';
import { checkHookName, normaliseHookName } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { IdentityError, lockLiveSession } from '../identity/index.ts';
import type { SignalsDependencies } from './dependencies.ts';

const { signalHooksOfAccount, signalHooksMade } = defaultLimits;
const secretBytes = 32;
/** In base64url. */
const secretForm = /^[\w-]{43}$/;

const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Null for a text that no address has; it then needs no query. */
export const hashSecret = (secret: string): Buffer | null => (secretForm.test(secret) ? hash(secret) : null);

const rowSql = `json_build_object('id', h.id, 'account_id', h.account_id, 'name', h.name, 'created_at', h.created_at,
  'last_used_at', h.last_used_at)`;

/** @throws AppError `not_found` for another user's account, `account_archived` */
export async function requireOwnAccount(
  db: Queryable,
  ownerId: string,
  accountId: string,
  lock: '' | 'for no key update' = '',
): Promise<{ readonly isArchived: boolean }> {
  const { rows } = await db.query<{ isArchived: boolean }>(
    `select status = 'archived' as "isArchived" from app.trading_accounts where id = $1 and owner_id = $2 ${lock}`,
    [accountId, ownerId],
  );
  const [account] = rows;
  if (!account) throw new AppError('not_found', texts.accountGone);
  return account;
}

/** @throws AppError `invalid_argument` */
function requireName(given: string): string {
  const objection = checkHookName(given);
  if (objection !== null) throw new AppError('invalid_argument', objection);
  return normaliseHookName(given);
}

export function createHooks({ db, clock, publicUrl }: SignalsDependencies) {
  return {
    /** @throws AppError `not_found`, `account_archived`, `invalid_argument`, `conflict` beyond the limit; AccountError `session_ended`; TooManyAttempts */
    create_signal_hook: async (caller: SignedIn, args: ArgsOf<'create_signal_hook'>) => {
      const accountId = args.p_account_id.toLowerCase();
      const name = requireName(args.p_name);
      const secret = randomBytes(secretBytes).toString('base64url');
      const id = randomUUID();
      const at = new Date(clock.now());
      const hook = await db.transaction(async (tx) => {
        // A change of role ends the sessions with the addresses: none is made after it.
        if (!(await lockLiveSession(tx, caller))) throw new IdentityError('session_ended');
        const { isArchived } = await requireOwnAccount(tx, caller.userId, accountId, 'for no key update');
        if (isArchived) throw new AppError('account_archived', texts.accountArchived);
        await requireRoom(tx, accountId);
        await countAttempt(tx, signalHooksMade, caller.userId, at);
        const { rows } = await tx.query<{ hook: SignalHook }>(
          `insert into app.signal_hooks as h (id, account_id, name, secret_hash, created_at) values ($1, $2, $3, $4, $5)
           returning ${rowSql} as hook`,
          [id, accountId, name, hash(secret), at],
        );
        await audit(tx, caller, 'signal_hook.create', id, accountId, at);
        return rows[0]?.hook;
      });
      if (!hook) throw new Error('a written address exists');
      return { ...hook, address: `${publicUrl()}/hooks/${secret}` };
    },

    /** @throws AppError `not_found` */
    revoke_signal_hook: (
      caller: SignedIn,
      { p_hook_id }: ArgsOf<'revoke_signal_hook'>,
    ): Promise<{ id: string }> => {
      const id = p_hook_id.toLowerCase();
      const at = new Date(clock.now());
      return db.transaction(async (tx) => {
        const { rows } = await tx.query<{ accountId: string; isRevoked: boolean }>(
          `select h.account_id as "accountId", h.revoked_at is not null as "isRevoked"
           from app.signal_hooks h join app.trading_accounts a on a.id = h.account_id
           where h.id = $1 and a.owner_id = $2 for no key update of h`,
          [id, caller.userId],
        );
        const [hook] = rows;
        if (!hook) throw new AppError('not_found', 'This address is gone. Read the list again.');
        if (hook.isRevoked) return { id };
        await tx.query('update app.signal_hooks set revoked_at = $2 where id = $1', [id, at]);
        await audit(tx, caller, 'signal_hook.revoke', id, hook.accountId, at);
        return { id };
      });
    },

    /** @throws AppError `not_found` */
    list_signal_hooks: async (caller: SignedIn, { p_account_id }: ArgsOf<'list_signal_hooks'>) => {
      const accountId = p_account_id?.toLowerCase() ?? caller.accountId;
      await requireOwnAccount(db, caller.userId, accountId);
      const { rows } = await db.query<{ hook: SignalHook }>(
        `select ${rowSql} as hook from app.signal_hooks h where h.account_id = $1 and h.revoked_at is null
         order by h.created_at, h.id`,
        [accountId],
        'list_signal_hooks',
      );
      return rows.map(({ hook }) => hook);
    },
  };
}

/** @throws AppError `conflict` */
async function requireRoom(tx: Queryable, accountId: string): Promise<void> {
  const { rows } = await tx.query<{ hooks: number }>(
    'select count(*)::int as hooks from app.signal_hooks where account_id = $1 and revoked_at is null',
    [accountId],
  );
  if ((rows[0]?.hooks ?? 0) < signalHooksOfAccount.most) return;
  throw new AppError(
    'conflict',
    `This account has ${signalHooksOfAccount.most} addresses. Revoke one first.`,
  );
}

const audit = (
  tx: Queryable,
  { userId, actorId }: SignedIn,
  action: 'signal_hook.create' | 'signal_hook.revoke',
  objectId: string,
  accountId: string,
  at: Date,
) =>
  recordAuditEntry(tx, {
    ...{ at, actorId, subjectId: userId, action, objectId },
    detail: accountId === userId ? {} : { account_id: accountId },
  });
