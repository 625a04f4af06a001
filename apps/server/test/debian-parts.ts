/**
 * Programs of Debian that a test runs beside the server (Prometheus, nginx, Caddy), fetched with `apt-get download` and
 * unpacked without root. They stay in `node_modules/.cache/debian-parts`, so a second run fetches nothing.
 *
 * Known limitation: the libraries that a program needs are those of the machine, or are named by the caller; maintainer
 * scripts do not run. Without Debian, or offline, the tests are skipped; with CI set that is a failure.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../node_modules/.cache/debian-parts', import.meta.url));
const withinMs = 240_000;

/** The lists of packages of this project's own, for a machine whose lists are empty or of root. */
const ownLists = (folder: string) => [
  '-o',
  `Dir::State::Lists=${join(folder, 'lists')}`,
  '-o',
  `Dir::Cache=${join(folder, 'apt')}`,
  '-o',
  'Debug::NoLocking=1',
];

async function download(names: readonly string[], folder: string): Promise<void> {
  const options = { cwd: folder, timeout: withinMs };
  try {
    await run('apt-get', ['download', ...names], options);
  } catch {
    mkdirSync(join(folder, 'lists/partial'), { recursive: true });
    mkdirSync(join(folder, 'apt/archives/partial'), { recursive: true });
    await run('apt-get', [...ownLists(folder), 'update'], options);
    await run('apt-get', [...ownLists(folder), 'download', ...names], options);
  }
}

/**
 * The folder that these packages are unpacked in, as if it were `/`; null where they cannot be had.
 * @throws Error with CI set, in place of null
 */
export async function debianParts(names: readonly string[]): Promise<string | null> {
  const root = join(cache, names.join('+'));
  if (existsSync(root)) return root;
  const folder = `${root}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    await download(names, folder);
    const unpacked = join(folder, 'root');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', join(folder, file), unpacked], { timeout: withinMs });
    }
    // Of two runs at once one comes second.
    if (!existsSync(root)) renameSync(unpacked, root);
    return root;
  } catch (error) {
    if (process.env.CI) throw error;
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
