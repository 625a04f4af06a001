/**
 * `npm run restore -- FILE`: restores a backup into an empty DATA_DIR (with DATABASE_URL: into that empty database).
 * `npm run restore -- --verify FILE` only checks the file.
 */
import { parseArgs } from 'node:util';
import { checkInvariants } from '../apps/server/src/features/wallet/index.ts';
import { readKey, restore, verifyBackup } from '../apps/server/src/platform/backup/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { describeBackup, fileOf, interruption, runTool } from './tools.ts';

const usage = 'usage: npm run restore -- [--verify] FILE';

await runTool(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { verify: { type: 'boolean', default: false } },
  });
  const file = fileOf(positionals, usage);
  const config = loadConfig(process.env);
  const key = await readKey(config.backupKeyFile);
  if (values.verify) {
    const backup = await verifyBackup(file, key);
    console.log(`${file} is whole.`);
    describeBackup(backup);
    return;
  }
  const startedAt = performance.now();
  const { backup, findings } = await restore(config, file, {
    log: createLog({ logLevel: 'warn' }),
    key,
    signal: interruption(),
    examine: checkInvariants,
  });
  console.log(
    `Restored ${file} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; secrets and database: ${config.dataDir}.`,
  );
  describeBackup(backup);
  if (findings.ok) {
    console.log('Row counts and every invariant of the ledger were checked in the restored database.');
    return;
  }
  console.error(
    'The database is as it was backed up, but its ledger violated an invariant then; trading will halt:',
  );
  for (const { invariant, detail } of findings.violations)
    console.error(`  not true: ${invariant} (${detail})`);
  process.exitCode = 1;
});
