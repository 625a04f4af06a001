/** The ledger's fingerprint: equal for two databases exactly when they hold the same entries with the same ids. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { copyOutStatement, ledgerTable } from './catalogue.ts';
import { countRows, type LedgerSummary } from './format.ts';

/** Returns the sum of all amounts, a decimal string; zero when the ledger is balanced. */
export async function sumLedger(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ sum: string }>(
    `select coalesce(sum(amount), 0)::numeric(38, 8)::text as sum from ${ledgerTable}`,
  );
  return rows[0]?.sum ?? '0';
}

/** Summarises the ledger over the backup's `columns`. The caller's transaction has `copySettings`. */
export async function summariseLedger(client: pg.Client, columns: readonly string[]): Promise<LedgerSummary> {
  const digest = createHash('sha256');
  let rows = 0;
  const statement = copyOutStatement({ name: ledgerTable, columns: [...columns] });
  for await (const text of client.query(copyTo(statement)) as AsyncIterable<Buffer>) {
    digest.update(text);
    rows += countRows(text);
  }
  return { rows, sha256: digest.digest('hex'), sum: await sumLedger(client) };
}
