/**
 * `npm run import-people -- FILE`: imports the users of a CSV file, with or without a running server. `--dry-run` writes nothing,
 * `--links FILE` writes the links to choose a password into a new file that only its owner reads; without it each user gets a mail.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createJoinClass } from '../apps/server/src/features/classes/index.ts';
import { createOperatorImport, type ImportReport } from '../apps/server/src/features/enrolment/index.ts';
import {
  refuseUnfinishedDatabase,
  refuseUnfinishedDirectory,
} from '../apps/server/src/platform/backup/index.ts';
import { createBus } from '../apps/server/src/platform/bus/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { openRestrictedPool, withDatabase } from '../apps/server/src/platform/database/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { toCsv } from '../packages/domain/src/index.ts';
import { runTool } from './tools.ts';

await runTool(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, links: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    throw new StartError('one file is needed: [--dry-run] [--links LINKS_FILE] FILE');
  }
  const text = readFileSync(file, 'utf8');
  const { 'dry-run': isDry, links } = values;
  const config = loadConfig(process.env);
  refuseUnfinishedDirectory(config.dataDir);
  // Before anything is imported: a link that cannot be written is lost.
  if (links !== undefined && !isDry) writeFileSync(links, '', { flag: 'wx', mode: 0o600 });
  const log = createLog({ logLevel: 'warn' });
  const report = await withDatabase(config, log, async (owner) => {
    const db = await openRestrictedPool(owner, log);
    try {
      await refuseUnfinishedDatabase(db);
      const { preview, run } = createOperatorImport({
        ...{ db, config, log, clock: systemClock, bus: createBus(log) },
        joinClass: createJoinClass(config),
        publicUrl: () => config.publicUrl,
        // The server sends what is queued when it next looks.
        wakeMails: () => undefined,
      });
      return isDry ? await preview(text) : await run(text, links === undefined ? 'mail' : 'file');
    } finally {
      await db.close();
    }
  });
  if (links !== undefined && !isDry) writeFileSync(links, toLinkFile(report), { mode: 0o600 });
  console.log(summary(report, links));
});

const toLinkFile = (report: ImportReport): string =>
  toCsv(
    ['Email', 'Username', 'Link'],
    report.flatMap(({ email, username, link }) => (link === null ? [] : [[email, username, link]])),
  );

function summary(report: ImportReport, links: string | undefined): string {
  const count = (verdict: string) => report.filter((row) => row.verdict === verdict).length;
  const refused = report.filter(({ verdict }) => verdict === 'refused');
  return [
    ...refused.map(({ number, email, message }) => `row ${number} (${email}): ${message}`),
    `${count('new') > 0 ? `${count('new')} would be created` : `${count('created')} created`}, ${count('exists')} exist, ${refused.length} refused.`,
    ...(links === undefined || count('created') === 0
      ? []
      : [`The links are in ${links}; each works once, for seven days.`]),
  ].join('\n');
}
