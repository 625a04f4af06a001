/**
 * Gives a finished file its name. Invariant: a name that is taken stays what it is, whoever took it and whenever: a hard link
 * is refused by the file system itself, where a rename would replace the file.
 *
 * Known limitation: on a file system without hard links (exFAT, some network shares) the name is first taken by an empty file
 * and then replaced; a kill exactly in between leaves that empty file, which a later check refuses.
 */
import { link as hardLink, open, rename, rm, unlink } from 'node:fs/promises';
import { BackupRefusal } from './format.ts';

/** What file systems that have no hard links answer, or do not let this user make. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const fileTaken = (file: string, cause?: unknown) =>
  new BackupRefusal(`${file} exists; a backup never replaces a file`, cause === undefined ? {} : { cause });

/**
 * Renames `draft` to `file` in the same folder. `link` is `fs.link` unless a test has a file system without it.
 * @throws BackupRefusal when `file` exists; then `draft` is still there
 */
export async function publish(draft: string, file: string, link = hardLink): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileTaken(file, error);
    if (!withoutLinks.has(codeOf(error))) throw error;
    return publishWithoutLink(draft, file);
  }
  await unlink(draft);
}

async function publishWithoutLink(draft: string, file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? fileTaken(file, error) : error;
  }
  try {
    await rename(draft, file);
  } catch (error) {
    // It is ours, and empty.
    await rm(file, { force: true });
    throw error;
  }
}
