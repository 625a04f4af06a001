/**
 * Mail over SMTP, one connection a mail. Invariants: each send ends within `sendMs`, however slow the server is; TLS is
 * what `SMTP_URL` says and is never silently done without; certificates are checked.
 *
 * Known limitation: a server that takes a mail and is cut off before it says so gets the mail a second time.
 */
import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { SmtpServer } from '../config/mail.ts';
import type { Carrier } from './index.ts';
import { composed } from './letter.ts';
import { MailError } from './mail-error.ts';

const connectMs = 10_000;
/** Silence that ends a connection. */
const silenceMs = 15_000;
const sendMs = 60_000;

export function createSmtp(server: SmtpServer): Carrier {
  const sockets = new Set<Socket>();
  let closed = false;

  /** Our own socket, so that `close` and the deadline can cut it. */
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
      // It stays: an 'error' that nobody hears, as while TLS takes the socket over, would end the process.
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
    async carry(letter) {
      try {
        await transport.sendMail(composed(letter));
      } catch (error) {
        throw refusal(error as SmtpFailure);
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

/** A 5xx about this mail is final (RFC 5321 §4.2.1); one about us, as at the login, is for the operator to mend. */
function refusal(error: SmtpFailure): MailError {
  const { code = 'ESMTP', command, responseCode = 0 } = error;
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA';
  const retry = aboutTheMail && responseCode >= 500 ? 'final' : 'later';
  const at = command === undefined ? '' : ` at ${command}`;
  // A server's answer may quote what it was sent, and so does a complaint about an address: of these only codes are kept.
  const said = responseCode > 0 || code === 'EENVELOPE' ? ` ${responseCode}${at}` : `${at}: ${error.message}`;
  return new MailError(`SMTP ${code}${said}`, retry, { cause: error });
}
