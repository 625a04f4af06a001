/**
 * A school's contest over two gateways, with the engine and the market in a process of their own: 30 students come in at both, trade by bots
 * at both, and read the same ranking. One gateway is killed before the end, and the result is what the other has.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hourMs } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiKey, sendSignedOrder } from '../exchange/signed-order.ts';
import { childEnv } from '../harness/child-env.ts';
import { eventually } from '../harness/eventually.ts';
import { testPassword } from '../harness/index.ts';
import { hasNats } from '../harness/nats-server.ts';
import { type ClusterMember, openServerCluster, type ServerCluster } from '../harness/server-cluster.ts';
import { signUpAt } from '../harness/server-process.ts';

const students = 30;
const tradingMs = 30_000;
const verifier = fileURLToPath(new URL('../../../../scripts/verify-certificate.ts', import.meta.url));
const rules = {
  ...{ v: 1, startBalance: 10_000, ruleSet: 'perpetual', leverageMax: 20, symbols: null, positionsMax: null },
  ...{ score: 'return', tieBreaks: ['entry'], tradesMin: 1, names: 'shown' },
};

interface Student {
  readonly username: string;
  readonly client: SupabaseClient;
  readonly gateway: ClusterMember;
  readonly key: ApiKey;
}

describe.skipIf(!hasNats)('a class of 30 over two gateways', () => {
  let cluster: ServerCluster;
  let gateways: readonly ClusterMember[];
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fulcrum-class-'));
    cluster = await openServerCluster();
    await cluster.start('engine,market');
    gateways = await Promise.all([cluster.start('gateway'), cluster.start('gateway')]);
  });
  afterAll(async () => {
    await cluster.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const gatewayOf = (index: number): ClusterMember => {
    const gateway = gateways[index % gateways.length];
    if (!gateway) throw new Error('there are two gateways');
    return gateway;
  };
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();

  async function hireAdmin(): Promise<SupabaseClient> {
    const admin = await signUpAt(gatewayOf(0).url, 'head');
    await cluster.db.asOwner(`update app.users set role = 'admin' where username = 'head'`);
    const { error } = await admin.auth.refreshSession();
    if (error) throw error;
    return admin;
  }
  /** Chooses a password by the link of the import, at this gateway. */
  async function comeIn(gateway: ClusterMember, link: string): Promise<SupabaseClient> {
    const client = createClient(gateway.url, cluster.secrets.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: link },
    });
    const token_hash = new URL(link).searchParams.get('token_hash') ?? '';
    const { error } = await client.auth.verifyOtp({ token_hash, type: 'recovery' });
    if (error) throw error;
    const { error: refused } = await client.auth.updateUser({ password: testPassword });
    if (refused) throw refused;
    return client;
  }
  async function enterWithBot(client: SupabaseClient, contestId: string): Promise<ApiKey> {
    const { data: entered } = await client.rpc('enter_contest', { p_contest_id: contestId }).throwOnError();
    const args = { p_name: 'bot', p_account_id: entered.account_id, p_scopes: ['read', 'trade'] };
    return (await client.rpc('create_api_key', args).throwOnError()).data;
  }
  async function importStudents(admin: SupabaseClient): Promise<readonly (readonly [string, string])[]> {
    const rows = Array.from({ length: students }, (_, index) => ({
      ...{ email: `student_${index}@school.test`, username: `student_${index}`, class: 'Markets 30' },
      ...{ role: '', manager: '', start_balance: '', phone: '' },
    }));
    const { data } = await admin
      .rpc('import_users', {
        ...{ p_import_id: randomUUID(), p_rows_in_all: students, p_links: 'file', p_rows: rows },
      })
      .throwOnError();
    return data.rows.map(({ username, link }: { username: string; link: string }) => [username, link]);
  }

  test('they trade at both, read one ranking, and have their result though a gateway dies', async () => {
    const admin = await hireAdmin();
    const { data: made } = await admin
      .rpc('save_class', {
        ...{ p_name: 'Markets 30', p_begins_at: iso(-hourMs), p_ends_at: iso(24 * hourMs) },
        ...{ p_start_balance: 10_000, p_rules: 'perpetual', p_leverage_max: 20, p_symbols: null },
        ...{ p_positions_max: null, p_tutor_ids: [] },
      })
      .throwOnError();
    const clients: { username: string; client: SupabaseClient; gateway: ClusterMember }[] = [];
    for (const [index, [username, link]] of (await importStudents(admin)).entries()) {
      const gateway = gatewayOf(index);
      clients.push({ username, gateway, client: await comeIn(gateway, link) });
    }
    const { data: contest } = await admin
      .rpc('save_contest', {
        ...{ p_name: 'Class cup', p_description: '', p_class_id: made.id, p_rules: rules },
        ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(tradingMs) },
        ...{ p_begins_at: iso(-1_000), p_ends_at: iso(tradingMs) },
      })
      .throwOnError();
    const entrants: Student[] = [];
    for (const one of clients) entrants.push({ ...one, key: await enterWithBot(one.client, contest.id) });

    // Each sends the order at the gateway where they did not come in.
    await Promise.all(
      entrants.map(({ key }, index) =>
        sendSignedOrder(gatewayOf(index + 1).url, key, {
          ...{ symbol: 'BTCUSDT', side: index % 2 === 0 ? 'BUY' : 'SELL', type: 'MARKET' },
          ...{ quantity: ((index + 1) / 1_000).toFixed(3), newClientOrderId: randomUUID() },
        }),
      ),
    );
    // An order is carried out after the latency of its account: the shock comes after all of them.
    await eventually(async () =>
      expect(await cluster.db.asOwner('select 1 from app.positions')).toHaveLength(students),
    );
    await admin
      .rpc('shock_price', {
        ...{ p_symbol: 'BTCUSDT', p_percent: 3, p_half_life_minutes: 600, p_reason: 'A test of a class' },
      })
      .throwOnError();
    const rankingAt = async ({ client }: Student) =>
      (await client.rpc('get_contest_ranking', { p_contest_id: contest.id }).throwOnError()).data;
    const [atFirst, atSecond] = entrants;
    if (!atFirst || !atSecond) throw new Error('there are 30 students');
    for (const reader of [atFirst, atSecond]) {
      await eventually(async () => {
        const { ranks } = await rankingAt(reader);
        expect(ranks).toHaveLength(students);
        expect([ranks[0].username, ranks.at(-1).username]).toEqual(['student_28', 'student_29']);
      });
    }

    await gatewayOf(0).end('SIGKILL');
    await eventually(async () => expect((await rankingAt(atSecond)).frozen).toBe(true));
    const { ranks } = await rankingAt(atSecond);
    expect(ranks.map(({ rank }: { rank: number }) => rank)).toEqual(entrants.map((_, index) => index + 1));
    expect(ranks.at(-1).username).toBe('student_29');
    const open = await cluster.db.asOwner(`select 1 from app.positions where status = 'open'`);
    expect(open).toEqual([]);

    // The winner came in at the gateway that is dead.
    const winner = entrants[28];
    const { data } = (await winner?.client.auth.getSession()) ?? {};
    const token = data?.session?.access_token ?? '';
    const elsewhere = createClient(gatewayOf(1).url, cluster.secrets.anonKey, {
      accessToken: async () => token,
    });
    const { data: certificate } = await elsewhere
      .rpc('get_contest_certificate', { p_contest_id: contest.id })
      .throwOnError();
    const file = join(folder, 'certificate.json');
    writeFileSync(file, certificate.text);
    const verified = spawnSync(process.execPath, [verifier, file], { env: childEnv, encoding: 'utf8' });
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    expect(verified.stdout).toContain(`1 of ${students}`);
  }, 240_000);
});
