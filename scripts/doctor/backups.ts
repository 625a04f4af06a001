/** Checks the scheduled backups: folder, key, and the age of the newest one. Wrong is what the start refuses; else the server trades. */
import { accessSync, constants, statSync } from 'node:fs';
import { hourMs } from '@fulcrum/domain';
import {
  ageMaxMs,
  listBackups,
  readKey,
  refuseUselessFolder,
} from '../../apps/server/src/platform/backup/index.ts';
import type { Config } from '../../apps/server/src/platform/config/index.ts';
import { findSecrets } from '../../apps/server/src/platform/config/secrets.ts';
import { messageOf, type Report } from './report.ts';

export async function examineBackups(config: Config, report: Report): Promise<void> {
  const { backups, backupKeyFile } = config;
  if (backupKeyFile !== null) await examineKey(backupKeyFile, report);
  if (backups === null) return report.good('no backups are scheduled (BACKUP_DIR)');
  try {
    refuseUselessFolder(config);
  } catch (error) {
    return report.bad(messageOf(error), 'correct or unset the setting');
  }
  try {
    accessSync(backups.dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return report.hint(
      `no backup can be written: ${messageOf(error)}`,
      'make the folder, for the user of the server, or correct BACKUP_DIR',
    );
  }
  if (backupKeyFile === null) {
    report.hint(
      `a reader of ${backups.dir} can sign in as any user`,
      'make a key with npm run backup:key -- FILE and set BACKUP_KEY_FILE',
    );
  }
  await examineAge(backups, config.dataDir, report);
}

async function examineKey(file: string, report: Report): Promise<void> {
  const key = await readKey(file).catch((error: unknown) => {
    report.bad(messageOf(error), 'correct or unset BACKUP_KEY_FILE');
    return null;
  });
  if (key === null) return;
  if (key.identity === null) return report.good(`backups are encrypted for the key ${key.recipient}`);
  if ((statSync(file).mode & 0o077) !== 0) {
    return report.hint(`other users may read the secret key ${file}`, `run: chmod 600 ${file}`);
  }
  report.good(`backups are encrypted for the key ${key.recipient}, and ${file} restores them`);
}

async function examineAge(
  { dir, times }: NonNullable<Config['backups']>,
  dataDir: string,
  report: Report,
): Promise<void> {
  const secrets = findSecrets(dataDir);
  if (secrets === null) return;
  const [newest] = await listBackups(dir, secrets.instanceId, Date.now());
  if (newest === undefined) {
    return report.hint(
      `there is no backup of this installation in ${dir}`,
      'the server writes one when it runs',
    );
  }
  const hours = Math.round((Date.now() - newest.at) / hourMs);
  const line = `the newest backup is ${hours} hours old (${newest.file})`;
  if (Date.now() - newest.at > ageMaxMs(times))
    report.hint(line, 'the reason is in backup.failure of /health and in the log');
  else report.good(line);
}
