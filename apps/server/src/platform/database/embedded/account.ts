/**
 * Under which operating system account PostgreSQL runs: it refuses root, so a server started as root hands it to the
 * account `postgres`, else `nobody` (nothing is added to the machine). Otherwise it runs as whoever started us.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account to switch to; null when PostgreSQL runs as this process does. `clusterDir` keeps the one it was made with. */
export function databaseAccount(clusterDir: string): Account | null {
  const cluster = statSync(clusterDir, { throwIfNoEntry: false });
  const self = process.getuid?.();
  if (self !== 0) {
    if (cluster !== undefined && self !== undefined && cluster.uid !== self) {
      throw new StartError(
        `${clusterDir} belongs to user id ${cluster.uid}, but this is user id ${self}; start as its owner or set DATA_DIR`,
      );
    }
    return null;
  }
  if (cluster !== undefined && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  const account = accountNamed('postgres') ?? accountNamed('nobody') ?? noAccount();
  // A copy that root made: PostgreSQL would only say that it may not read its own files.
  if (existsSync(join(clusterDir, 'global'))) {
    throw new StartError(
      `${clusterDir} belongs to root, and PostgreSQL does not run as root; give it the database back: chown -R ${account.uid}:${account.gid} ${clusterDir}`,
    );
  }
  return account;
}

function accountNamed(name: string): Account | null {
  // passwd(5): name:password:uid:gid:comment:home:shell
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [account, , uid, gid] = line.split(':');
    if (account === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

function noAccount(): never {
  throw new StartError(
    'PostgreSQL does not run as root and this machine has neither an account "postgres" nor "nobody"; start as another user or set DATABASE_URL',
  );
}

/** Whether the account may pass through `dir` and everything above it. */
export function canReach(account: Account, dir: string): boolean {
  const { uid, gid, mode } = statSync(dir);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(dir);
  return parent === dir || canReach(account, parent);
}
