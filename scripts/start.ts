/**
 * `npm start`: builds the web app when its sources changed, one build of a clone at a time, then becomes the server.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, 'apps/web');
const stampFile = join(root, '.cache/web-build');
const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const lockWaitMs = 5 * 60_000;

try {
  await buildWeb();
} catch (error) {
  console.error(`fulcrum: the web app cannot be built: ${(error as Error).message}`);
  process.exit(1);
}
await import('../apps/server/src/main.ts');

async function buildWeb(): Promise<void> {
  if (isBuilt()) return;
  const unlock = await takeLock(`${stampFile}.lock`, {
    limitMs: lockWaitMs,
    onWait: (holder) => console.log(`fulcrum: waiting for another build (process ${holder}) …`),
  });
  try {
    // Whoever held the lock may have done it meanwhile.
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
  const files = globSync(['apps/web/**', 'packages/{domain,contract}/src/**', 'package-lock.json'], {
    cwd: root,
    exclude: ['apps/web/dist', '**/node_modules', '**/*.test.*'],
  });
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const path = join(root, file);
    if (!statSync(path).isFile()) continue;
    hash.update(`${file}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** A process of its own: the bundler's memory would otherwise stay with the server. */
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
      console.error('fulcrum: the web app could not be built; the reason stands above');
      process.exit(1);
    });
  });
}
