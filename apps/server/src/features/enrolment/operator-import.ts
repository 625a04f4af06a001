/** An import of users by the machine's operator (`npm run import-people`), with or without a running server. */
import { createHash } from 'node:crypto';
import { type ReadRow, readImportFile } from '@fulcrum/domain';
import { StartError } from '../../platform/start-error.ts';
import { takeStaffLock } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';
import { createImporter, type ImportedRow, type LinkDelivery } from './importer.ts';

export interface ReportRow extends Omit<ImportedRow, 'verdict'> {
  /** The number of the line in the file. */
  readonly number: number;
  readonly verdict: ImportedRow['verdict'] | 'new';
}
export type ImportReport = readonly ReportRow[];

export function createOperatorImport(deps: EnrolmentDependencies) {
  const importer = createImporter(deps);

  /** Rows that the file itself refuses are reported and left out. */
  async function runRows(
    rows: readonly ReadRow[],
    work: (rows: readonly ReadRow[]) => Promise<readonly Omit<ReportRow, 'number'>[]>,
  ): Promise<ImportReport> {
    const sound = rows.filter(({ objection }) => objection === null);
    const outcomes = await work(sound);
    const byNumber = new Map(sound.map(({ number }, i) => [number, outcomes[i]]));
    return rows.map(({ number, row, objection }) => ({
      ...{ number, email: row.email, username: null, verdict: 'refused', message: objection, link: null },
      ...byNumber.get(number),
    }));
  }

  /** @throws StartError for a file that is no import */
  function read(text: string): readonly ReadRow[] {
    const file = readImportFile(text);
    if ('objection' in file) throw new StartError(file.objection);
    return file.rows;
  }

  return {
    /** The verdict on each row; nothing is written. @throws StartError */
    preview: (text: string): Promise<ImportReport> =>
      runRows(read(text), async (rows) =>
        (await importer.judge(rows.map(({ row }) => row))).map(({ email, verdict, message }) => ({
          ...{ email, verdict, message, username: null, link: null },
        })),
      ),

    /**
     * The same text is the same import: a repeat imports the rest, and with links in a file it has fresh ones of all who have not signed in.
     * @throws StartError; AppError `busy` when too many mails wait
     */
    run: (text: string, links: LinkDelivery): Promise<ImportReport> =>
      runRows(read(text), (rows) =>
        importer.run(
          rows.map(({ row }) => row),
          rows.length,
          { importId: importIdOf(text), links, actorId: null, lock: takeStaffLock },
        ),
      ),
  };
}

/** A UUID of version 8 (RFC 9562): the beginning of the SHA-256 of the file. */
function importIdOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
