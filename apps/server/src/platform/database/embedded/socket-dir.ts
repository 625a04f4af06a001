/**
 * The directory of PostgreSQL's socket, outside the cluster because a socket path holds at most 107 bytes. Its parent is
 * writable by every local user. Invariants: its name is random, so no user can take it beforehand; its mode is 0700; only
 * PostgreSQL's two files are ever removed from it, and never through a link.
 */
import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';
import type { OsUser } from './os-user.ts';

const socket = '.s.PGSQL.5432';
const pathBytesMax = 107;
const prefix = 'fulcrum-';
/** The form that mkdtemp(3) produces. */
const drawn = /^fulcrum-[A-Za-z0-9]{6}$/;

/** Creates one for the database's account. @throws StartError */
export function makeSocketDir(osUser: OsUser | null): string {
  const length = Buffer.byteLength(join(tmpdir(), `${prefix}XXXXXX`, socket));
  const parent = length <= pathBytesMax ? tmpdir() : '/tmp';
  try {
    const dir = mkdtempSync(join(parent, prefix));
    if (osUser !== null) chownSync(dir, osUser.uid, osUser.gid);
    return dir;
  } catch (error) {
    throw new StartError(`cannot make the socket directory in ${parent}: ${(error as Error).message}`);
  }
}

/** Empties it for the next PostgreSQL, which could take a reused pid for a live predecessor; recreates a missing one. */
export function renewSocketDir(dir: string, osUser: OsUser | null): void {
  if (removeSocketFiles(dir, osUser)) return;
  // The name is no longer secret: a directory that another user created first is refused.
  mkdirSync(dir, { mode: 0o700 });
  if (osUser !== null) chownSync(dir, osUser.uid, osUser.gid);
}

/** Removes what `makeSocketDir` made. */
export function removeSocketDir(dir: string, osUser: OsUser | null): void {
  try {
    if (removeSocketFiles(dir, osUser)) rmdirSync(dir);
  } catch {
    // It holds a foreign file, or its folder accepts no changes: an empty directory does no harm.
  }
}

/** As above, for a name from a file of the database's account: it has to match the pattern. */
export function removeAbandonedSocketDir(dir: string, osUser: OsUser | null): void {
  if ([tmpdir(), '/tmp'].includes(dirname(dir)) && drawn.test(basename(dir))) removeSocketDir(dir, osUser);
}

/** False when there is none. @throws Error when another user owns it */
function removeSocketFiles(dir: string, osUser: OsUser | null): boolean {
  const entry = lstatSync(dir, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  const owner = osUser?.uid ?? process.getuid?.();
  if (!entry.isDirectory() || entry.uid !== owner || (entry.mode & 0o077) !== 0) {
    throw new Error(`${dir} is not the socket directory that was made`);
  }
  for (const file of [socket, `${socket}.lock`]) rmSync(join(dir, file), { force: true });
  return true;
}
