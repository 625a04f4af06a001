import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { bearer, password, server, shareAuthServer, startAuthServer } from './harness.ts';

shareAuthServer();

/** One person, signed in on three devices. */
async function threeDevices() {
  const user = await server.register();
  const devices: SupabaseClient[] = [user.client];
  const tokens = [user.session.access_token];
  const refreshTokens = [user.session.refresh_token];
  for (let i = 0; i < 2; i += 1) {
    const client = server.client();
    const { data } = await client.auth.signInWithPassword({ email: user.email, password });
    devices.push(client);
    tokens.push(data.session!.access_token);
    refreshTokens.push(data.session!.refresh_token);
  }
  const alive = async () => {
    const answers = await Promise.all(
      tokens.map((token) => server.call('GET', '/user', undefined, bearer(token))),
    );
    return answers.map((answer) => answer.status === 200);
  };
  return { devices, tokens, refreshTokens, alive, userId: user.userId };
}

describe('a session that has ended', () => {
  test('CALL-08: logout local ends this session only', async () => {
    const { devices, alive } = await threeDevices();
    expect((await devices[0]!.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect(await alive()).toEqual([false, true, true]);
  });

  test('CALL-08: logout others ends all but this session', async () => {
    const { devices, alive } = await threeDevices();
    expect((await devices[1]!.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect(await alive()).toEqual([false, true, false]);
  });

  test('CALL-08: logout global ends all sessions of the user, and none of other users', async () => {
    const bystander = await server.register();
    const { devices, alive } = await threeDevices();
    expect((await devices[2]!.auth.signOut()).error).toBeNull();
    expect(await alive()).toEqual([false, false, false]);
    expect((await bystander.client.auth.getUser()).error).toBeNull();
  });

  test('CALL-08: an unknown scope is refused and ends no session', async () => {
    const { tokens, alive } = await threeDevices();
    const answer = await server.call('POST', '/logout?scope=everyone', {}, bearer(tokens[0]!));
    expect(answer.status).toBe(400);
    expect(await alive()).toEqual([true, true, true]);
  });

  test('CALL-08, AUTH-44: its access token is refused at once, its refresh token too, and the client signs out', async () => {
    const { devices, tokens, refreshTokens } = await threeDevices();
    await devices[0]!.auth.signOut({ scope: 'others' });
    const read = await server.call('GET', '/user', undefined, bearer(tokens[1]!));
    expect(read.status).toBe(403);
    expect(await read.json()).toMatchObject({ code: 'session_not_found' });
    const refreshed = await server.call('POST', '/token?grant_type=refresh_token', {
      refresh_token: refreshTokens[1]!,
    });
    expect(await refreshed.json()).toMatchObject({ code: 'session_not_found' });
    const events: string[] = [];
    devices[1]!.auth.onAuthStateChange((event) => events.push(event));
    await devices[1]!.auth.getUser();
    expect(events).toContain('SIGNED_OUT');
  });

  test('every subscriber is notified after the commit', async () => {
    const { devices, userId } = await threeDevices();
    const announced: { sessionId: string; userId: string }[] = [];
    const off = server.bus.subscribe('session.revoked', (event) => announced.push(event));
    await devices[0]!.auth.signOut();
    off();
    expect(announced).toHaveLength(3);
    expect(announced.every((event) => event.userId === userId)).toBe(true);
  });

  test('CALL-08: stays ended after a restart of the server', async () => {
    const { devices, tokens } = await threeDevices();
    await devices[0]!.auth.signOut({ scope: 'local' });
    const restarted = await startAuthServer({ database: server.db, clock: server.clock });
    expect((await restarted.call('GET', '/user', undefined, bearer(tokens[0]!))).status).toBe(403);
    expect((await restarted.call('GET', '/user', undefined, bearer(tokens[1]!))).status).toBe(200);
    await restarted.stop();
  });

  test('a session that another process ended is refused as soon as the bus publishes it', async () => {
    const { tokens } = await threeDevices();
    const caller = server.accounts.callerOf(bearer(tokens[0]!));
    if (caller.role === 'anon') throw new Error('not signed in');
    server.bus.publish('session.revoked', { sessionId: caller.sessionId, userId: caller.userId });
    expect(() => server.accounts.callerOf(bearer(tokens[0]!))).toThrow('This session has ended.');
  });

  test('AUTH-42: signing out twice is no error for the client', async () => {
    const { session } = await server.register();
    const [one, two] = [server.client(), server.client()];
    await one.auth.setSession(session);
    await two.auth.setSession(session);
    expect((await one.auth.signOut({ scope: 'local' })).error).toBeNull();
    expect((await two.auth.signOut({ scope: 'local' })).error).toBeNull();
  });
});
