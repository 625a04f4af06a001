/** A119: what a request with a key costs the database, and when the end of a key counts. */
import { expect, test } from 'vitest';
import { createSecretBox } from '../../src/features/api-keys/credentials.ts';
import { createLookup } from '../../src/features/api-keys/lookup.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { makeKey } from './world.ts';

shareTestServer();

/** A lookup of another process on the server's database, with the names of its statements. */
function startLookup() {
  const statements: string[] = [];
  const query = async (...[text, values, name]: Parameters<Database['query']>) => {
    const result = await server.db.query(text, values, name);
    statements.push(name ?? text);
    return result;
  };
  const timers = createManualTimers(Date.now());
  const lookup = createLookup(
    // Sound: of the database a lookup uses `query` alone.
    {
      db: { query } as Database,
      clock: timers,
      timers,
      log: testLog,
      config: { rules: 'standard' } as never,
    },
    createSecretBox(server.server.secrets.apiKeysKey),
  );
  lookup.start();
  return { lookup, timers, statements };
}

test('keys that come together are read by one statement, and each request gets its own', async () => {
  const trader = await server.signUpTrader();
  const first = await makeKey(trader.client, trader.userId);
  const keys = [first, await makeKey(trader.client, trader.userId)];
  const { lookup, statements } = startLookup();
  const unknown = `paper_${'x'.repeat(first.api_key.length - 'paper_'.length)}`;
  const found = await Promise.all([...keys.map(({ api_key }) => api_key), unknown].map(lookup.find));
  expect(found.map((key) => key?.id ?? null)).toEqual([...keys.map(({ id }) => id), null]);
  expect(statements).toEqual(['find_api_keys']);
  lookup.stop();
});

test('a key in use is proven live beside its requests; one that ended elsewhere is refused within two seconds', async () => {
  const trader = await server.signUpTrader();
  const { id, api_key } = await makeKey(trader.client, trader.userId);
  const { lookup, timers, statements } = startLookup();
  const find = async () => (await lookup.find(api_key))?.id ?? null;
  expect(await find()).toBe(id);
  for (let seconds = 1; seconds <= 5; seconds += 1) {
    await timers.advance(1_000);
    await eventually(() => expect(statements).toHaveLength(1 + seconds), 5);
    expect(await find()).toBe(id);
  }
  expect(new Set(statements.slice(1))).toEqual(new Set(['live_api_keys']));
  await server.db.query('update app.api_keys set revoked_at = now() where id = $1', [id]);
  await timers.advance(1_000);
  await timers.advance(1_000);
  expect(await find()).toBeNull();
  // Nobody asks for it: it costs nothing more, once the look under way is over.
  await eventually(async () => {
    const before = statements.length;
    await timers.advance(10_000);
    expect(statements).toHaveLength(before);
  });
  lookup.stop();
});
