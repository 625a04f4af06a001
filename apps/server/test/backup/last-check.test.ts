/** The whole way, with processes and embedded databases only: trade, back up meanwhile, restore elsewhere, trade on. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { verifyBackup } from '../../src/platform/backup/index.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { testLog, testPassword } from '../harness/index.ts';
import { cleanUp, ledgerHashIn, newFolder, run, startServerProcess, stop } from './installations.ts';

afterAll(cleanUp);

async function clientOf(url: string): Promise<SupabaseClient> {
  const answer = await fetch(`${url}/config.json`);
  const { anonKey } = (await answer.json()) as { anonKey: string };
  return createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
  });
}

async function register(url: string, name: string) {
  const client = await clientOf(url);
  const { data, error } = await client.auth.signUp({
    email: `${name}@example.test`,
    password: testPassword,
    options: { data: { username: name, phone_number: '+12025550100' } },
  });
  if (error) throw error;
  return { client, userId: data.user!.id, refreshToken: data.session!.refresh_token };
}

const open = (client: SupabaseClient) =>
  client.rpc('open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.001,
    p_leverage: 50,
    p_client_id: randomUUID(),
  });

test('a backup during trading is one snapshot of the ledger, and a server runs on from it', {
  timeout: 180_000,
}, async () => {
  const folder = newFolder();
  const file = join(folder, 'while-trading.fulcrum');
  const original = await startServerProcess({ DATA_DIR: join(folder, 'original'), SIGNUP_BALANCE: '10000' });
  const traders = await Promise.all(['ada', 'ben', 'cem'].map((name) => register(original.url, name)));

  const acknowledged: string[] = [];
  const closing = new AbortController();
  const trade = async ({ client }: { client: SupabaseClient }) => {
    while (!closing.signal.aborted) {
      const { data, error } = await open(client);
      if (error) throw error;
      acknowledged.push(data.id);
      if (acknowledged.length % 2 === 0) await client.rpc('close_position', { p_position_id: data.id });
    }
  };
  const trading = Promise.all(traders.map(trade));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  const before = [...acknowledged];
  const made = await run('backup', [file], { DATA_DIR: join(folder, 'original') });
  expect(made).toMatchObject({ code: 0, err: '' });
  const during = acknowledged.length;
  const madeHash = ledgerHashIn(made.out);
  expect(madeHash).toBeDefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(during + 20);
  const after = acknowledged.slice(during + traders.length);
  closing.abort();
  await trading;
  await stop(original);

  const restored = await run('restore', [file], { DATA_DIR: join(folder, 'restored') });
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(ledgerHashIn(restored.out)).toBe(madeHash);
  const { foot } = await verifyBackup(file, null);
  expect(foot.ledger).toMatchObject({ sha256: madeHash, sum: '0.00000000' });

  const db = await openDatabase({ databaseUrl: null, dataDir: join(folder, 'restored') }, testLog);
  try {
    expect(await checkInvariants(db)).toMatchObject({ ok: true, violations: [] });
    const { rows } = await db.query<{ id: string }>('select id from app.positions');
    const present = new Set(rows.map(({ id }) => id));
    expect(rows).toHaveLength(foot.rows['app.positions']!);
    expect(before.filter((id) => !present.has(id))).toEqual([]);
    expect(after.filter((id) => present.has(id))).toEqual([]);
  } finally {
    await db.close();
  }

  const successor = await startServerProcess({ DATA_DIR: join(folder, 'restored') });
  const [ada, ben] = traders;
  const bySession = await clientOf(successor.url);
  const refreshed = await bySession.auth.refreshSession({ refresh_token: ada!.refreshToken });
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.user!.id).toBe(ada!.userId);
  expect((await open(bySession)).error).toBeNull();

  const byPassword = await clientOf(successor.url);
  const credentials = { email: 'ben@example.test', password: testPassword };
  const signedIn = await byPassword.auth.signInWithPassword(credentials);
  expect(signedIn.data.user?.id).toBe(ben!.userId);
  expect((await open(byPassword)).error).toBeNull();

  const admin = await run(
    'create-admin',
    ['--email', 'admin@example.test', '--username', 'operator'],
    { DATA_DIR: join(folder, 'restored') },
    { input: `${testPassword}\n` },
  );
  expect(admin).toMatchObject({ code: 0, err: '' });
  const byAdmin = await clientOf(successor.url);
  const { data } = await byAdmin.auth.signInWithPassword({
    email: 'admin@example.test',
    password: testPassword,
  });
  expect(data.user?.user_metadata ?? data.user).toBeDefined();
  expect((await byAdmin.from('users').select('role').eq('username', 'operator').single()).data).toEqual({
    role: 'admin',
  });
  const health = (await (await fetch(`${successor.url}/health`)).json()) as { status: string };
  expect(health.status).toBe('ready');
  await stop(successor);
});
