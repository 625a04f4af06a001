/**
 * The server process: reads the configuration, starts the server, prints its address and stops cleanly on a signal. A
 * second signal ends it at once. SIGUSR2 switches the log to `debug` and back. PostgreSQL ends with the process, except after SIGKILL.
 */
import { userRoles } from '@fulcrum/contract';
import { loadConfig } from './platform/config/index.ts';
import type { LogLevel } from './platform/log/index.ts';
import { StartError } from './platform/start-error.ts';
import { type RunningServer, startServer } from './server.ts';

const stopWithinMs = 20_000;
/** A member of a cluster waits for its load balancer, and gives its accounts to others. */
const memberStopWithinMs = 30_000;
/** npm forwards a signal that its child also gets from the terminal; a second signal within this time is a duplicate. */
const repeatedSignalMs = 1500;
const printLine = (line: string) => process.stdout.write(`${line}\n`);

/** Set as soon as the start begins, so that a signal during the start also stops PostgreSQL. */
let starting: Promise<RunningServer> | null = null;
let configuredLogLevel: LogLevel = 'info';
let isMember = false;
/** When the stop began, in milliseconds. */
let stoppingSince: number | null = null;

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stoppingSince !== null) {
    if (performance.now() - stoppingSince < repeatedSignalMs) return;
    printLine(`${signal} again: ending at once`);
    process.exit(1);
  }
  stoppingSince = performance.now();
  printLine(`${signal}: finishing answers, stopping PostgreSQL …`);
  // A stuck peer must not block the exit: acknowledged work is committed, and PostgreSQL ends with this process.
  setTimeout(() => process.exit(1), isMember ? memberStopWithinMs : stopWithinMs).unref();
  const server = await starting?.catch(() => null);
  await server?.close();
  process.exit(0);
}

/** Between the configured level and `debug`, for a fault that shows only now. */
async function switchLogLevel(): Promise<void> {
  const log = (await starting?.catch(() => null))?.log;
  if (log === undefined) return;
  log.level = log.level === 'debug' ? configuredLogLevel : 'debug';
  printLine(`SIGUSR2: the log level is ${log.level}`);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
// Windows has no such signal.
if (process.platform !== 'win32') process.on('SIGUSR2', () => void switchLogLevel());
// A closed terminal or pipe only loses the output; an unhandled 'error' event would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

function printBanner(publicUrl: string, demo: boolean): void {
  printLine('');
  printLine(`Fulcrum is ready:  ${publicUrl}`);
  printLine('Paper trading only: no order reaches a market, no balance is worth money.');
  if (demo) {
    printLine('');
    printLine('Demo accounts (password fulcrum-demo):');
    for (const name of userRoles) printLine(`  ${name}@fulcrum.local`);
  }
  printLine('');
}

try {
  const config = loadConfig(process.env);
  configuredLogLevel = config.logLevel;
  isMember = config.nats !== null;
  starting = startServer(config);
  const { publicUrl } = await starting;
  if (stoppingSince === null) printBanner(publicUrl, config.demo);
} catch (error) {
  // An error that the operator can fix is one clear line; any other error keeps its stack.
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
