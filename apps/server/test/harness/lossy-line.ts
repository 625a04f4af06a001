/** A TCP line that can lose what goes over it without an end of the connection, as a cut cable does. */
import { connect, createServer, type Socket } from 'node:net';

type Lost = 'nothing' | 'everything' | 'answers';

export interface LossyLine {
  readonly port: number;
  /** `everything`: in both directions, new connections included. `answers`: what comes from the server is not taken from it. */
  lose(lost: Lost): void;
  close(): Promise<void>;
}

/** To `port` of this machine. */
export async function startLossyLine(port: number): Promise<LossyLine> {
  const sockets = new Set<Socket>();
  let lost: Lost = 'nothing';
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        // An end is lost as well.
        if (lost === 'nothing') to.destroy();
      });
      from.on('data', (chunk: Buffer) => {
        if (lost !== 'everything') to.write(chunk);
      });
    }
    if (lost === 'answers') upstream.pause();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    port: address.port,
    lose(next) {
      // A connection that has lost bytes cannot go on: it would be another stream.
      if (next === 'nothing') for (const socket of sockets) socket.destroy();
      if (next === 'answers') for (const socket of sockets) socket.pause();
      lost = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
