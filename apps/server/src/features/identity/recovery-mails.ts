/**
 * Writers of the system's mails: the links of a recovery and of an invitation, and the notices of a changed password or email. Invariants: the secrets of
 * a link are created when its mail is sent, and only their SHA-256 is stored; a mail whose cause is void is not sent.
 */
import { createHash, randomBytes } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { MailWriter } from '../../platform/mail/queue.ts';
import type { Services } from '../../platform/services.ts';
import { emailChangedMail, invitationMail, passwordChangedMail, recoveryMail } from './mail-texts.ts';

/** How long a link works, and how long its mail may take to leave. */
const lifetimeMinutes = 30;
export const lifetimeMs = lifetimeMinutes * minuteMs;
/** How long an imported user may take to choose a password. */
const invitationDays = 7;
export const invitationLifetimeMs = invitationDays * dayMs;
/** How long rows of used and expired links are stored. */
const retentionMs = dayMs;

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** The address that a link opens; a code works only in the browser that requested it. */
export function passwordLink(
  publicUrl: string,
  { code, token }: { readonly code?: string | undefined; readonly token: string },
): string {
  const link = new URL(`${publicUrl}/auth/callback`);
  if (code !== undefined) link.searchParams.set('code', code);
  link.searchParams.set('token_hash', token);
  link.searchParams.set('type', 'recovery');
  return link.href;
}

export function createIdentityMails({
  db,
  publicUrl,
  clock,
}: Pick<Services, 'db' | 'clock'> & {
  /** Without a trailing slash; a function, because the port may be known late. */
  readonly publicUrl: () => string;
}) {
  /** Creates the link's secrets. Returns nothing when the user, their email or their password changed. */
  const writeLink =
    (lifetime: number, compose: (link: string) => ReturnType<typeof recoveryMail>): MailWriter =>
    async ({ recipient, detail }) => {
      const [code, token] = [createSecret(), createSecret()];
      const { rows } = await db.query<{ pkce: boolean }>(
        `update app.recoveries r
         set code_hash = case when r.code_challenge is null then null else $3::bytea end, token_hash = $4, expires_at = $5
         from app.users u, app.credentials c
         where r.id = $1 and r.used_at is null and u.id = r.user_id and u.email = $2
           and c.user_id = u.id and c.changed_at <= r.requested_at
         returning r.code_challenge is not null as pkce`,
        [detail.recovery_id, recipient, hashOf(code), hashOf(token), new Date(clock.now() + lifetime)],
        'write_recovery',
      );
      const [open] = rows;
      if (!open) return null;
      const link = passwordLink(publicUrl(), { code: open.pkce ? code : undefined, token });
      return { to: recipient, ...compose(link) };
    };

  const notice =
    (write: typeof passwordChangedMail): MailWriter =>
    async ({ recipient }) => ({ to: recipient, ...write(publicUrl()) });

  return {
    writers: {
      recovery: writeLink(lifetimeMs, (link) => recoveryMail(link, lifetimeMinutes)),
      invitation: writeLink(invitationLifetimeMs, (link) => invitationMail(link, invitationDays)),
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
