/**
 * A TCP port on loopback for a program that cannot pick one itself, or that listens on its port again after a restart.
 *
 * Between two listens, or between the probe and the first one, anything may take a port that the kernel gives to whoever
 * asks for none: a client's end of a connection, or a server on port 0. So the port lies outside that range. A UDP socket
 * of the same number keeps it from all others who call this, on this machine, until this process ends.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

interface Range {
  readonly first: number;
  readonly last: number;
}

const host = '127.0.0.1';
/** Above those that Chromium and `fetch` refuse, and that services of a machine have. */
const lowest = 20_000;
const highest = 65_535;
/** RFC 6335, for systems that do not say. */
const dynamicPorts: Range = { first: 49_152, last: highest };

/** The ports that the kernel assigns. */
export function ephemeralPorts(): Range {
  try {
    const [first, last] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/);
    return { first: Number(first), last: Number(last) };
  } catch {
    return dynamicPorts;
  }
}

/** The larger part beside the kernel's; on a machine without one all ports, with the race that this is to prevent. */
function givenPorts({ first, last }: Range): Range {
  const below = { first: lowest, last: first - 1 };
  const above = { first: Math.max(last + 1, lowest), last: highest };
  const larger = below.last - below.first >= above.last - above.first ? below : above;
  return larger.last > larger.first ? larger : { first: lowest, last: highest };
}

/** Whether this process has the port to itself from now on. */
async function take(port: number): Promise<boolean> {
  const keeper = createSocket('udp4').unref();
  const probe = createServer();
  try {
    keeper.bind({ address: host, port, exclusive: true });
    await once(keeper, 'listening');
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
  } catch {
    keeper.close();
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

export async function freePort(): Promise<number> {
  const { first, last } = givenPorts(ephemeralPorts());
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    const port = first + ((start + tried) % count);
    if (await take(port)) return port;
  }
  throw new Error(`no port from ${first} to ${last} is free`);
}
