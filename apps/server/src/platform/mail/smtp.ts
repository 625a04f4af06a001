/**
 * Sends mail over SMTP, one connection per mail. Invariants: each send ends within `sendMs`, however slow the server is;
 * `SMTP_URL` decides on TLS, without a silent downgrade; certificates are checked.
 *
 * Known limitation: a mail whose acknowledgement is lost is sent a second time.
 */
import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { SmtpServer } from '../config/mail.ts';
import { MailError } from './mail-error.ts';
import { buildMime } from './mime.ts';
import type { MailTransport } from './types.ts';

const connectMs = 10_000;
/** Idle time that ends a connection. */
const silenceMs = 15_000;
const sendMs = 60_000;

export function createSmtp(server: SmtpServer): MailTransport {
  const sockets = new Set<Socket>();
  let closed = false;

  /** The sender opens the socket itself, so that `close` and the deadline can abort it. */
  const openSocket = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Error('the mail service is closed'));
      const socket = connect({ host: server.host, port: server.port });
      sockets.add(socket);
      const deadline = setTimeout(() => {
        socket.destroy(new Error(`sending took longer than ${sendMs / 1000} s`));
      }, sendMs);
      socket.once('close', () => {
        clearTimeout(deadline);
        sockets.delete(socket);
        reject(new Error('the connection was closed'));
      });
      const slow = setTimeout(
        () => socket.destroy(new Error(`no connection within ${connectMs / 1000} s`)),
        connectMs,
      );
      // This handler stays: an unhandled 'error', as during the TLS upgrade, would end the process.
      socket.on('error', reject);
      socket.once('close', () => clearTimeout(slow));
      socket.once('connect', () => {
        clearTimeout(slow);
        resolve(socket);
      });
    });

  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'none',
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    getSocket: (_options, callback) => {
      openSocket().then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, undefined),
      );
    },
  });

  return {
    async send(mail) {
      try {
        await transport.sendMail(buildMime(mail));
      } catch (error) {
        throw toMailError(error as SmtpFailure);
      }
    },
    close() {
      closed = true;
      for (const socket of sockets) socket.destroy();
      transport.close();
    },
  };
}

interface SmtpFailure extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** A 5xx about this mail is final (RFC 5321 §4.2.1); one about this server, as at the login, needs the operator. */
function toMailError(error: SmtpFailure): MailError {
  const { code = 'ESMTP', command, responseCode = 0 } = error;
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA';
  const retry = aboutTheMail && responseCode >= 500 ? 'final' : 'later';
  const at = command === undefined ? '' : ` at ${command}`;
  // A server's response may quote the mail, as may an error about an address: only codes are logged.
  const detail =
    responseCode > 0 || code === 'EENVELOPE' ? ` ${responseCode}${at}` : `${at}: ${error.message}`;
  return new MailError(`SMTP ${code}${detail}`, retry, { cause: error });
}
