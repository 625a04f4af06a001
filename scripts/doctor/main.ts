/**
 * The doctor's checks, from the files outwards to the running server. Modules that need an installed package are imported
 * where they are used, so that a broken install is one finding among others.
 */
import { messageOf, Report } from './report.ts';

const report = new Report();

try {
  // Needs no package but PostgreSQL's own.
  const { examinePrograms } = await import('./programs.ts');
  const major = await report.examine('the embedded PostgreSQL', () => examinePrograms(report));
  const { examineConfiguration } = await import('./configuration.ts');
  const config = examineConfiguration(process.env, report);
  const { examineDataDir } = await import('./data-dir.ts');
  const embedded = config.databaseUrl === null ? (major ?? null) : null;
  const state = await report.examine('the data directory', () =>
    examineDataDir(config.dataDir, embedded, report),
  );
  const { examineServer } = await import('./server.ts');
  const ownerPid = state?.ownerPid ?? null;
  await report.examine('the address of the server', () => examineServer(config, ownerPid, report));
  if (config.databaseUrl !== null || state?.cluster === 'usable') {
    const { examineDatabase } = await import('./database.ts');
    await report.examine('the database', () => examineDatabase(config, report));
  }
  const { examineBackups } = await import('./backups.ts');
  await report.examine('the backups', () => examineBackups(config, report));
  const { examineMail, examineBrowser } = await import('./mail-and-browser.ts');
  await report.examine('mail', () => examineMail(config, report));
  examineBrowser(report);
} catch (error) {
  report.bad(`the examination cannot go on: ${messageOf(error)}`, 'run npm ci and try again');
}
const { wrong } = report;
process.stdout.write(
  wrong === 0
    ? '\nNothing keeps Fulcrum from working.\n'
    : `\n${wrong} of these ${wrong === 1 ? 'keeps' : 'keep'} Fulcrum from working.\n`,
);
process.exitCode = wrong === 0 ? 0 : 1;
