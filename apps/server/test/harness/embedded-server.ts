/**
 * A process that a test can kill: opens the embedded database in the directory given as its argument, writes numbered
 * rows without pause and prints the number of each after its commit.
 */
import { openDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';

const db = await openDatabase(
  { databaseUrl: null, dataDir: process.argv[2] ?? '' },
  createLog({ logLevel: 'silent' }),
);
process.once('SIGTERM', () => void db.close());
for (let n = 1; !db.pool.ending; n += 1) {
  await db.query(
    "insert into app.audit_log (action, detail) values ('acknowledged', jsonb_build_object('n', $1::int))",
    [n],
  );
  process.stdout.write(`${n}\n`);
}
