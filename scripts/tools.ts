/** Shared code of the operator's tools: parsing a file name, ending, and describing a backup. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '@fulcrum/contract';
import type { Foot, Head } from '../apps/server/src/platform/backup/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';

/** Runs the tool. An error that an operator can repair is one line; any other keeps its stack for a developer. */
export async function runTool(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    if (isAborted(error)) return console.error('interrupted; nothing was finished');
    console.error(isForOperators(error) ? error.message : error);
  }
}

const isAborted = (error: unknown) => error instanceof Error && error.name === 'AbortError';

function isForOperators(error: unknown): error is Error {
  if (error instanceof StartError || error instanceof AppError) return true;
  // node:util's parseArgs: an option that there is not.
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Fires at the first Ctrl-C or SIGTERM: the tool then undoes what it began. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

/** The one file that the command names, as seen from where it was typed: npm itself changes to the project's folder. */
export function fileOf(positionals: readonly string[], usage: string): string {
  const [file, ...more] = positionals;
  if (file === undefined || file === '' || more.length > 0) throw new StartError(usage);
  return resolve(process.env.INIT_CWD ?? process.cwd(), file);
}

/** @throws StartError for a file that cannot be read */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

export function describeBackup(backup: {
  readonly head: Head;
  readonly foot: Foot;
  readonly bytes: number;
}): void {
  const { head, foot, bytes } = backup;
  const rows = Object.values(foot.rows).reduce((sum, count) => sum + count, 0);
  console.log(
    `  state of      ${head.madeAt} (PostgreSQL ${head.postgresql}, ${head.migrations.at(-1)?.name ?? 'no migration'})`,
  );
  console.log(`  size          ${bytes} bytes, ${head.tables.length} tables, ${rows} rows`);
  console.log(`  ledger        ${foot.ledger.rows} entries, sum ${foot.ledger.sum} USDT`);
  console.log(`  ledger hash   ${foot.ledger.sha256}`);
}
