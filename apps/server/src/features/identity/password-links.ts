/**
 * Links with which an imported user chooses their first password, on the rows and the page of password recovery. Invariants: a link works
 * once, for seven days; only its SHA-256 is stored; the next sign-in by any link of the user voids it.
 */
import type { Queryable } from '../../platform/database/index.ts';
import { enqueueStaffMail } from '../../platform/mail/queue.ts';
import { createSecret, hashOf, invitationLifetimeMs, passwordLink } from './recovery-mails.ts';

const insert = `
  insert into app.recoveries (user_id, purpose, requested_at, expires_at, token_hash)
  values ($1, 'invitation', $2, $3, $4) returning id`;

const expiryOf = (at: Date): Date => new Date(at.getTime() + invitationLifetimeMs);

/** Makes a link, which is in the answer alone. `publicUrl` is without a trailing slash. */
export async function createPasswordLink(
  tx: Queryable,
  { userId, publicUrl, at }: { readonly userId: string; readonly publicUrl: string; readonly at: Date },
): Promise<string> {
  const token = createSecret();
  await tx.query(insert, [userId, at, expiryOf(at), hashOf(token)], 'create_password_link');
  return passwordLink(publicUrl, { token });
}

/** Queues the mail with a link, which is made when it is sent. @throws AppError `busy` when too many mails wait */
export async function enqueuePasswordLink(
  tx: Queryable,
  { userId, recipient, at }: { readonly userId: string; readonly recipient: string; readonly at: Date },
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    insert,
    [userId, at, expiryOf(at), null],
    'create_password_link',
  );
  const detail = { recovery_id: rows[0]?.id ?? '' };
  await enqueueStaffMail(tx, { kind: 'invitation', recipient, detail }, at);
}
