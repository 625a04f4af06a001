/**
 * `npm start`: builds the web app when its sources changed, one build of a clone at a time, then becomes the server.
 * `npm run setup` ends after the build (`--build-only`), for a service whose account may not write into the folder.
 *
 * Node's compilation of each module (types stripped) is cached in `.cache/compile`, under a digest of its source, so a
 * changed file is recompiled. Where that folder cannot be written the start is only slower.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, 'apps/web');
const stampFile = join(root, '.cache/web-build');
const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const lockWaitMs = 5 * 60_000;

enableCompileCache(join(root, '.cache/compile'));
try {
  await buildWeb();
} catch (error) {
  console.error(`fulcrum: the web app cannot be built: ${(error as Error).message}`);
  process.exit(1);
}
if (!process.argv.includes('--build-only')) {
  await import('../apps/server/src/main.ts');
  // Node would do it at an orderly end, which a server may never have.
  flushCompileCache();
}

async function buildWeb(): Promise<void> {
  if (isBuilt()) return;
  const unlock = await takeLock(`${stampFile}.lock`, {
    limitMs: lockWaitMs,
    onWait: (holder) => console.log(`fulcrum: waiting for another build (process ${holder}) …`),
  });
  try {
    // The previous holder of the lock may have built it meanwhile.
    if (!isBuilt()) await buildFrom(stateOfSources());
  } finally {
    unlock();
  }
}

function isBuilt(): boolean {
  const built = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stateOfSources();
  return built && existsSync(join(web, 'dist/index.html'));
}

async function buildFrom(state: string): Promise<void> {
  const startedAt = performance.now();
  console.log('fulcrum: building the web app …');
  rmSync(stampFile, { force: true });
  await runVite();
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, state);
  console.log(`fulcrum: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** A digest of everything the build reads, its tools included (by the lockfile). */
function stateOfSources(): string {
  const folders = ['apps/web', 'packages/domain/src', 'packages/contract/src'].filter(exists);
  const files = [...folders.flatMap(filesIn), ...['package-lock.json'].filter(exists)];
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function exists(path: string): boolean {
  return existsSync(join(root, path));
}

/** The sources: no tests, dependencies or builds. It walks folders, because `globSync` takes eight times as long. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name === 'node_modules' || path === 'apps/web/dist' ? [] : filesIn(path);
    return entry.isFile() && !entry.name.includes('.test.') ? [path] : [];
  });
}

/** A separate process: the bundler's memory would otherwise stay with the server. */
function runVite(): Promise<void> {
  const vite = createRequire(join(web, 'package.json')).resolve('vite/package.json');
  const child = spawn(process.execPath, [join(dirname(vite), 'bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: web,
    stdio: 'inherit',
  });
  const stop = () => {
    child.kill();
    process.exit(0);
  };
  for (const signal of endings) process.on(signal, stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      for (const signal of endings) process.off(signal, stop);
      if (code === 0) return resolve();
      console.error('fulcrum: the web app could not be built; see the reason above');
      process.exit(1);
    });
  });
}
