/** The specification's direct table writes with the official client, answered as A100 states. */
import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPseudonymizer } from '../../src/features/audit/index.ts';
import { server, shareUserServer, type TestUser } from './user-server.ts';

let admin: TestUser;
shareUserServer();
beforeAll(async () => {
  admin = await server.addUser('admin');
});

const rowOf = async ({ id }: { id: string }) => {
  const { rows } = await server.db.query(`select row_to_json(u) as row from api.users u where id = $1`, [id]);
  return rows[0]?.row as Record<string, unknown>;
};

describe('insert into users', () => {
  test('CALL-28, AUTH-25: the registration’s own insert stores name and phone and ignores the rest', async () => {
    const trader = await server.addUser('trader');
    const before = await rowOf(trader);
    const username = randomUUID().slice(0, 8);
    const { data, error } = await trader.client
      .from('users')
      .insert({
        id: trader.id,
        email: 'mine@example.test',
        username,
        phone_number: '+12025550142',
        role: 'admin',
        last_login: '2001-01-01T00:00:00Z',
      })
      .select()
      .single();
    expect(error).toBeNull();
    expect(data).toEqual({ ...before, username, phone_number: '+12025550142' });
    expect(await rowOf(trader)).toEqual(data);
  });

  test('CALL-28: without an id it is the caller’s own, an upsert is the same, and an empty one changes nothing', async () => {
    const trader = await server.addUser('trader');
    const before = await rowOf(trader);
    expect((await trader.client.from('users').insert({ role: 'trader' })).status).toBe(201);
    expect(await rowOf(trader)).toEqual(before);
    const username = randomUUID().slice(0, 8);
    const { error } = await trader.client.from('users').upsert({ id: trader.id, username });
    expect(error).toBeNull();
    expect(await rowOf(trader)).toEqual({ ...before, username });
  });

  test('CALL-28, AUTH-19: the rules of a profile hold here too', async () => {
    const trader = await server.addUser('trader');
    const { error, status } = await trader.client.from('users').insert({ username: 'ab' });
    expect([status, error?.message]).toEqual([400, 'Username must be at least 3 characters']);
    const taken = await trader.client.from('users').insert({ username: admin.username });
    expect([taken.status, taken.error?.message]).toEqual([409, 'This username is taken.']);
  });

  test('CALL-28: another user’s id is refused to every role but admin', async () => {
    const target = await server.addUser('trader');
    const before = await rowOf(target);
    for (const role of ['trader', 'manager', 'support'] as const) {
      const { client } = await server.addUser(role);
      const { status } = await client.from('users').insert({ id: target.id, username: 'mine-now' });
      expect(status).toBe(403);
    }
    expect(await rowOf(target)).toEqual(before);
  });

  test('CALL-29: an admin gives an account its name and role, audited; email and last login stay', async () => {
    const target = await server.addUser('trader');
    const username = randomUUID().slice(0, 2);
    const { data, error } = await admin.client
      .from('users')
      .insert({
        id: target.id,
        email: 'other@example.test',
        username,
        role: 'support',
        last_login: '2001-01-01T00:00:00Z',
      })
      .select('id, email, username, role')
      .single();
    expect(error).toBeNull();
    expect(data).toEqual({ id: target.id, email: target.email, username, role: 'support' });
    const mark = await createPseudonymizer(server.db, target.id);
    expect((await server.audit(target.id)).map(({ detail }) => detail)).toEqual([
      {
        before: { username: mark(target.username), role: 'trader' },
        after: { username: mark(username), role: 'support' },
      },
    ]);
    expect((await target.client.auth.refreshSession()).error).not.toBeNull();
  });

  test('CALL-29: an account that is not there is not made', async () => {
    const { status } = await admin.client.from('users').insert({ id: randomUUID(), username: 'ghost' });
    expect(status).toBe(404);
  });

  test('CALL-28: several at once are refused whole', async () => {
    const [one, two] = [await server.addUser('trader'), await server.addUser('trader')];
    const { status } = await admin.client.from('users').insert([
      { id: one.id, username: 'first-one' },
      { id: two.id, username: 'second-one' },
    ]);
    expect(status).toBe(400);
    expect((await rowOf(one)).username).toBe(one.username);
  });
});

describe('update of users', () => {
  test('CALL-26: last_login becomes the server’s time, whatever is claimed', async () => {
    const trader = await server.addUser('trader');
    server.clock.advance(minuteMs);
    for (const last_login of ['2001-01-01T00:00:00Z', null]) {
      const { data, error } = await trader.client
        .from('users')
        .update({ last_login })
        .eq('id', trader.id)
        .select('last_login')
        .single();
      expect(error).toBeNull();
      expect(Date.parse(data?.last_login)).toBe(server.clock.now());
    }
  });

  test('CALL-26: no one records another user’s login', async () => {
    const trader = await server.addUser('trader');
    const before = await rowOf(trader);
    const last_login = new Date(server.clock.now()).toISOString();
    const byAdmin = await admin.client.from('users').update({ last_login }).eq('id', trader.id);
    expect(byAdmin.status).toBe(403);
    const other = await server.addUser('trader');
    const { data } = await other.client.from('users').update({ last_login }).eq('id', trader.id).select();
    expect(data).toEqual([]);
    expect(await rowOf(trader)).toEqual(before);
  });

  test('CALL-27: the KYC columns may only be set to their present values', async () => {
    const trader = await server.addUser('trader');
    const at = '2026-01-02T03:04:05.678Z';
    await server.db.query(
      `update app.users set kyc_status = 'verified', kyc_verified_at = $2 where id = $1`,
      [trader.id, at],
    );
    const before = await rowOf(trader);
    const update = (by: TestUser, changes: Record<string, unknown>) =>
      by.client.from('users').update(changes).eq('id', trader.id);
    for (const by of [trader, admin]) {
      for (const same of [
        { kyc_status: 'verified' },
        { kyc_status: 'verified', kyc_verified_at: at },
        { kyc_verified_at: '2026-01-02T04:04:05.678+01:00' },
      ]) {
        expect((await update(by, same)).error).toBeNull();
      }
      for (const other of [
        { kyc_status: 'pending' },
        { kyc_status: 'verified', kyc_verified_at: null },
        { kyc_verified_at: '2026-01-02T03:04:05.679Z' },
        { kyc_status: 'rejected', last_login: at },
      ]) {
        expect((await update(by, other)).status).toBe(403);
      }
    }
    expect(await rowOf(trader)).toEqual(before);
  });
});

describe('insert into wallets', () => {
  test('CALL-33, RULE-26: one’s own is idempotent, the amounts are ignored, the wallet is the answer', async () => {
    const trader = await server.addUser('trader');
    const { data: wallet } = await trader.client.from('wallets').select().single();
    const { data, error } = await trader.client
      .from('wallets')
      .insert({ user_id: trader.id, balance: 1_000_000, available_balance: 1_000_000, currency: 'EUR' })
      .select()
      .single();
    expect(error).toBeNull();
    expect(data).toEqual(wallet);
  });

  test('CALL-33, A14: ten at the same time make one empty wallet', async () => {
    const { data: made } = await admin.client.rpc('admin_create_user', {
      p_email: `${randomUUID().slice(0, 13)}@example.test`,
      p_username: randomUUID().slice(0, 13),
      p_password: 'correct-horse',
      p_role: 'support',
    });
    await server.db.query(`delete from app.wallets where user_id = $1`, [made.id]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        admin.client
          .from('wallets')
          .insert({ user_id: made.id, balance: 0, available_balance: 0 })
          .select('id, balance')
          .single(),
      ),
    );
    expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
    expect(answers[0]?.data?.balance).toBe(0);
  });

  test('CALL-34: for another user by an admin only, and only for an existing account', async () => {
    const [trader, other] = [await server.addUser('trader'), await server.addUser('trader')];
    const foreign = await trader.client.from('wallets').insert({ user_id: other.id, balance: 0 });
    expect(foreign.status).toBe(403);
    const { data } = await admin.client
      .from('wallets')
      .insert({ user_id: other.id, balance: 5, available_balance: 5 })
      .select('user_id, balance')
      .single();
    expect(data).toEqual({ user_id: other.id, balance: 10_000 });
    const unknown = await admin.client.from('wallets').insert({ user_id: randomUUID() });
    expect(unknown.status).toBe(404);
  });
});
