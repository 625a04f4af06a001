/**
 * Which errors of PostgreSQL say nothing against the statement: it ran into a timeout, lost to a concurrent transaction,
 * or met a server that was full, stopping or not reachable. The same request may succeed in a moment.
 */
const codes = /^(57014|57P0\d|53\w{3}|08\w{3}|40001|40P01|55P03|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT)$/;

export const isOverload = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.test(error.code);
