/**
 * Rows that a job handles one after the other, and again where that failed. Invariants: a row that fails keeps none behind it waiting, and is
 * tried once a minute; it is logged when it fails first, not with each try. Known limitation: a run ends at `failuresMax` rows that fail.
 */
import { minuteMs } from '@fulcrum/domain';

/** A page; the reader limits its rows to it. */
export const rowsAtOnce = 100;

const retriesEveryMs = minuteMs;
/** So many are known. */
export const failuresMax = 10_000;

interface RetriedRows<Row> {
  readonly now: () => number;
  /** At most `rowsAtOnce` rows behind `last`, or the first ones. */
  readonly read: (last: Row | undefined) => Promise<readonly Row[]>;
  readonly handle: (row: Row) => Promise<void>;
  readonly keyOf: (row: Row) => string;
  readonly logFailure: (error: unknown, row: Row) => void;
}

/** Returns a run over all rows. It resolves with the first one that fails, or with null when it was stopped. */
export function createRetriedRows<Row>({ now, read, handle, keyOf, logFailure }: RetriedRows<Row>) {
  /** When each row that failed was tried last. */
  let known: ReadonlyMap<string, number> = new Map();

  return async (isStopping: () => boolean): Promise<{ readonly firstFailing: Row | undefined } | null> => {
    const failing = new Map<string, number>();
    let firstFailing: Row | undefined;
    let rows: readonly Row[] = [];
    do {
      rows = await read(rows.at(-1));
      for (const row of rows) {
        if (isStopping()) return null;
        const key = keyOf(row);
        let triedAt = known.get(key);
        if (triedAt === undefined || now() - triedAt >= retriesEveryMs) {
          try {
            await handle(row);
            continue;
          } catch (error) {
            if (triedAt === undefined) logFailure(error, row);
            triedAt = now();
          }
        }
        failing.set(key, triedAt);
        firstFailing ??= row;
      }
    } while (rows.length === rowsAtOnce && failing.size < failuresMax);
    known = failing;
    return { firstFailing };
  };
}
