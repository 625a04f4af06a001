/** `npm run backup:key -- FILE`: makes the key that BACKUP_KEY_FILE names. */
import { parseArgs } from 'node:util';
import { createKeyFile } from '../apps/server/src/platform/backup/index.ts';
import { fileOf, runTool } from './tools.ts';

const usage = 'usage: npm run backup:key -- FILE';

await runTool(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const file = fileOf(positionals, usage);
  const recipient = await createKeyFile(file);
  console.log(`The key ${recipient} is in ${file}: set BACKUP_KEY_FILE to it.`);
  console.log(
    'No backup can be restored without this file: keep copies of it off this machine and away from the backups.',
  );
  console.log(
    'A server whose BACKUP_KEY_FILE holds only the name of the key, the line age1…, encrypts and cannot decrypt.',
  );
});
