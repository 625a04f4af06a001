/** An import of users by the machine's operator (`npm run import-people`), with or without a running server. */
import { randomUUID } from 'node:crypto';
import { type ReadRow, readImportFile } from '@fulcrum/domain';
import { StartError } from '../../platform/start-error.ts';
import { takeStaffLock } from '../identity/index.ts';
import type { EnrolmentDependencies } from './dependencies.ts';
import { createImporter, type ImportedRow, type LinkDelivery } from './importer.ts';

export interface ReportRow extends Omit<ImportedRow, 'verdict'> {
  /** Of the file. */
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

    /** @throws StartError; AppError `busy` when too many mails wait: a repeat imports the rest */
    run: (text: string, links: LinkDelivery): Promise<ImportReport> =>
      runRows(read(text), (rows) =>
        importer.run(
          rows.map(({ row }) => row),
          rows.length,
          { importId: randomUUID(), links, actorId: null, lock: takeStaffLock },
        ),
      ),
  };
}
