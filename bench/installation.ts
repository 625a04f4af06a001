/** What the processes of one installation share in a measurement: their secrets. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSecrets } from '../apps/server/src/platform/config/secrets.ts';

/** Makes data folders below `folder`, one for each process of an installation of its own. */
export function dataDirs(folder: string): () => string {
  let made = 0;
  const secretsFolder = join(folder, 'secrets');
  mkdirSync(folder, { mode: 0o700 });
  loadSecrets(secretsFolder);
  return () => {
    made += 1;
    const dataDir = join(folder, String(made));
    mkdirSync(dataDir, { mode: 0o700 });
    copyFileSync(join(secretsFolder, 'secrets.json'), join(dataDir, 'secrets.json'));
    return dataDir;
  };
}
