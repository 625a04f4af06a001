/**
 * `npm run import-people -- FILE`: imports the users of a CSV file, with or without a running server. `--dry-run` writes nothing,
 * `--links FILE` writes the links to choose a password into a new file that only its owner reads; without it each user gets a mail. A run
 * that stopped leaves no file of links: the same command goes on, with fresh links.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createJoinClass } from '../apps/server/src/features/classes/index.ts';
import { createOperatorImport, type ImportReport } from '../apps/server/src/features/enrolment/index.ts';
import { refuseUnfinishedDirectory } from '../apps/server/src/platform/backup/index.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { importFileMax, toCsv } from '../packages/domain/src/index.ts';
import { withServerDatabase } from './server-database.ts';
import { fileOf, runTool } from './tools.ts';

await runTool(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, links: { type: 'string' } },
  });
  const usage = 'one file is needed: [--dry-run] [--links LINKS_FILE] FILE';
  const text = readText(fileOf(positionals, usage));
  const { 'dry-run': isDry } = values;
  const links = values.links === undefined ? undefined : fileOf([values.links], usage);
  const config = loadConfig(process.env);
  refuseUnfinishedDirectory(config.dataDir);
  // Before anything is imported: a folder that cannot be written, or a file that is there already.
  const output = links === undefined || isDry ? null : openOutput(links);
  const log = createLog({ logLevel: 'warn' });
  const importAll = () =>
    withServerDatabase(config, log, (db) => {
      const { preview, run } = createOperatorImport({
        ...{ db, config, log, clock: systemClock, bus: createBus(log) },
        joinClass: createJoinClass(config),
        publicUrl: () => config.publicUrl,
        // The server sends what is queued when it next looks.
        wakeMails: () => undefined,
      });
      return isDry ? preview(text) : run(text, links === undefined ? 'mail' : 'file');
    });
  try {
    const report = await importAll();
    output?.finish(toLinkFile(report));
    console.log(summary(report, links));
  } finally {
    output?.discard();
  }
});

/** @throws StartError for a file that is far too large */
function readText(file: string): string {
  const { size } = statSync(file);
  // A character has at most four bytes.
  if (size > 4 * importFileMax) throw new StartError(`${file} is too large for an import of users.`);
  return readFileSync(file, 'utf8');
}

/** A file that only its owner reads, and that has its name once it is whole. @throws StartError when the name is taken */
function openOutput(file: string) {
  if (existsSync(file)) throw new StartError(`${file} exists already. Name another file for the links.`);
  const draft = `${file}.part`;
  // Of a run that was killed.
  rmSync(draft, { force: true });
  writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
  return {
    finish: (text: string) => {
      writeFileSync(draft, text);
      renameSync(draft, file);
    },
    /** Has no effect on a finished one. */
    discard: () => rmSync(draft, { force: true }),
  };
}

function toLinkFile(report: ImportReport): string {
  const rows = report.flatMap(({ email, username, link }) =>
    link === null ? [] : [[email, username, link]],
  );
  return toCsv(['Email', 'Username', 'Link'], rows);
}

function summary(report: ImportReport, links: string | undefined): string {
  const count = (verdict: string) => report.filter((row) => row.verdict === verdict).length;
  const refused = report.filter(({ verdict }) => verdict === 'refused');
  return [
    ...refused.map(({ number, email, message }) => `line ${number} (${email}): ${message}`),
    `${count('new') > 0 ? `${count('new')} would be created` : `${count('created')} created`}, ${count('exists')} exist, ${refused.length} refused.`,
    ...(links === undefined || count('created') === 0
      ? []
      : [`The links are in ${links}; each works once, for seven days.`]),
  ].join('\n');
}
