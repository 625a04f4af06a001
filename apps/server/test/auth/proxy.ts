/** A line between client and server that a test can cut: the server has done its work, and its answer never arrives. */
import { connect, createServer, type Socket } from 'node:net';

export async function startProxy(target: string) {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let dropped = 0;
  /** Called instead of passing the next answer on. */
  let instead: (() => Promise<void> | void) | null = null;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // A cut line is what this is for.
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk: Buffer) => {
      if (instead === null) return void client.write(chunk);
      const action = instead;
      instead = null;
      dropped += 1;
      upstream.destroy();
      void Promise.resolve(action()).then(() => client.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    dropped: () => dropped,
    /** The next answer is lost; `meanwhile` happens between the server's work and the client's notice. */
    dropNextAnswer(meanwhile: () => Promise<void> | void = () => undefined) {
      instead = meanwhile;
    },
    redirect(to: string) {
      ({ hostname, port } = new URL(to));
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
