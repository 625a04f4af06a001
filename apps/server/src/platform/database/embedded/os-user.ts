/**
 * Chooses the operating system account of PostgreSQL, which refuses root. A server started as root uses the account
 * `postgres`, else `nobody`, and creates none; any other server uses its own account.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account to switch to; null to run as this process does. `clusterDir` keeps the account that created it. */
export function findDatabaseOsUser(clusterDir: string): OsUser | null {
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
  const osUser = findOsUser('postgres') ?? findOsUser('nobody') ?? throwNoOsUser();
  // A copy that root made: PostgreSQL would only report that it may not read its own files.
  if (existsSync(join(clusterDir, 'global'))) {
    throw new StartError(
      `${clusterDir} belongs to root, and PostgreSQL does not run as root; give it the database back: chown -R ${osUser.uid}:${osUser.gid} ${clusterDir}`,
    );
  }
  return osUser;
}

/** Whether it is the shared account of programs without their own. */
export const isSharedOsUser = ({ uid }: OsUser): boolean => uid === findOsUser('nobody')?.uid;

function findOsUser(name: string): OsUser | null {
  // passwd(5): name:password:uid:gid:comment:home:shell
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [osUser, , uid, gid] = line.split(':');
    if (osUser === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

function throwNoOsUser(): never {
  throw new StartError(
    'PostgreSQL does not run as root and this machine has neither an account "postgres" nor "nobody"; start as another user or set DATABASE_URL',
  );
}

/** Whether the account may traverse `dir` and all its parents. */
export function canTraverse(osUser: OsUser, dir: string): boolean {
  const { uid, gid, mode } = statSync(dir);
  const bit = uid === osUser.uid ? 0o100 : gid === osUser.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(dir);
  return parent === dir || canTraverse(osUser, parent);
}
