/** Addresses count by /64, and signed-in users count by user. */
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createManualClock } from '../../src/platform/clock/index.ts';
import type { LimitSetting } from '../../src/platform/limits/declarations.ts';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';
import { RawClient, until } from '../realtime/realtime-server.ts';

let server: TestServer;
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await server.close();
});

const start = async (limits: Partial<Record<LimitSetting, number>>) => {
  // The clock is stopped, so no attempt expires meanwhile.
  const clock = createManualClock(Date.now());
  server = await startTestServer({ clock, config: { trustProxy: true, limits: limitsWith(limits) } });
};

/** Resolves with the open socket, or with the status of the refusal. */
async function connect(address: string): Promise<RawClient | number> {
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': address } });
  const raw = new RawClient(socket);
  return new Promise((resolve) => {
    socket.once('open', () => {
      sockets.push(socket);
      resolve(raw);
    });
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
  });
}

async function opened(address: string): Promise<RawClient> {
  const made = await connect(address);
  if (typeof made === 'number') throw new Error(`refused: ${made}`);
  return made;
}

async function broadcast(address: string): Promise<number> {
  const answer = await fetch(`${server.url}/realtime/v1/api/broadcast`, {
    method: 'POST',
    headers: { apikey: server.anonKey, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: '{}',
  });
  return answer.status;
}

/** Twice as many attempts at once as one address has; answers what they were answered. */
async function useUp(addresses: readonly string[]): Promise<readonly number[]> {
  const all = await Promise.all(
    Array.from({ length: 600 }, (_, i) => broadcast(addresses[i % addresses.length] ?? '')),
  );
  return [...new Set(all)].sort((a, b) => a - b);
}

async function tokenOf({ client }: Trader): Promise<string> {
  const { data } = await client.auth.getSession();
  return data.session!.access_token;
}

describe('live connections', () => {
  test('SEC-F5: two addresses of one IPv6 /64 share its sockets; another /64 has its own', async () => {
    await start({ SOCKETS_PER_ADDRESS: 2 });
    await opened('2001:db8:1:2:aaaa::1');
    await opened('2001:db8:1:2:bbbb::1');
    expect(await connect('2001:db8:1:2:cccc::1')).toBe(429);
    expect(await connect('2001:db8:1:3::1')).toBeInstanceOf(RawClient);
  });

  test('SEC-F5: broadcasts by HTTP without a session are counted by /64 too', async () => {
    await start({ SOCKETS_PER_ADDRESS: 1 });
    expect(await useUp(['2001:db8:1:2:aaaa::1', '2001:db8:1:2:bbbb::1'])).toEqual([401, 429]);
    expect(await broadcast('2001:db8:1:2:cccc::1')).toBe(429);
    expect(await broadcast('2001:db8:1:3::1')).toBe(401);
  });

  test('OPS-D2, A118: a socket counts for its address until a signed-in join, then for the user, from any address', async () => {
    await start({ SOCKETS_PER_ADDRESS: 2, SOCKETS_PER_USER: 3 });
    const ada = await server.signUpTrader();
    const bob = await server.signUpTrader();
    const tab = async (trader: Trader, address: string) => {
      const raw = await opened(address);
      return { raw, ...(await raw.join(`user:${trader.userId}`, { access_token: await tokenOf(trader) })) };
    };
    // Three tabs where an address may have only two sockets without a user.
    const tabs = [await tab(ada, '192.0.2.1'), await tab(ada, '192.0.2.1'), await tab(ada, '192.0.2.1')];
    expect(tabs.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    const fourth = await tab(ada, '192.0.2.2');
    expect([fourth.status, fourth.response.reason]).toEqual([
      'error',
      'Too many connections. Please try again shortly.',
    ]);
    expect((await tab(bob, '192.0.2.1')).status, 'her neighbour has his own').toBe('ok');
    // It had no user, and is free for another one.
    expect(
      (await fourth.raw.join(`user:${bob.userId}`, { access_token: await tokenOf(bob) }, '2')).status,
    ).toBe('ok');
    tabs[0]!.raw.socket.close();
    await until(() => tabs[0]!.raw.closed);
    await expect.poll(async () => (await tab(ada, '192.0.2.3')).status).toBe('ok');
  });

  test('OPS-D2: a tab that was open before the sign-in counts for the user from then on', async () => {
    await start({ SOCKETS_PER_ADDRESS: 1, SOCKETS_PER_USER: 1 });
    const ada = await server.signUpTrader();
    const raw = await opened('192.0.2.1');
    expect((await raw.join('prices')).status).toBe('ok');
    expect(await connect('192.0.2.1')).toBe(429);
    raw.send('1', '2', 'realtime:prices', 'access_token', { access_token: await tokenOf(ada) });
    expect((await raw.reply('2')).status).toBe('ok');
    const second = await opened('192.0.2.1');
    const refused = await second.join(`user:${ada.userId}`, { access_token: await tokenOf(ada) });
    expect(refused.status).toBe('error');
  });

  test('OPS-D2, A118: using up the joins of an address does not limit a signed-in neighbour', async () => {
    await start({ SOCKETS_PER_ADDRESS: 1 });
    const ada = await server.signUpTrader();
    const hers = await opened('192.0.2.1');
    expect(await useUp(['192.0.2.1'])).toEqual([401, 429]);
    expect(await connect('192.0.2.1')).toBe(429);
    expect((await hers.join(`user:${ada.userId}`, { access_token: await tokenOf(ada) })).status).toBe('ok');
  });
});
