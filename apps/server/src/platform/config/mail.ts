/**
 * The settings of mail: `SMTP_URL` and `MAIL_FROM`. Invariant: a mail leaves this machine unencrypted only with an explicit
 * `tls=none`, because links in mails open accounts.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from './hosts.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `required`: STARTTLS or no mail; `none`: plain text. */
  readonly tls: 'implicit' | 'required' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** A mail address, with the name that mail programs show for it. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

// One address, without characters that have a meaning in a header or an address list (RFC 5322 §3.2.3).
const address = /^[^\s\p{C}@<>()[\],;:\\"]{1,64}@[^\s\p{C}@<>()[\],;:\\"]{1,255}$/u;
const mailbox = /^(?:(?<name>[^\p{C}@<>()[\],;:\\"]{1,64}?) *<(?<named>[^<>]+)>|(?<bare>[^<>]+))$/u;

/** Whether a mail can be sent to the address; stricter than the check of the registration. */
export const isMailAddress = (text: string): boolean => address.test(text);

function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const implicit = url.protocol === 'smtps:';
  const parameters = [...url.searchParams];
  const [[name, value] = ['tls', undefined], ...more] = parameters;
  const known = value === undefined || value === 'required' || value === 'none';
  if (name !== 'tls' || more.length > 0 || !known || (implicit && value !== undefined)) return null;
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.hash !== '') return null;
  if (url.pathname !== '' && url.pathname !== '/') return null;
  const login = loginOf(url);
  if (login === undefined) return null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (implicit ? 465 : 587) : Number(url.port),
    tls: implicit ? 'implicit' : (value ?? (isLoopback(url.hostname) ? 'none' : 'required')),
    login,
  };
}

/** Returns undefined for a name without a password, or one that is not URL-encoded. */
function loginOf({ username, password }: URL): SmtpServer['login'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

export const smtpUrl = z.string().transform((text, context): SmtpServer => {
  const server = parseSmtpUrl(text);
  if (server !== null) return server;
  context.addIssue('not an SMTP address');
  return z.NEVER;
});

export const mailFrom = z.string().transform((text, context): Mailbox => {
  const parts = mailbox.exec(text)?.groups;
  const given = parts?.named ?? parts?.bare;
  if (given !== undefined && isMailAddress(given)) return { name: parts?.name ?? 'Fulcrum', address: given };
  context.addIssue('not a mail address');
  return z.NEVER;
});

/** The sender when none is set: an address at the host of the public address, where that is a name. */
export function defaultMailFrom(publicUrl: string): Mailbox {
  const { hostname } = new URL(publicUrl);
  const named = isIP(hostname) === 0 && hostname.includes('.');
  return { name: 'Fulcrum', address: `no-reply@${named ? hostname : 'fulcrum.local'}` };
}
