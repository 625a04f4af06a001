/**
 * `npm run dev`: the server restarts when its code changes, and Vite serves the web app with hot updates on port 5173,
 * passing API calls on to the server. Ends when either of the two ends or on a signal.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, 'apps/web');
const webUrl = 'http://127.0.0.1:5173';
const serverUrl = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

const vite = join(
  dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')),
  'bin/vite.js',
);
const children = [
  run(['--watch', '--watch-preserve-output', join(root, 'apps/server/src/main.ts')], root, {
    PUBLIC_URL: process.env.PUBLIC_URL ?? webUrl,
  }),
  run([vite, '--host', '127.0.0.1', '--port', '5173', '--strictPort'], web, { FULCRUM_SERVER: serverUrl }),
];

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);

await Promise.all(children.map(ended));

function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
}

async function ended(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      console.error(`fulcrum: ${error.message}`);
      resolve();
    });
    child.once('exit', () => resolve());
  });
  // Either of them is useless without the other.
  stop();
}
