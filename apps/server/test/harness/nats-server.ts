/**
 * Debian's nats-server on a free port, and links of processes to it. A test kills, stops and restarts it as it likes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/platform/clock/index.ts';
import { createNatsLink, type NatsLink } from '../../src/platform/cluster/nats-link.ts';
import { debianParts } from '../debian-parts.ts';
import { testLog } from './database.ts';
import { freePort } from './free-port.ts';

const debian = await debianParts(['nats-server']);
/** Whether there is one on this machine; with `CI` set there has to be. */
export const hasNats = debian !== null;

export interface NatsServer {
  readonly port: number;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  /** SIGSTOP: it keeps its connections and does nothing. Resolves when all of it stands still. */
  hang(): Promise<void>;
  goOn(): void;
  /** Ends it, and all links of `link`. */
  dispose(): Promise<void>;
  /** The connected link of one more process, at `port` or at the server's own. */
  link(options?: LinkOptions): Promise<NatsLink>;
}

export interface LinkOptions {
  readonly port?: number;
  readonly installation?: string;
  readonly key?: Buffer;
  readonly clock?: Clock;
  readonly password?: string;
}

export const login = { user: 'fulcrum', password: 'of-the-tests' } as const;
export const linkKey = Buffer.alloc(32, 7);

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** `settings` are further lines of its configuration. */
export async function startNats(settings = ''): Promise<NatsServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-nats-'));
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    `host: 127.0.0.1\nport: ${port}\nauthorization { user: ${login.user}, password: ${login.password} }\n${settings}\n`,
  );
  const links: NatsLink[] = [];
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    child = spawn(join(debian ?? '', 'usr/sbin/nats-server'), ['-c', file], { stdio: 'ignore' });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error('nats-server does not start');
      await sleep(10);
    }
  };
  await start();
  return {
    port,
    kill,
    start,
    hang: async () => {
      child?.kill('SIGSTOP');
      while (!/^State:\tT/m.test(readFileSync(`/proc/${child?.pid}/status`, 'utf8'))) await sleep(5);
    },
    goOn: () => void child?.kill('SIGCONT'),
    dispose: async () => {
      child?.kill('SIGCONT');
      await Promise.all(links.map((link) => link.stop()));
      await kill();
      rmSync(folder, { recursive: true });
    },
    link: async ({
      port: at = port,
      installation = 'tests',
      key = linkKey,
      clock = systemClock,
      password,
    } = {}) => {
      const link = createNatsLink({
        nats: {
          addresses: [{ host: '127.0.0.1', port: at }],
          tls: false,
          login: { ...login, ...(password !== undefined && { password }) },
        },
        installation,
        key,
        clock,
        log: testLog,
      });
      links.push(link);
      await link.start();
      return link;
    },
  };
}
