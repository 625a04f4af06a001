import { randomUUID } from 'node:crypto';
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { startUserServer, type TestUser, type UserServer } from '../identity/user-server.ts';

let server: UserServer;
let admin: TestUser;
beforeAll(async () => {
  server = await startUserServer({
    config: { registration: 'invited', registrationDomains: ['school.test'] },
  });
  admin = await server.addUser('admin');
});
afterAll(() => server.close());

/** The answer to a sign-up: null, or status, code and text of the refusal. */
async function signUp(data: Record<string, string> = {}, domain = 'school.test') {
  const username = randomUUID().slice(0, 13);
  const client = server.client();
  const { error, data: answer } = await client.auth.signUp({
    email: `${username}@${domain}`,
    password: testPassword,
    options: { data: { username, phone_number: '+12025550101', ...data } },
  });
  const refusal = error && [error.status, error.code, error.message];
  return { refusal, client, userId: answer.user?.id ?? '' };
}

async function invite(args: Record<string, unknown> = {}): Promise<{ id: string; code: string }> {
  const terms = { p_uses_max: 2, p_days: 7, ...args };
  const { data } = await admin.client.rpc('create_invitation', terms).throwOnError();
  return data;
}

const configOf = async () =>
  (await (await fetch(`${server.url}/config.json`)).json()) as { registration: string };
const invalid = [404, 'invite_not_found', 'This invitation is not valid, used up or has expired.'];

describe('REGISTRATION=invited (A117)', () => {
  test('refuses a registration without a code, and with one that is none', async () => {
    expect((await configOf()).registration).toBe('invited');
    const needed = [403, 'signup_disabled', 'Registration is by invitation. Please enter your code.'];
    expect((await signUp()).refusal).toEqual(needed);
    expect((await signUp({ invitation_code: 'ABCDE-01234' })).refusal).toEqual(invalid);
    expect((await signUp({ invitation_code: 'nonsense' })).refusal).toEqual(invalid);
  });

  test('a code opens an account with its start balance, as often as it allows', async () => {
    const { id, code } = await invite({ p_start_balance: '2500.5', p_note: 'Autumn' });
    const { data: seen } = await server.client().rpc('get_invitation', { p_code: code.toLowerCase() });
    expect(seen).toMatchObject({ start_balance: 2500.5 });

    const both = await Promise.all([1, 2, 3].map(() => signUp({ invitation_code: code })));
    expect(both.map(({ refusal }) => refusal).sort()).toEqual([invalid, null, null]);
    const { client, userId } = both.find(({ refusal }) => refusal === null) ?? both[0]!;
    const { data: wallet } = await client.from('wallets').select('balance').single();
    expect(wallet).toEqual({ balance: 2500.5 });
    const { data: user } = await client.from('users').select('role').eq('id', userId).single();
    expect(user).toEqual({ role: 'trader' });

    const { data: listed } = await admin.client.rpc('list_invitations').throwOnError();
    expect(listed.find((row: { id: string }) => row.id === id)).toMatchObject({
      ...{ code, note: 'Autumn', uses: 2, uses_max: 2, start_balance: 2500.5, revoked_at: null },
    });
    expect((await server.client().rpc('get_invitation', { p_code: code })).status).toBe(404);
    expect(await server.audit(id)).toEqual([
      expect.objectContaining({ actor_id: admin.id, action: 'invitation.create' }),
    ]);
  });

  test('the list has those that can be used before revoked and used up ones, each newest first', async () => {
    const made: string[] = [];
    for (const more of [{}, {}, { p_uses_max: 1 }, {}]) {
      const { id, code } = await invite(more);
      made.push(id);
      if (more.p_uses_max === 1) expect((await signUp({ invitation_code: code })).refusal).toBeNull();
      server.clock.advance(1);
    }
    await admin.client.rpc('revoke_invitation', { p_id: made[3] }).throwOnError();
    const { data: listed } = await admin.client.rpc('list_invitations').throwOnError();
    const order = listed
      .map(({ id }: { id: string }) => made.indexOf(id))
      .filter((index: number) => index !== -1);
    expect(order).toEqual([1, 0, 3, 2]);
  });

  test('a failed registration uses nothing up', async () => {
    const taken = await server.addUser('trader');
    const { code } = await invite({ p_uses_max: 1 });
    const refused = await signUp({ invitation_code: code, username: taken.username });
    expect(refused.refusal?.[2]).toBe('This username is taken.');
    expect((await signUp({ invitation_code: code })).refusal).toBeNull();
  });

  test('ends when it is revoked and when its time is over', async () => {
    const revoked = await invite();
    const args = { p_id: revoked.id };
    const { data: first } = await admin.client.rpc('revoke_invitation', args).throwOnError();
    const { data: second } = await admin.client.rpc('revoke_invitation', args).throwOnError();
    expect(second).toEqual(first);
    expect((await signUp({ invitation_code: revoked.code })).refusal).toEqual(invalid);
    const actions = (await server.audit(revoked.id)).map(({ action }) => action);
    expect(actions).toEqual(['invitation.create', 'invitation.revoke']);

    const { code } = await invite({ p_days: 1 });
    server.clock.advance(dayMs);
    expect((await signUp({ invitation_code: code })).refusal).toEqual(invalid);
    admin = { ...admin, client: await server.signIn(admin.email) };
  });

  test('a repeat of the same client id makes one invitation', async () => {
    const args = { p_client_id: randomUUID() };
    expect(await invite(args)).toEqual(await invite(args));
  });

  test('the number of open invitations is limited, and used up ones are none', async () => {
    const note = randomUUID();
    /** 500 invitations, with codes from `first` on. */
    const addMany = (first: number, uses: number) =>
      server.db.query(
        `insert into app.invitations (code, note, uses, uses_max, created_at, expires_at)
         select lpad(upper(to_hex($1 + n)), 10, '0'), $2, $3, 1, $4, $5 from generate_series(1, 500) n`,
        [first, note, uses, new Date(server.clock.now()), new Date(server.clock.now() + dayMs)],
      );
    await addMany(0, 1);
    await invite();
    await addMany(1_000, 0);
    const { error } = await admin.client.rpc('create_invitation', { p_uses_max: 2, p_days: 7 });
    expect(error).toMatchObject({
      ...{ code: 'conflict', message: 'There are 500 open invitations. Revoke one first.' },
    });
    await server.db.query('update app.invitations set revoked_at = created_at where note = $1', [note]);
    await invite();
  });

  test('a balance out of bounds is refused', async () => {
    const args = { p_uses_max: 1, p_days: 1, p_start_balance: '10000001' };
    const { error } = await admin.client.rpc('create_invitation', args);
    expect(error?.message).toBe('The start balance is from 0 to 10000000 USDT.');
  });

  test('REGISTRATION_DOMAINS holds with a code too', async () => {
    const { code } = await invite();
    expect((await signUp({ invitation_code: code }, 'elsewhere.test')).refusal?.slice(0, 2)).toEqual([
      403,
      'email_address_not_authorized',
    ]);
  });

  test('CALL-65: staff add users whatever the mode', async () => {
    const email = `${randomUUID()}@elsewhere.test`;
    const { data } = await admin.client.auth.getSession();
    const answer = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        apikey: server.anonKey,
        authorization: `Bearer ${data.session?.access_token}`,
      },
      body: JSON.stringify({ email, password: testPassword }),
    });
    expect(answer.status).toBe(200);
  });
});

test('A117: REGISTRATION=closed refuses everybody; open takes a code as well', async () => {
  const { code } = await invite({ p_start_balance: 7 });
  await server.restart({ registration: 'closed', registrationDomains: [] });
  expect((await signUp({ invitation_code: code })).refusal).toEqual([
    403,
    'signup_disabled',
    'Registration is closed. Please ask the operator of this server for an account.',
  ]);
  await server.restart({ registration: 'open' });
  expect((await signUp()).refusal).toBeNull();
  const { client, refusal } = await signUp({ invitation_code: code });
  expect(refusal).toBeNull();
  expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 7 });
});
