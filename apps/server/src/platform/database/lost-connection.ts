/**
 * Recognises errors of a PostgreSQL that was not reachable or broke off, as opposed to a refused statement. The caller may
 * retry later; after a lost COMMIT its outcome is unknown here.
 */

/** Error codes of Node's sockets; ENOENT is the Unix socket of a stopped PostgreSQL. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAGAIN',
  'ENOTFOUND',
]);
/** Connection exceptions, too many connections, shutdown, crash of another backend, starting up (PostgreSQL's appendix A). */
const sqlStates = /^(08\w{3}|53300|57P0[1-3])$/;
/** pg and pg-pool throw plain errors without a code. */
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code === null ? messages.test(error.message) : socketCodes.has(code) || sqlStates.test(code);
}
