/** What the invariants of `soundness.ts` and `execution-soundness.ts` are written with. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

export function assert(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new InvariantViolation(invariant);
}

export const sumOf = <Row>(rows: readonly Row[], amount: (row: Row) => bigint): bigint =>
  rows.reduce((total, row) => total + amount(row), 0n);
