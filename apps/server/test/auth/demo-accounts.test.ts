import { userRoles } from '@fulcrum/contract';
import { describe, expect, test } from 'vitest';
import { demoPassword, seedDemo } from '../../src/features/identity/index.ts';
import { testLog } from '../harness/index.ts';
import { bearer, server, shareAuthServer, startAuthServer } from './harness.ts';

const seed = () => seedDemo({ db: server.db, identity: server.accounts, log: testLog });
shareAuthServer({ demo: true });

describe('the demo accounts', () => {
  test('AUTH-57: one of each role signs in with the published password', async () => {
    await seed();
    for (const role of userRoles) {
      const { data, error } = await server
        .client()
        .auth.signInWithPassword({ email: `${role}@fulcrum.local`, password: demoPassword });
      expect(error).toBeNull();
      expect(data.user!.app_metadata.role).toBe(role);
    }
  });

  test('A13: the trader has 10000 USDT and the manager, staff have no wallet', async () => {
    const { rows } = await server.db.query(
      `select u.username, w.balance, m.username as manager from app.users u left join app.wallets w on w.user_id = u.id
       left join app.users m on m.id = u.manager_id order by u.username`,
    );
    expect(rows).toEqual([
      { username: 'demo_admin', balance: null, manager: null },
      { username: 'demo_manager', balance: null, manager: null },
      { username: 'demo_support', balance: null, manager: null },
      { username: 'demo_trader', balance: '10000.00000000', manager: 'demo_manager' },
    ]);
    const { rows: trader } = await server.db.query<{ id: string; managerId: string }>(
      `select id, manager_id as "managerId" from app.users where username = 'demo_trader'`,
    );
    expect(await server.accounts.isAssigned(trader[0]!.managerId, trader[0]!.id)).toBe(true);
    expect(await server.accounts.isAssigned(trader[0]!.id, trader[0]!.managerId)).toBe(false);
  });

  test('without DEMO the published password is refused, another one is accepted', async () => {
    const { client: trader } = await server.register();
    const opened = await startAuthServer({ database: server.db, clock: server.clock, demo: false });
    for (const role of userRoles) {
      const { error } = await opened
        .client()
        .auth.signInWithPassword({ email: ` ${role.toUpperCase()}@fulcrum.local`, password: demoPassword });
      expect(error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    }
    expect((await trader.auth.updateUser({ password: demoPassword })).error).toBeNull();
    const { data } = await trader.auth.getUser();
    const own = await opened
      .client()
      .auth.signInWithPassword({ email: data.user!.email!, password: demoPassword });
    expect(own.error).toBeNull();
    await opened.stop();
  });

  test('without DEMO sessions of the published password are ended, those of a changed password stay', async () => {
    const demo = await startAuthServer({ demo: true });
    await seedDemo({ db: demo.db, identity: demo.accounts, log: testLog });
    const begin = async (role: string) => {
      const client = demo.client();
      const { data } = await client.auth.signInWithPassword({
        email: `${role}@fulcrum.local`,
        password: demoPassword,
      });
      return { client, session: data.session! };
    };
    const [visitor, owner, bystander] = [await begin('admin'), await begin('trader'), await demo.register()];
    expect((await owner.client.auth.updateUser({ password: 'my-own-now' })).error).toBeNull();

    const next = async (isDemo: boolean) => {
      const server = await startAuthServer({ database: demo.db, clock: demo.clock, demo: isDemo });
      const read = async ({ session }: { session: { access_token: string } }) =>
        (await server.call('GET', '/user', undefined, bearer(session.access_token))).status;
      const statuses = [await read(visitor), await read(owner), await read(bystander)];
      const refreshed = await server.call('POST', '/token?grant_type=refresh_token', {
        refresh_token: visitor.session.refresh_token,
      });
      await server.stop();
      return [...statuses, refreshed.status];
    };
    expect(await next(true), 'while the demo lasts a start ends nothing').toEqual([200, 200, 200, 200]);
    expect(await next(false)).toEqual([403, 200, 200, 403]);
    await demo.close();
  });

  test('a later start changes neither the password nor the balance', async () => {
    const client = server.client();
    await client.auth.signInWithPassword({ email: 'trader@fulcrum.local', password: demoPassword });
    await client.auth.updateUser({ password: 'my-own-now' });
    const before = await server.db.query(`select * from app.users order by id`);
    await seed();
    expect((await server.db.query(`select * from app.users order by id`)).rows).toEqual(before.rows);
    const again = await server
      .client()
      .auth.signInWithPassword({ email: 'trader@fulcrum.local', password: 'my-own-now' });
    expect(again.error).toBeNull();
  });

  test('a taken demo name does not prevent the start', async () => {
    const other = await startAuthServer();
    await other.register('demo_admin');
    await seedDemo({ db: other.db, identity: other.accounts, log: testLog });
    const { rows } = await other.db.query(`select count(*)::int as users from app.users`);
    expect(rows).toEqual([{ users: 4 }]);
    await other.close();
  });
});
