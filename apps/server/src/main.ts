/**
 * The process: reads the configuration, starts the server, prints where it is, and ends cleanly on a signal; on a second
 * one at once. Whichever way it ends, other than by SIGKILL, its PostgreSQL ends with it.
 */
import { loadConfig } from './platform/config/index.ts';
import { StartError } from './platform/start-error.ts';
import { type RunningServer, startServer } from './server.ts';

const stopWithinMs = 10_000;
/** npm hands a signal on that its child got from the terminal as well: the second one within this time is the same wish. */
const sameWishMs = 1500;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Set as soon as the start has begun, so that a signal in its middle still takes PostgreSQL down. */
let starting: Promise<RunningServer> | null = null;
/** When the stop began. */
let stoppingSince: number | null = null;

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stoppingSince !== null) {
    if (performance.now() - stoppingSince < sameWishMs) return;
    say(`${signal} again: ending at once`);
    process.exit(1);
  }
  stoppingSince = performance.now();
  say(`${signal}: finishing answers, stopping PostgreSQL …`);
  // A stuck peer must not keep the process: what is acknowledged is committed already, and PostgreSQL ends with us.
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  const server = await starting?.catch(() => null);
  await server?.close();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
// A closed terminal or pipe takes our lines away, not the server; unheard, the 'error' event would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

function greet(publicUrl: string, demo: boolean): void {
  say('');
  say(`Fulcrum is ready:  ${publicUrl}`);
  say('Paper trading only: no order reaches a market, no balance is worth money.');
  if (demo) {
    say('');
    say('Demo accounts (password fulcrum-demo):');
    for (const name of ['trader', 'manager', 'support', 'admin']) say(`  ${name}@fulcrum.local`);
  }
  say('');
}

try {
  const config = loadConfig(process.env);
  starting = startServer(config);
  const { publicUrl } = await starting;
  if (stoppingSince === null) greet(publicUrl, config.demo);
} catch (error) {
  // What an operator can mend is one clear line; anything else keeps its stack for the person who has to find it.
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
