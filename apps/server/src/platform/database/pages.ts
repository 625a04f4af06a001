/** Reads a long result in pages within a transaction: memory holds one, and the event loop continues after each. */
import type { Queryable } from './index.ts';

/** Rows that are worked off between two rounds of the event loop, which runs the engine as well: about 2 ms. */
const pageSize = 250;

/** One at a time in a transaction. */
export async function* pagesOf<Row>(
  tx: Queryable,
  query: string,
  parameters: readonly unknown[],
): AsyncGenerator<readonly Row[]> {
  await tx.query(`declare pages no scroll cursor for ${query}`, parameters);
  for (;;) {
    const { rows } = await tx.query<Row>(`fetch ${pageSize} from pages`);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) break;
  }
  await tx.query('close pages');
}
