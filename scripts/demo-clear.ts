/**
 * `npm run demo:clear`: removes the demo's invented users, its messages and the past of `trader@fulcrum.local`, with the
 * server stopped. It starts the server on a free port of this machine, deletes each account as an administrator would (the
 * engine closes what is open and books the rest out; ledger and audit log stay under ids without a name), and stops it. An
 * account of the demo whose password was changed belongs to its user and stays. The demo's past does not come back.
 */
import { clearDemo, deleteDemoMessages, deleteDemoSchool } from '../apps/server/src/features/demo/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { withDatabase } from '../apps/server/src/platform/database/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { startServer } from '../apps/server/src/server.ts';
import { runTool } from './tools.ts';

await runTool(async () => {
  const config = loadConfig(process.env);
  const log = createLog({ logLevel: 'warn' });
  const local = { ...config, host: '127.0.0.1', port: 0, demo: config.demo, demoHistory: false };
  const server = await startServer(local, { log });
  let users: number;
  try {
    users = await clearDemo(server);
  } finally {
    await server.close();
  }
  // Only the owner of the tables deletes contact messages, classes and contests.
  const messages = await withDatabase(config, log, deleteDemoMessages);
  const isSchoolGone = await withDatabase(config, log, deleteDemoSchool);
  if (!isSchoolGone)
    console.log('The class and the contest of the demo stay, because they have other members.');
  console.log(
    `Removed ${users} accounts and ${messages} messages of the demo. The next start with DEMO=true makes its four accounts again, empty; DEMO_HISTORY=false keeps a new data folder empty too.`,
  );
});
