/** One connection of the client to a server of NATS. It is used once: the client's own reconnection is off. */
import { connect as connectSocket } from 'node:net';
// Types alone: the client is loaded by the first connection.
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsServers } from '../config/nats.ts';

type Address = NatsServers['addresses'][number];

/** Two pings without an answer end a connection: 1 to 1.5 s. */
const pingEveryMs = 500;
const dialWithinMs = 1_000;

/** @throws Error when the server does not take it */
export async function openConnection(
  { login, tls }: NatsServers,
  address: Address,
  name: string,
): Promise<NatsConnection> {
  await probe(address);
  const { connect } = await import('@nats-io/transport-node');
  return connect({
    servers: `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`,
    name,
    reconnect: false,
    noEcho: true,
    noAsyncTraces: true,
    ignoreClusterUpdates: true,
    timeout: dialWithinMs,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    ...(login && { user: login.user, pass: login.password }),
    ...(tls && { tls: {} }),
  });
}

/**
 * Resolves when the server greets. The client itself leaves a socket behind for each server that accepts a connection and says
 * nothing, as one that hangs does.
 */
function probe({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, timeout: dialWithinMs });
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer')));
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}
