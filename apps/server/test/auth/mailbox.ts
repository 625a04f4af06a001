/** Reads what the server sent: the files of the outbox, and a real SMTP server on the loopback address. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { SmtpServer } from '../../src/platform/config/mail.ts';

export interface Received {
  readonly to: string;
  /** The whole mail with its headers, as it came. */
  readonly raw: string;
}

/** Quoted-printable and base64 parts as readable text (RFC 2045 §6). */
export function readable(raw: string): string {
  return raw
    .split(/\r?\n\r?\n/)
    .map((part) =>
      /^[A-Za-z0-9+/=\s]+$/.test(part) && part.length > 60
        ? Buffer.from(part, 'base64').toString()
        : part
            .replaceAll(/=\r?\n/g, '')
            .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
    .join('\n\n');
}

/** The recovery link of a mail. */
export function linkIn(raw: string): URL {
  const [link] = /https?:\/\/\S+\/auth\/callback\?\S+/.exec(readable(raw)) ?? [];
  if (link === undefined) throw new Error(`no link in:\n${raw}`);
  return new URL(link);
}

export const secretsIn = (raw: string) => {
  const { searchParams } = linkIn(raw);
  return { code: searchParams.get('code'), tokenHash: searchParams.get('token_hash')! };
};

/** Mails in an outbox, the oldest first. */
export function mailsIn(outbox: string): string[] {
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox)
    .sort()
    .map((name) => readFileSync(join(outbox, name), 'utf8'));
}

/** An SMTP server that takes every mail, unless `options` say otherwise. */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  let receive: (session: SMTPServerSession) => void = () => undefined;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        receive(session);
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  // A client that is cut off is what some tests are about.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port');
  const at: SmtpServer = { host: '127.0.0.1', port: address.port, tls: 'none', login: null };
  return {
    received,
    at,
    whenMail: (listener: typeof receive) => {
      receive = listener;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
