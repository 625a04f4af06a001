/**
 * Recognises errors of a PostgreSQL that answers and cannot work: its disk is full, it is read-only, out of resources, or
 * reads damaged files. The statement is correct and wrote nothing; a retry may succeed later.
 *
 * The texts are this module's own, because PostgreSQL's messages name files of the machine.
 */

/** By SQLSTATE, then by its class (PostgreSQL's appendix A). */
const reasons: Readonly<Record<string, string>> = {
  '53100': 'No space left on device',
  '53200': 'it is out of memory',
  '53': 'it is out of resources',
  '57': 'its operator intervenes',
  '58030': 'its disk reports an error',
  '58': 'its machine reports an error',
  '25006': 'it is read-only',
  XX001: 'its data is damaged',
  XX002: 'its data is damaged',
  XX: 'it reports an internal error',
};
/** A statement that timed out does not predict the next one. */
const queryCanceled = '57014';

/** The result of the next write decides: an error of class XX may concern one row alone. */
interface RefusedWrite {
  readonly reason: string;
  readonly concernsAll: boolean;
}

/** Returns null for every other error. */
export function refusedWrite(error: unknown): RefusedWrite | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  if (code.length !== 5 || code === queryCanceled) return null;
  const reason = reasons[code] ?? reasons[code.slice(0, 2)];
  return reason === undefined ? null : { reason, concernsAll: !code.startsWith('XX') };
}
