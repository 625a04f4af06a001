/**
 * Installs what `npm start` or `npm test` needs, when it is missing or out of date. It runs on the machine's own Node
 * before anything is installed, so it imports nothing and uses no newer syntax than Node 20 has.
 *
 * Invariant: when it exits with 0, `node_modules` is what package-lock.json says (for `start` without test tools), and a
 * second run says nothing and asks no network. An install made by hand counts.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.fulcrum-install.json');
const lockFile = join(root, '.cache/prepare.lock');
const lockWaitMs = 15 * 60_000;

const installs = {
  start: [
    ...['--omit=dev', '--include-workspace-root'],
    ...['apps/server', 'apps/web', 'packages/domain', 'packages/contract'].flatMap((path) => ['-w', path]),
  ],
  test: [],
};

const say = (line) => console.log(`fulcrum: ${line}`);

class Refusal extends Error {}

try {
  await prepare(process.argv[2]);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`fulcrum: ${error.message}`);
  process.exitCode = 1;
}

async function prepare(profile) {
  if (!Object.hasOwn(installs, profile ?? ''))
    throw new Refusal('usage: node scripts/prepare.mjs start|test');
  refuseOldNode();
  if (isInstalled(profile)) return;
  const unlock = await lock();
  try {
    // Whoever held the lock may have done it meanwhile.
    if (!isInstalled(profile)) install(profile);
  } finally {
    unlock();
  }
}

/** This Node only has to run npm, unless the lockfile brings none for the platform: then it runs Fulcrum as well. */
function refuseOldNode() {
  const { optionalDependencies } = readJson(join(root, 'package.json'));
  const bringsNode =
    `node-${process.platform.replace('win32', 'win')}-${process.arch}` in optionalDependencies;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor, needMinor] = bringsNode ? [20, 19] : [22, 18];
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  throw new Refusal(
    `Node ${process.versions.node} is too old: this machine needs Node ${needMajor}.${needMinor} or newer (https://nodejs.org)`,
  );
}

function isInstalled(profile) {
  const stamp = readJson(stampFile);
  if (stamp?.state === stateOf() && (stamp.profile === profile || stamp.profile === 'test')) return true;
  return isInstalledByHand();
}

/** Everything an install depends on; a `node_modules` that came from another platform is another state. */
function stateOf() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} `);
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** npm's own record of the tree has each package of the lockfile; only another platform's may be missing. */
function isInstalledByHand() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(modules, '.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (!path.startsWith('node_modules/')) return true;
    return path in present ? present[path].version === version : optional === true;
  });
}

function install(profile) {
  const startedAt = Date.now();
  say(
    profile === 'start'
      ? 'installing what the server needs (once; about half a minute) …'
      : 'installing what development and tests need (once; about a minute) …',
  );
  // Inside an npm script npm says where it is and which Node runs it; the latter survives the removal of node_modules.
  const { npm_execpath: npmScript, npm_node_execpath: npmNode = process.execPath } = process.env;
  const [command, ...first] = npmScript ? [npmNode, npmScript] : ['npm'];
  const { status, error, signal } = spawnSync(
    command,
    [...first, 'ci', ...installs[profile], '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'],
    { cwd: root, env: cleanEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (error) throw new Refusal(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Refusal(`npm ci failed (${signal ?? status}); its message stands above`);
  checkPinnedNode();
  writeFileSync(stampFile, `${JSON.stringify({ state: stateOf(), profile })}\n`);
  say(`installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Settings that npm hands to its scripts concern the outer command; only how to reach the registry holds for this one. */
function cleanEnvironment() {
  const keep =
    /^npm_config_(registry|.*:registry|cache|userconfig|globalconfig|(https?_|no)?proxy|noproxy|ca|cafile|strict_ssl|offline|prefer_offline|fetch_.*|maxsockets)$/;
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('npm_') || keep.test(name)));
}

function checkPinnedNode() {
  const node = join(modules, '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) return;
  if (spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new Refusal(
    'the Node 24 that npm installed does not run on this machine (it needs glibc, which Alpine Linux lacks)',
  );
}

/** One install at a time: a second run waits for the first and then finds its work done. */
async function lock() {
  mkdirSync(dirname(lockFile), { recursive: true });
  const deadline = Date.now() + lockWaitMs;
  let announced = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return () => rmSync(lockFile, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = lockHolder();
    if (holder === null) continue;
    if (Date.now() > deadline)
      throw new Refusal(`process ${holder} holds ${lockFile}; end it or remove the file`);
    if (!announced) say(`waiting for another install (process ${holder}) …`);
    announced = true;
    await sleep(250);
  }
}

/** Pid of the running process that holds the lock; a dead one's lock is removed. */
function lockHolder() {
  let text;
  try {
    text = readFileSync(lockFile, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  // Between its creation and its first byte the file is empty: its writer is at work.
  if (text === '') return '?';
  try {
    process.kill(Number(text), 0);
    return text;
  } catch (error) {
    if (error.code === 'EPERM') return text;
    rmSync(lockFile, { force: true });
    return null;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing or half-written: both mean that there is nothing to rely on.
    return null;
  }
}
