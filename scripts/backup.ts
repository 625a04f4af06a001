/** `npm run backup -- FILE`: saves the database and the secrets, also while the server runs; encrypted with BACKUP_KEY_FILE. */
import { parseArgs } from 'node:util';
import { backUp, readKey } from '../apps/server/src/platform/backup/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { describeBackup, fileOf, interruption, runTool } from './tools.ts';

const usage = 'usage: npm run backup -- FILE';

await runTool(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const file = fileOf(positionals, usage);
  const config = loadConfig(process.env);
  const key = await readKey(config.backupKeyFile);
  const startedAt = performance.now();
  const written = await backUp(config, file, {
    log: createLog({ logLevel: 'warn' }),
    key,
    signal: interruption(),
  });
  console.log(`Backed up into ${file} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  describeBackup(written);
  if (written.head.secrets === null) {
    console.log(
      'Warning: DATA_DIR holds no secrets.json, so sessions will not survive a restore. Is DATA_DIR the server’s?',
    );
  }
  console.log(
    key === null
      ? 'The file holds password hashes and the server’s secrets: keep it where only you can read it.'
      : `Encrypted for the key ${key.recipient}: only its secret part restores the file.`,
  );
});
