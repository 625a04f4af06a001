/** Debian's nginx as the load balancer in front of gateways, as docs/operations.md has it, without TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianParts } from '../debian-parts.ts';
import { answers, startProgram } from '../debian-programs.ts';
import { freePort } from './free-port.ts';

const debian = await debianParts(['nginx']);
/** Whether there is one on this machine; with `CI` set there has to be. */
export const hasBalancer = debian !== null;

export interface Balancer {
  readonly url: string;
  end(): Promise<void>;
}

/** @param gateways ports on loopback, of which one answers and others may be closed for a while */
export async function startBalancer(gateways: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-balancer-'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `daemon off; pid ${join(folder, 'nginx.pid')}; error_log /dev/null; worker_processes 1;`,
      'events { worker_connections 4096; }',
      'http {',
      'access_log off;',
      ...temporary.map((part) => `${part}_temp_path ${join(folder, part)};`),
      'map $http_upgrade $connection_upgrade { default upgrade; "" ""; }',
      'upstream gateways {',
      // A request that reached none is passed to the next; one that may have been carried out is answered with 502.
      ...gateways.map((gateway) => `server 127.0.0.1:${gateway} max_fails=1 fail_timeout=2s;`),
      'keepalive 64;',
      '}',
      'server {',
      `listen 127.0.0.1:${port};`,
      'location / {',
      'proxy_pass http://gateways;',
      'proxy_http_version 1.1; proxy_connect_timeout 1s; proxy_read_timeout 60s; proxy_buffering off;',
      'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;',
      'proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;',
      '}',
      '}',
      '}',
    ].join('\n'),
  );
  const nginx = join(debian ?? '', 'usr/sbin/nginx');
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram(
    [nginx, '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
    () => answers(`${url}/health/ready`),
  );
  return {
    url,
    async end() {
      await program.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
