/**
 * Recognises errors of PostgreSQL that do not concern the statement: a timeout, a lost conflict with a concurrent
 * transaction, or a server that is full, read-only, stopping or unreachable. A retry of the same request may succeed.
 */
import { refusedWrite } from './refused-writes.ts';

const codes = /^(57014|08\w{3}|40001|40P01|55P03|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT)$/;

export const isOverload = (error: unknown): boolean =>
  refusedWrite(error) !== null ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.test(error.code));
