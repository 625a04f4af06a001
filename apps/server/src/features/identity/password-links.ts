/**
 * Links with which an imported user chooses their first password, on the rows and the page of password recovery. Invariants: a link works
 * once, for seven days; only its SHA-256 is stored; the next one, or a sign-in by any link of the user, voids it.
 */
import type { Queryable } from '../../platform/database/index.ts';
import { enqueueStaffMail } from '../../platform/mail/queue.ts';
import { endRecoveries } from './recovery.ts';
import { createSecret, hashOf, invitationLifetimeMs, passwordLink } from './recovery-mails.ts';

const insert = `
  insert into app.recoveries (user_id, purpose, requested_at, expires_at, token_hash, client_id)
  values ($1, 'invitation', $2, $3, $4, $5)`;

const expiryOf = (at: Date): Date => new Date(at.getTime() + invitationLifetimeMs);

interface LinkOf {
  readonly userId: string;
  readonly at: Date;
  /** Of the command, unless it may not be repeated. */
  readonly clientId?: string | null;
}

/**
 * Makes a link, which is in the answer alone; a repeat of the client id makes the former one void. `publicUrl` is without a trailing slash.
 */
export async function createPasswordLink(
  tx: Queryable,
  { userId, publicUrl, at, clientId = null }: LinkOf & { readonly publicUrl: string },
): Promise<string> {
  const token = createSecret();
  await endRecoveries(tx, userId, at);
  await tx.query(
    `${insert} on conflict (user_id, client_id) do update set requested_at = $2, expires_at = $3, token_hash = $4, used_at = null`,
    [userId, at, expiryOf(at), hashOf(token), clientId],
    'create_password_link',
  );
  return passwordLink(publicUrl, { token });
}

/**
 * Queues the mail with a link, which is made when it is sent. Resolves with false for a repeat of the client id, which sends nothing.
 * @throws AppError `busy` when too many mails wait
 */
export async function enqueuePasswordLink(
  tx: Queryable,
  { userId, recipient, at, clientId = null }: LinkOf & { readonly recipient: string },
): Promise<boolean> {
  const { rows: known } = await tx.query(
    'select from app.recoveries where user_id = $1 and client_id = $2',
    [userId, clientId],
    'known_password_link',
  );
  if (known.length > 0) return false;
  await endRecoveries(tx, userId, at);
  const { rows } = await tx.query<{ id: string }>(
    `${insert} on conflict (user_id, client_id) do nothing returning id`,
    [userId, at, expiryOf(at), null, clientId],
    'queue_password_link',
  );
  const [created] = rows;
  if (!created) return false;
  await enqueueStaffMail(
    tx,
    { kind: 'invitation', recipients: [recipient], detail: { recovery_id: created.id } },
    at,
  );
  return true;
}
