/** Threat: a read that runs without end holds a connection that the orders need. */
import { expect, test } from 'vitest';
import { startTestServer } from '../harness/index.ts';

test('every connection of the running server cancels a statement after 15 s', async () => {
  const server = await startTestServer();
  try {
    const { rows } = await server.db.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
    );
    expect(rows).toEqual([{ statement: '15s', lock: '10s' }]);
  } finally {
    await server.close();
  }
});
