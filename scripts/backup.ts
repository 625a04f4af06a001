/** `npm run backup -- FILE`: saves the database and the secrets, also while the server runs. */
import { parseArgs } from 'node:util';
import { backUp } from '../apps/server/src/platform/backup/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { describeBackup, fileOf, interruption, runTool } from './tools.ts';

const usage = 'usage: npm run backup -- FILE';

await runTool(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const file = fileOf(positionals, usage);
  const startedAt = performance.now();
  const written = await backUp(loadConfig(process.env), file, {
    log: createLog({ logLevel: 'warn' }),
    signal: interruption(),
  });
  console.log(`Backed up into ${file} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  describeBackup(written);
  console.log(
    written.head.secrets === null
      ? 'Warning: DATA_DIR holds no secrets.json, so sessions will not survive a restore. Is DATA_DIR the server’s?'
      : 'The file holds password hashes and the server’s secrets: keep it where only you can read it.',
  );
});
