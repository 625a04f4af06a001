/** The process: reads the configuration, starts the server, prints where it is, and ends cleanly on a signal. */
import { ConfigError, loadConfig } from './platform/config/index.ts';
import { startServer } from './server.ts';

const stopWithinMs = 10_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const config = loadConfig(process.env);
  const server = await startServer(config);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    say(`${signal}: finishing answers, stopping PostgreSQL …`);
    // A stuck peer must not keep the process: what is acknowledged is committed already.
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));

  say('');
  say(`Fulcrum is ready:  ${config.publicUrl}`);
  say('Paper trading only: no order reaches a market, no balance is worth money.');
  if (config.demo) {
    say('');
    say('Demo accounts (password fulcrum-demo):');
    for (const name of ['trader', 'manager', 'support', 'admin']) say(`  ${name}@fulcrum.local`);
  }
  say('');
} catch (error) {
  // A configuration mistake is one clear line; anything else keeps its stack for the person who has to find it.
  process.stderr.write(
    `${error instanceof ConfigError || (error instanceof Error && error.name === 'StartError') ? error.message : (error as Error).stack}\n`,
  );
  process.exit(1);
}
