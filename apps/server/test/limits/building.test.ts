/** Many users behind one address, on a real server with its default limits. */
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer, testPassword } from '../harness/index.ts';
import { RawClient } from '../realtime/realtime-server.ts';

interface Student {
  readonly email: string;
  readonly id: string;
  readonly token: string;
}

const post = (server: TestServer, path: string, body: unknown, token?: string) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      apikey: server.anonKey,
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });

const signIn = (server: TestServer, email: string, password: string) =>
  post(server, '/auth/v1/token?grant_type=password', { email, password });

async function signUp(server: TestServer, n: number): Promise<Student> {
  const email = `student-${n}@school.test`;
  const answer = await post(server, '/auth/v1/signup', {
    email,
    password: testPassword,
    data: { username: `student-${n}`, phone_number: '+12025550100' },
  });
  expect(answer.status, `sign-up ${n}`).toBe(200);
  const { user, access_token: token } = (await answer.json()) as {
    user: { id: string };
    access_token: string;
  };
  return { email, id: user.id, token };
}

/** A live connection of the student's browser, joined to their own account. */
async function connect(server: TestServer, { id, token }: Student): Promise<WebSocket> {
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;
  const socket = new WebSocket(url);
  const raw = new RawClient(socket);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const { status } = await raw.join(`user:${id}`, { access_token: token });
  expect(status, `the live connection of ${id}`).toBe('ok');
  return socket;
}

const users = 400;
const withinMs = 5 * 60_000;

// Each step is everybody's at once.
test('OPS-D1, OPS-D2, OPS-D3, A118: 400 sign-ups, 400 sockets and 120 wrong passwords from one address within five minutes, and then everybody is in', {
  timeout: withinMs + 60_000,
}, async () => {
  const server = await startTestServer();
  const began = Date.now();
  const numbers = Array.from({ length: users }, (_, n) => n);
  const sockets: WebSocket[] = [];
  try {
    for (const role of ['admin', 'manager'] as const) {
      await server.server.accounts.createUser(server.db, {
        email: `${role}@school.test`,
        username: `the-${role}`,
        password: testPassword,
        role,
        initialBalance: null,
      });
    }
    const students = await Promise.all(numbers.map((n) => signUp(server, n)));
    sockets.push(...(await Promise.all(students.map((student) => connect(server, student)))));

    const guessed = [
      'admin@school.test',
      ...students.slice(0, 59).map(({ email }) => email),
      ...numbers.slice(0, 60).map((n) => `nobody-${n}@school.test`),
    ];
    const guesses = await Promise.all(guessed.map((email) => signIn(server, email, 'a wrong password')));
    expect(guesses).toHaveLength(120);
    expect(new Set(guesses.map(({ status }) => status)), 'wrong, and not one refused').toEqual(
      new Set([400]),
    );

    const everybody = ['admin@school.test', 'manager@school.test', ...students.map(({ email }) => email)];
    const signedIn = await Promise.all(everybody.map((email) => signIn(server, email, testPassword)));
    expect(new Set(signedIn.map(({ status }) => status)), 'everybody is in').toEqual(new Set([200]));
    expect(Date.now() - began).toBeLessThan(withinMs);

    expect(sockets.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
    const health = (await (await fetch(`${server.url}/health`)).json()) as { realtime: { sockets: number } };
    expect(health.realtime.sockets).toBe(users);

    const form = { name: 'A', email: 'a@school.test', subject: 'A', message: 'A', status: 'new' };
    const sent = await Promise.all(
      students.slice(0, 60).map(({ token }) => post(server, '/rest/v1/contact_forms', form, token)),
    );
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
  } finally {
    for (const socket of sockets) socket.terminate();
    await server.close();
  }
});
