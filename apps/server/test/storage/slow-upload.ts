/**
 * A process that a test can kill. It writes the chunks of a file into the database of its first argument, for the
 * user of its second one. It prints a line when some of them are stored, and never finishes.
 */
import { createHash } from 'node:crypto';
import { systemClock } from '../../src/platform/clock/index.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { createFileStore } from '../../src/platform/files/index.ts';
import { createLog } from '../../src/platform/log/index.ts';

const [databaseUrl = '', ownerId = ''] = process.argv.slice(2);
const log = createLog({ logLevel: 'silent' });
const db = await openDatabase({ databaseUrl, dataDir: '' }, log);
const store = createFileStore({ db, clock: systemClock, log, rememberAttemptsMs: 0 });

async function* endless() {
  for (let n = 0; n < 4; n += 1) yield Buffer.alloc(256 * 1024, createHash('sha256').update(`${n}`).digest());
  process.stdout.write('written\n');
  await new Promise(() => setInterval(() => undefined, 1000));
}
await store.receive(await store.begin(ownerId), ownerId, endless());
