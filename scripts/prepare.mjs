/**
 * Installs what `npm start` or `npm test` needs, when it is missing or out of date. It runs on the machine's own Node
 * before anything is installed, so it imports no package and uses no newer syntax than Node 20 has.
 *
 * Invariant: when it exits with 0, `node_modules` matches package-lock.json (for `start` without test tools), and a
 * second run prints nothing and uses no network. A manual install counts.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  differingPackages,
  installState,
  isOlder,
  nodeMin,
  pinnedNode,
  readJson,
  stampFile,
} from './installed.mjs';
import { takeLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, '.cache/prepare.lock');
const lockWaitMs = 15 * 60_000;

const serverParts = ['apps/server', 'packages/domain', 'packages/contract'];
const withoutTools = (parts) => [
  ...['--omit=dev', '--include-workspace-root'],
  ...parts.flatMap((path) => ['-w', path]),
];

const installs = {
  /** To build the web app and to serve. */
  start: withoutTools([...serverParts, 'apps/web']),
  /** To serve a built one: the container. */
  server: withoutTools(serverParts),
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
    throw new Refusal(`usage: node scripts/prepare.mjs ${Object.keys(installs).join('|')}`);
  refuseOldNode();
  if (isInstalled(profile)) return;
  const unlock = await lock();
  try {
    // The previous holder of the lock may have installed it meanwhile.
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
  const need = bringsNode ? [20, 19] : nodeMin;
  if (!isOlder(process.versions.node, need)) return;
  throw new Refusal(
    `Node ${process.versions.node} is too old: this machine needs Node ${need.join('.')} or newer (https://nodejs.org)`,
  );
}

function isInstalled(profile) {
  const stamp = readJson(stampFile(root));
  if (stamp?.state === installState(root) && (stamp.profile === profile || stamp.profile === 'test'))
    return true;
  // A manual install.
  return differingPackages(root)?.length === 0;
}

function install(profile) {
  const startedAt = Date.now();
  say(
    profile === 'test'
      ? 'installing what development and tests need (once; about a minute) …'
      : 'installing what the server needs (once; about half a minute) …',
  );
  // Inside an npm script, npm states its path and the running Node; the latter survives the removal of node_modules.
  const { npm_execpath: npmScript, npm_node_execpath: npmNode = process.execPath } = process.env;
  const [command, ...first] = npmScript ? [npmNode, npmScript] : ['npm'];
  const { status, error, signal } = spawnSync(
    command,
    [...first, 'ci', ...installs[profile], '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'],
    { cwd: root, env: cleanEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (error) throw new Refusal(`npm could not be started: ${error.message}`);
  if (status !== 0) throw new Refusal(`npm ci failed (${signal ?? status}); see its message above`);
  checkPinnedNode();
  writeFileSync(stampFile(root), `${JSON.stringify({ state: installState(root), profile })}\n`);
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
  const node = pinnedNode(root);
  if (node === null || spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new Refusal(
    'the Node 24 that npm installed does not run on this machine (it needs glibc, which Alpine Linux lacks)',
  );
}

/** One install at a time: a second run waits for the first and then finds its work done. */
async function lock() {
  try {
    return await takeLock(lockFile, {
      limitMs: lockWaitMs,
      onWait: (holder) => say(`waiting for another install (process ${holder}) …`),
    });
  } catch (error) {
    throw new Refusal(`cannot install: ${error.message}`);
  }
}
