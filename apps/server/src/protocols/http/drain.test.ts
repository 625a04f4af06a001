import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hourMs } from '@fulcrum/domain';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createDrain } from './drain.ts';

const get = 'GET / HTTP/1.1\r\nHost: fulcrum\r\n\r\n';

/** A server whose only route answers when `answer` is called. */
async function serve(withinMs: number) {
  const requested = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const app = fastify().get('/', async () => {
    requested.resolve();
    await answer.promise;
    return 'answered';
  });
  const drain = createDrain(app, withinMs);
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  async function open(text: string): Promise<Socket> {
    const socket = connect(Number(url.port), url.hostname).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }
  return { open, drain, requested: requested.promise, answer: answer.resolve };
}

// A drain that waited for them would end after an hour, long after the time that a test has.
test('a drain answers what was requested, and waits for no connection that stands open', async () => {
  const { open, drain, requested, answer } = await serve(hourMs);
  const idle = [await open(''), await open('GET / HTTP/1.1\r\nHos')];
  const asking = await open(get);
  await requested;
  const closed = Promise.all(idle.map((connection) => once(connection, 'close')));
  const drained = drain();
  const read = once(asking, 'data');
  answer();
  const [text] = await read;
  expect(String(text)).toContain('answered');
  await closed;
  await drained;
});

test('a drain ends a request that is not answered in time', async () => {
  const { open, drain, requested } = await serve(0);
  const asking = await open(get);
  await requested;
  const closed = once(asking, 'close');
  await drain();
  await closed;
  expect(asking.bytesRead).toBe(0);
});
