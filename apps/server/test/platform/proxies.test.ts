/**
 * `deploy/nginx/fulcrum.conf` and `deploy/caddy/Caddyfile` as they are, run by Debian's nginx and Caddy in front of the
 * running server. The test replaces addresses, ports and the certificate, and nothing else.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kycPictureBytesMax } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Agent, FormData, fetch as fetchThrough, type RequestInit, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { debianParts } from '../debian-parts.ts';
import { type Program, startProgram } from '../debian-programs.ts';
import { freePort } from '../harness/free-port.ts';
import { startTestServer, type TestServer, testPassword } from '../harness/index.ts';
import { RawClient } from '../realtime/realtime-server.ts';
import { addUser, blob, jpeg, megabyte } from '../storage/storage-server.ts';

const run = promisify(execFile);
const deploy = fileURLToPath(new URL('../../../../deploy', import.meta.url));
const debian = await debianParts(['caddy', 'nginx', 'openssl']);
const program = (path: string) => join(debian ?? '', 'usr', path);
const name = 'trade.example.org';
const webPage = '<!doctype html><title>Fulcrum</title>';
const ofBrowser = { headers: { accept: 'text/html' } };
const recoveriesMax = 3;

interface Setting {
  /** Holds the certificate (`cert.pem`, `key.pem`), and may hold more. */
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  /** `host:port` of the server. */
  readonly target: string;
}

interface Proxy {
  readonly label: string;
  /** Prepares the files, and returns the command with its environment. */
  command(setting: Setting): {
    readonly command: readonly [string, ...string[]];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** @throws Error when the shipped file has nothing to replace: the test would run another file than the one shipped. */
function substitute(shipped: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  let after = shipped;
  for (const [from, to] of replacements) {
    const replaced = after.replaceAll(from, () => to);
    if (replaced === after) throw new Error(`the file has no ${from}`);
    after = replaced;
  }
  return after;
}

const nginx: Proxy = {
  label: 'nginx',
  command({ folder, port, plainPort, target }) {
    const site = substitute(readFileSync(join(deploy, 'nginx/fulcrum.conf'), 'utf8'), [
      [/^ +listen \[::\]:.*\n/gm, ''],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['127.0.0.1:3000', target],
      [`/etc/letsencrypt/live/${name}/fullchain.pem`, join(folder, 'cert.pem')],
      [`/etc/letsencrypt/live/${name}/privkey.pem`, join(folder, 'key.pem')],
    ]);
    writeFileSync(join(folder, 'fulcrum.conf'), site);
    const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const main = [
      // The default accounts of a master of root need not exist on this machine.
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;`,
      'events {}',
      'http {',
      'access_log off;',
      ...parts.map((part) => `${part}_temp_path ${join(folder, part)};`),
      `include ${join(folder, 'fulcrum.conf')};`,
      '}',
    ];
    writeFileSync(join(folder, 'nginx.conf'), main.join('\n'));
    return {
      command: [program('sbin/nginx'), '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
    };
  },
};

const caddy: Proxy = {
  label: 'Caddy',
  command({ folder, port, plainPort, target }) {
    const site = substitute(readFileSync(join(deploy, 'caddy/Caddyfile'), 'utf8'), [
      ['{$PUBLIC_URL} {', `{$PUBLIC_URL} {\n\ttls ${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`],
    ]);
    // Without HTTP/3: `freePort` holds the UDP port of the same number.
    const global = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), global + site);
    return {
      command: [program('bin/caddy'), 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        PUBLIC_URL: `https://${name}:${port}`,
        FULCRUM: target,
      },
    };
  },
};

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy(undefined) && resolve(true));
    socket.once('error', () => resolve(false));
  });

describe.skipIf(debian === null).each([nginx, caddy])(
  '$label in front of the server',
  ({ label, command }) => {
    let server: TestServer;
    let folder: string;
    let proxy: Program;
    let agent: Agent;
    let publicUrl: string;
    let plainUrl: string;
    /** The certificate, and this machine in place of the name. */
    let tls: { readonly ca: string; readonly lookup: LookupFunction };

    const through = (path: string, init: RequestInit = {}) =>
      fetchThrough(`${publicUrl}${path}`, { dispatcher: agent, redirect: 'manual', ...init });
    const clientThrough = (): SupabaseClient =>
      createClient(publicUrl, server.anonKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: {
          fetch: ((url: string, init: RequestInit) =>
            fetchThrough(url, { ...init, dispatcher: agent })) as unknown as typeof fetch,
        },
      });
    const socketThrough = (): Promise<RawClient> => {
      const address = `${publicUrl.replace('https', 'wss')}/realtime/v1/websocket?apikey=${server.anonKey}&vsn=2.0.0`;
      const socket = new WebSocket(address, tls);
      const raw = new RawClient(socket);
      return new Promise((resolve, reject) => {
        socket.once('open', () => resolve(raw));
        socket.once('error', reject);
      });
    };
    /** What the site answers under this `Host`, as after a name was pointed at this machine. */
    const pageOf = async (host: string): Promise<string> => {
      const asking = get(`${publicUrl}/login`, {
        ...tls,
        servername: name,
        headers: { ...ofBrowser.headers, host },
      });
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      return text(answer);
    };
    const recover = (url: string, headers: Readonly<Record<string, string>>) =>
      fetchThrough(`${url}/auth/v1/recover`, {
        method: 'POST',
        dispatcher: agent,
        headers: { apikey: server.anonKey, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email: 'nobody@example.test' }),
      });

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fulcrum-proxy-'));
      const webRoot = join(folder, 'web');
      mkdirSync(webRoot);
      writeFileSync(join(webRoot, 'index.html'), webPage);
      const [port, plainPort] = [await freePort(), await freePort()];
      publicUrl = `https://${name}:${port}`;
      plainUrl = `http://127.0.0.1:${plainPort}`;
      await run(program('bin/openssl'), [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
        ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ]);
      server = await startTestServer({
        webRoot,
        config: { publicUrl, trustProxy: 1, limits: limitsWith({ RECOVERIES_PER_ADDRESS_H: recoveriesMax }) },
      });
      tls = {
        ca: readFileSync(join(folder, 'cert.pem'), 'utf8'),
        lookup: (_name, { all }, done) => {
          if (all) done(null, [{ address: '127.0.0.1', family: 4 }]);
          else done(null, '127.0.0.1', 4);
        },
      };
      agent = new Agent({ connect: tls, allowH2: false });
      const { command: line, env } = command({ folder, port, plainPort, target: new URL(server.url).host });
      proxy = await startProgram(line, () => isOpen(port), env);
    });
    afterAll(async () => {
      await agent.close();
      await proxy.end();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('pages come with HSTS; plain http leads to https', async () => {
      const page = await through('/login', ofBrowser);
      expect([page.status, await page.text()]).toEqual([200, webPage]);
      expect(page.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}$/);
      const plain = await request(`${plainUrl}/login`, { headers: { host: name } });
      await plain.body.dump();
      expect([301, 308]).toContain(plain.statusCode);
      expect(plain.headers.location).toMatch(new RegExp(`^https://${name}(:\\d+)?/login$`));
    });

    test('the API answers the official client, and its cookie is for https alone', async () => {
      const { email } = await server.signUpTrader();
      const client = clientThrough();
      const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
      expect(error).toBeNull();
      const wallets = await client.from('wallets').select('balance');
      expect(wallets.data).toEqual([{ balance: 10000 }]);
      const signIn = await through('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: {
          ...{ apikey: server.anonKey, 'content-type': 'application/json' },
          ...{ 'x-fulcrum-session': 'cookie', origin: publicUrl },
        },
        body: JSON.stringify({ email, password: testPassword }),
      });
      expect(signIn.status).toBe(200);
      expect(signIn.headers.get('set-cookie')).toMatch(/^__Host-fulcrum-rt-.*; Path=\/; Secure$/);
    });

    test('a websocket passes frames both ways, also after a silence', async () => {
      const raw = await socketThrough();
      const heartbeat = async (ref: string) => {
        raw.send(null, ref, 'phoenix', 'heartbeat', {});
        return (await raw.reply(ref)).status;
      };
      expect(await heartbeat('1')).toBe('ok');
      expect((await raw.join('prices')).status).toBe('ok');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await heartbeat('2')).toBe('ok');
      raw.socket.terminate();
    });

    test('a picture of the largest size is stored; a larger one is refused', async () => {
      const { userId, token } = await addUser(server, 'trader');
      const upload = async (bytes: number, file: string) => {
        const form = new FormData();
        form.append('', blob(jpeg(bytes)));
        const answer = await through(`/storage/v1/object/kyc-documents/${userId}/${file}.jpg`, {
          method: 'POST',
          headers: { apikey: server.anonKey, authorization: `Bearer ${token}` },
          body: form,
        });
        return { status: answer.status, reason: await answer.text() };
      };
      expect(await upload(kycPictureBytesMax, 'selfie')).toMatchObject({ status: 200 });
      // The proxy lets it pass, so that the visitor reads the server's reason.
      expect(await upload(kycPictureBytesMax + 1, 'document_front')).toEqual({
        status: 413,
        reason: expect.stringContaining('at most 10 MB'),
      });
      expect(await upload(12 * megabyte, 'document_back')).toMatchObject({ status: 413 });
    });

    test('a visitor cannot choose an address: X-Forwarded-For of their own does not count', async () => {
      for (let visit = 1; visit <= recoveriesMax; visit += 1) {
        expect((await recover(publicUrl, { 'x-forwarded-for': `203.0.113.${visit}` })).status).toBe(200);
      }
      expect((await recover(publicUrl, { 'x-forwarded-for': '203.0.113.99' })).status).toBe(429);
      // The server would have believed it: the proxy is what stands between.
      expect((await recover(server.url, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(429);
      expect((await recover(server.url, { 'x-forwarded-for': '203.0.113.99' })).status).toBe(200);
    });

    test('a foreign Host gets no page, and visitors get no figures', async () => {
      expect(await pageOf('rebound.example')).not.toContain('<title>');
      expect(await pageOf(name)).toContain('<title>');
      const health = await through('/health');
      expect(await health.json()).not.toHaveProperty('realtime');
      expect((await through('/metrics')).status).not.toBe(200);
    });

    test('an address as long as the server reads passes', async () => {
      const path = `/rest/v1/trading_pairs?select=symbol&symbol=not.in.(${'x'.repeat(900)})`;
      const long = `${path}${`&symbol=neq.${'y'.repeat(900)}`.repeat(7)}`;
      expect(long.length).toBeGreaterThan(7000);
      const headers = { apikey: server.anonKey };
      const [direct, proxied] = [
        await fetch(`${server.url}${long}`, { headers }),
        await through(long, { headers }),
      ];
      expect([proxied.status, await proxied.text()]).toEqual([direct.status, await direct.text()]);
    });

    test('an export arrives whole', async () => {
      const admin = await addUser(server, 'admin');
      const { data, error } = await admin.client.rpc('export_list', { p_list: 'users' });
      expect(error).toBeNull();
      const headers = { apikey: server.anonKey, authorization: `Bearer ${admin.token}` };
      const file = await through((data as { url: string }).url, { headers });
      expect(file.status).toBe(200);
      expect((await file.text()).split('\r\n')[0]).toMatch(/^User Id,/);
    });

    test('while the server restarts visitors get 502 or 503, and then the page again', async () => {
      const statuses = new Set<number>();
      const restarted = new AbortController();
      const visits = (async () => {
        while (!restarted.signal.aborted) {
          const page = await through('/login', ofBrowser);
          await page.text();
          statuses.add(page.status);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })();
      await server.restart();
      restarted.abort();
      await visits;
      expect(statuses).toContain(502);
      // 503: a request that reaches the server on a connection it still has while it ends.
      expect([...statuses].filter((status) => ![200, 502, 503].includes(status))).toEqual([]);
      expect((await through('/login', ofBrowser)).status).toBe(200);
    });

    if (label === 'nginx') {
      test('nginx cuts an idle websocket after more than the 25 s of a heartbeat, and does not store an export', () => {
        const conf = readFileSync(join(deploy, 'nginx/fulcrum.conf'), 'utf8');
        const [, socket = ''] = /location = \/realtime\/v1\/websocket \{([^}]*)\}/.exec(conf) ?? [];
        for (const directive of ['proxy_read_timeout', 'proxy_send_timeout']) {
          expect(Number(new RegExp(`${directive} (\\d+)s;`).exec(socket)?.[1])).toBeGreaterThanOrEqual(60);
        }
        expect(/location \/exports\/ \{([^}]*)\}/.exec(conf)?.[1]).toContain('proxy_buffering off;');
      });
    }
  },
);
