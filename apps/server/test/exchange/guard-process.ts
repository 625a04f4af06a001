/** Loaded into a process of its own before anything else (`--import`): the process ends with 99 if it connected to another machine. */
import { guardForeignHosts } from './foreign-hosts.ts';

const { refused } = guardForeignHosts();
process.on('exit', () => {
  if (refused.length === 0) return;
  process.stderr.write(`connected to another machine: ${refused.join(', ')}\n`);
  process.exitCode = 99;
});
