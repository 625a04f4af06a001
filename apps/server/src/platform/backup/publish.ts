/**
 * Renames a finished file without ever replacing another one. Invariant: an existing name is left untouched, because the
 * file system refuses a hard link to it where a rename would replace the file.
 *
 * Known limitation: without hard links (exFAT, some network shares) an empty file reserves the name and is then replaced. A
 * kill in between leaves the empty file, which a later check refuses.
 */
import { link as hardLink, open, rename, rm, unlink } from 'node:fs/promises';
import { BackupRefusal } from './format.ts';

/** The name of a file until it is finished. */
export const draftOf = (file: string): string => `${file}.partial`;

/** Errors of file systems that lack hard links, or refuse them to this user. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const fileExists = (file: string, cause?: unknown) =>
  new BackupRefusal(`${file} exists; a backup never replaces a file`, cause === undefined ? {} : { cause });

/**
 * Renames `draft` to `file` in the same folder. `link` is `fs.link`; a test replaces it to simulate a file system without links.
 * @throws BackupRefusal when `file` exists; `draft` then stays
 */
export async function publish(draft: string, file: string, link = hardLink): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(file, error);
    if (!withoutLinks.has(codeOf(error))) throw error;
    return publishWithoutLink(draft, file);
  }
  await unlink(draft);
}

async function publishWithoutLink(draft: string, file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? fileExists(file, error) : error;
  }
  try {
    await rename(draft, file);
  } catch (error) {
    // The file is this function's own, and empty.
    await rm(file, { force: true });
    throw error;
  }
}
