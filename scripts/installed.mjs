/**
 * Compares the installed packages with package-lock.json. It runs on the machine's own Node before anything is installed, so
 * it imports no package and uses no newer syntax than Node 20 has.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the last install by prepare.mjs made: `{ state, profile }`. */
export const stampFile = (root) => join(root, 'node_modules/.fulcrum-install.json');

/** Everything an install depends on; a `node_modules` that came from another platform is another state. */
export function installState(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} `);
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** Packages that npm's record of the tree has, but whose folder is gone. */
export function lostPackages(root) {
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages ?? {};
  return Object.keys(present).filter((path) => path !== '' && !existsSync(join(root, path)));
}

/**
 * Packages of the lockfile that npm's own record of the tree lacks or has in another version, as their paths; only
 * another platform's may be missing. Null when there is no record: nothing is installed, or an install was cut short.
 */
export function differingPackages(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return null;
  return Object.entries(wanted)
    .filter(([path, { version, optional }]) => {
      if (!path.startsWith('node_modules/')) return false;
      return path in present ? present[path].version !== version : optional !== true;
    })
    .map(([path]) => path);
}

/** Where the lockfile's own Node for this platform is; null when it brings none or it is not installed. */
export function pinnedNode(root) {
  const node = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(node) ? node : null;
}

/** Oldest Node, as [major, minor], that Fulcrum itself runs on where the lockfile brings none. */
export const nodeMin = [22, 18];

export function isOlder(version, [needMajor, needMinor]) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major < needMajor || (major === needMajor && minor < needMinor);
}

export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing or half-written: both mean that there is nothing to rely on.
    return null;
  }
}
