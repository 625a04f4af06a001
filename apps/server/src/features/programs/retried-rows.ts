/**
 * Rows that a job handles one after the other, and again with its next run where that failed. Invariants: a row that fails keeps none
 * behind it waiting; it is logged when it fails first, not with each run.
 */

/** A page; the reader limits its rows to it. */
export const rowsAtOnce = 100;

export interface RetriedRows<Row> {
  /** At most `rowsAtOnce` rows behind `last`, or the first ones. */
  readonly read: (last: Row | undefined) => Promise<readonly Row[]>;
  readonly handle: (row: Row) => Promise<void>;
  readonly keyOf: (row: Row) => string;
  readonly logFailure: (error: unknown, row: Row) => void;
}

/** Returns a run over all rows. It resolves with those that failed, or with null when it was stopped. */
export function createRetriedRows<Row>({ read, handle, keyOf, logFailure }: RetriedRows<Row>) {
  /** Rows that failed with the last run. */
  let failed: ReadonlySet<string> = new Set();

  return async (isStopping: () => boolean): Promise<readonly Row[] | null> => {
    const failing: Row[] = [];
    let rows: readonly Row[] = [];
    do {
      rows = await read(rows.at(-1));
      for (const row of rows) {
        if (isStopping()) return null;
        try {
          await handle(row);
        } catch (error) {
          failing.push(row);
          if (!failed.has(keyOf(row))) logFailure(error, row);
        }
      }
    } while (rows.length === rowsAtOnce);
    failed = new Set(failing.map(keyOf));
    return failing;
  };
}
