/**
 * A proxy between client and server that simulates a bad network: it loses responses after the server has done its work,
 * cuts sockets, and drops everything for a while.
 */
import { connect, createServer, type Socket } from 'node:net';

export type LossyProxy = Awaited<ReturnType<typeof startLossyProxy>>;

/** `isLost` is asked for each answer over HTTP; frames of a socket are lost with their socket only. */
export async function startLossyProxy(target: string, isLost: () => boolean) {
  const { hostname, port } = new URL(target);
  const connections = new Set<Socket>();
  const sockets = new Set<Socket>();
  const counts = { answers: 0, lost: 0, cut: 0 };
  let isDown = false;

  const server = createServer((client) => {
    if (isDown) return client.destroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const end of [client, upstream]) {
      connections.add(end);
      // A cut line is what this is for.
      end.on('error', () => undefined);
      end.on('close', () => connections.delete(end));
    }
    client.on('close', () => {
      sockets.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    // Also later than the first: the client may turn a connection that it has into a socket.
    client.on('data', (head: Buffer) => {
      if (!sockets.has(client) && /^upgrade: websocket/im.test(head.toString('latin1'))) sockets.add(client);
    });
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const isAnswer = !sockets.has(client) && chunk.subarray(0, 9).equals(Buffer.from('HTTP/1.1 '));
      if (isAnswer) counts.answers += 1;
      if (!isAnswer || !isLost()) return void client.write(chunk);
      counts.lost += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  const cutAll = (ends: ReadonlySet<Socket>) => {
    for (const end of ends) end.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    cutSockets() {
      counts.cut += sockets.size;
      cutAll(sockets);
    },
    goDown() {
      isDown = true;
      cutAll(connections);
    },
    comeBack() {
      isDown = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        cutAll(connections);
        server.close(() => resolve());
      }),
  };
}
