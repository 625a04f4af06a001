/**
 * Writers of the system's mails: the recovery link, and the notices of a changed password or email. Invariants: the secrets of
 * a link are created when its mail is sent, and only their SHA-256 is stored; a mail whose cause is void is not sent.
 */
import { createHash, randomBytes } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { MailWriter } from '../../platform/mail/queue.ts';
import type { Services } from '../../platform/services.ts';
import { emailChangedMail, passwordChangedMail, recoveryMail } from './mail-texts.ts';

/** How long a link works, and how long its mail may take to leave. */
const lifetimeMinutes = 30;
export const lifetimeMs = lifetimeMinutes * minuteMs;
/** How long rows of used and expired links are stored. */
const retentionMs = dayMs;

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const createSecret = (): string => randomBytes(32).toString('base64url');

export function createIdentityMails({
  db,
  publicUrl,
  clock,
}: Pick<Services, 'db' | 'clock'> & {
  /** Without a trailing slash; a function, because the port may be known late. */
  readonly publicUrl: () => string;
}) {
  /** Creates the link's secrets. Returns nothing when the user, their email or their password changed. */
  const writeRecovery: MailWriter = async ({ recipient, detail }) => {
    const [code, token] = [createSecret(), createSecret()];
    const { rows } = await db.query<{ pkce: boolean }>(
      `update app.recoveries r
       set code_hash = case when r.code_challenge is null then null else $3::bytea end, token_hash = $4, expires_at = $5
       from app.users u, app.credentials c
       where r.id = $1 and r.used_at is null and u.id = r.user_id and u.email = $2
         and c.user_id = u.id and c.changed_at <= r.requested_at
       returning r.code_challenge is not null as pkce`,
      [detail.recovery_id, recipient, hashOf(code), hashOf(token), new Date(clock.now() + lifetimeMs)],
      'write_recovery',
    );
    const [open] = rows;
    if (!open) return null;
    const link = new URL(`${publicUrl()}/auth/callback`);
    if (open.pkce) link.searchParams.set('code', code);
    link.searchParams.set('token_hash', token);
    link.searchParams.set('type', 'recovery');
    return { to: recipient, ...recoveryMail(link.href, lifetimeMinutes) };
  };

  const notice =
    (write: typeof passwordChangedMail): MailWriter =>
    async ({ recipient }) => ({ to: recipient, ...write(publicUrl()) });

  return {
    writers: {
      recovery: writeRecovery,
      password_changed: notice(passwordChangedMail),
      email_changed: notice(emailChangedMail),
    },
    /** Deletes old rows behind recovery mails. */
    prune: async (at: Date): Promise<void> => {
      await db.query(`delete from app.recoveries where expires_at < $1`, [
        new Date(at.getTime() - retentionMs),
      ]);
    },
  };
}
