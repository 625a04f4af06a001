/** The snapshot of staff's lists, with the settings that their statements are planned for. */
import type { Queryable, Reader } from '../../platform/database/index.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';

// A foreign server may compile plans of large estimates, which takes longer than the lists themselves. A hundred thousand keys are
// sorted in memory, where the 4 MB that is usual writes them to disk; and names are read from their index rather than from
// whole rows, which PostgreSQL would not do as long as it takes a page out of order to be four times as dear.
const settings = `set local jit = off; set local work_mem = '32MB'; set local random_page_cost = 1.1`;

/** A read-only snapshot for a list, or a file of one. */
export const inListSnapshot = <T>(reader: Reader, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  inReadSnapshot(reader, work, settings);
