/**
 * `npm run doctor`: reports what is wrong with this installation and how to repair it, one line each. This file checks what
 * any Node can check of itself and the install; `doctor/main.ts` checks the rest on the Node that the server would run on.
 * Repairs only what a start would repair. Exits 1 when a fault prevents Fulcrum from working.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  differingPackages,
  installState,
  isOlder,
  lostPackages,
  nodeMin,
  pinnedNode,
  readJson,
  stampFile,
} from './installed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reinstall = 'run npm ci';
let failed = false;

const good = (what) => console.log(`✓ ${what}`);
const hint = (what, todo) => console.log(`! ${what} — ${todo}`);
const bad = (what, todo) => {
  failed = true;
  console.log(`✗ ${what} — ${todo}`);
};

const node = examineNode();
examinePackages();
if (node !== null) {
  const { status, error } = spawnSync(node, [join(root, 'scripts/doctor/main.ts')], { stdio: 'inherit' });
  if (error) bad(`${node} does not start: ${error.message}`, reinstall);
  if (status !== 0) failed = true;
}
process.exitCode = failed ? 1 : 0;

/** The Node that the server would run on; null when there is none that can. */
function examineNode() {
  const pinned = pinnedNode(root);
  if (pinned !== null) {
    const { status, stdout } = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
    if (status === 0) {
      good(`Node ${stdout.trim()}, which the lockfile brings (${pinned})`);
      return pinned;
    }
    bad(`the Node that npm installed does not run (${pinned})`, `it needs glibc on Linux; else ${reinstall}`);
  }
  const { version, execPath } = process;
  if (isOlder(version, nodeMin)) {
    bad(
      `Node ${version} (${execPath}) is too old to run Fulcrum itself, and the lockfile's own is not installed`,
      `${reinstall}, or install Node ${nodeMin.join('.')} or newer`,
    );
    return null;
  }
  hint(
    `Node ${version}, the machine's own (${execPath})`,
    'Fulcrum is tested on the one in the lockfile; npm ci brings it where there is one for this platform',
  );
  return execPath;
}

function examinePackages() {
  const lost = lostPackages(root);
  if (lost.length > 0) return bad(`${lost.length} packages are gone (${named(lost)})`, reinstall);
  const stamp = readJson(stampFile(root));
  const differing = differingPackages(root);
  if (differing?.length === 0) return good('the packages are those of the lockfile');
  if (stamp?.state === installState(root))
    return good(`the packages are those that npm ${stamp.profile} needs`);
  if (differing !== null) {
    return bad(`${differing.length} packages are not those of the lockfile (${named(differing)})`, reinstall);
  }
  const state = existsSync(join(root, 'node_modules')) ? 'an install was cut short' : 'nothing is installed';
  return bad(`the packages: ${state}`, 'run npm start, which installs them, or npm ci');
}

function named(paths) {
  const names = paths.slice(0, 3).map((path) => path.replace(/^.*node_modules\//, ''));
  return `${names.join(', ')}${paths.length > names.length ? ', …' : ''}`;
}
