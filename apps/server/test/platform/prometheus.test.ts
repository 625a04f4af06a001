/** The files of `deploy/prometheus` and `deploy/grafana`, read by Debian's Prometheus in front of the running server. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { debianParts } from '../debian-parts.ts';
import { answers, type Program, startProgram } from '../debian-programs.ts';
import { freePort } from '../harness/free-port.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

const run = promisify(execFile);
const deploy = fileURLToPath(new URL('../../../../deploy', import.meta.url));
const token = 'of-prometheus-0123456789';
const debian = await debianParts(['prometheus']);
const bin = (name: string) => join(debian ?? '', 'usr/bin', name);

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana/dashboard.json'), 'utf8')) as Dashboard;
const rules = readFileSync(join(deploy, 'prometheus/alerts.yml'), 'utf8');
const ruleExpressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression);
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
/** Series that a server without a backup folder, without traffic or on another PostgreSQL does not have. */
const mayBeMissing = new Set(['fulcrum_backup_age_seconds', 'fulcrum_backup_failed', 'fulcrum_wal_segments']);

describe.skipIf(debian === null)('Prometheus', () => {
  let server: TestServer;
  let folder: string;
  let prometheus: Program;
  let api: string;

  const query = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${api}/api/v1/${path}`);
    const body = (await answer.json()) as { status: string; data: unknown; error?: string };
    expect(body.status, `${path}: ${body.error}`).toBe('success');
    return body.data;
  };
  const valuesOf = async (expression: string) =>
    (
      (await query(`query?query=${encodeURIComponent(expression)}`)) as {
        result: { value: [number, string] }[];
      }
    ).result;

  beforeAll(async () => {
    server = await startTestServer({ config: { metricsToken: token } });
    server.feed.setPrice('BTCUSDT', '100');
    const trader = await server.signUpTrader();
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '1', p_leverage: 10 };
    expect((await trader.client.rpc('open_position', order)).error).toBeNull();
    expect(
      (
        await trader.client.from('orders').insert({
          user_id: trader.userId,
          symbol: 'BTCUSDT',
          side: 'BUY',
          type: 'LIMIT',
          price: '40',
          size: '1',
          leverage: 10,
        })
      ).error,
    ).toBeNull();
    expect((await trader.client.rpc('open_position', { ...order, p_size: '2000' })).error).not.toBeNull();
    server.feed.setPrice('BTCUSDT', '50');

    folder = mkdtempSync(join(tmpdir(), 'fulcrum-prometheus-'));
    cpSync(join(deploy, 'prometheus'), folder, { recursive: true });
    const credentials = join(folder, 'metrics_token');
    writeFileSync(credentials, `${token}\n`);
    const config = readFileSync(join(folder, 'prometheus.yml'), 'utf8')
      .replace("['fulcrum:3000']", `['${new URL(server.url).host}']`)
      .replace('/run/secrets/metrics_token', credentials)
      .replaceAll('15s', '1s');
    writeFileSync(join(folder, 'prometheus.yml'), config);
    mkdirSync(join(folder, 'data'));
    const port = await freePort();
    api = `http://127.0.0.1:${port}`;
    prometheus = await startProgram(
      [
        bin('prometheus'),
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      () => answers(`${api}/-/ready`),
    );
  });
  afterAll(async () => {
    await prometheus.end();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('promtool accepts the configuration and the rules, and the rules alert when they should', async () => {
    const options = { cwd: folder };
    await run(bin('promtool'), ['check', 'config', 'prometheus.yml'], options);
    await run(bin('promtool'), ['check', 'rules', 'alerts.yml'], options);
    const { stdout } = await run(bin('promtool'), ['test', 'rules', 'alerts.test.yml'], options);
    expect(stdout).toContain('SUCCESS');
  });

  test('a scrape with the token succeeds, and the figures follow what happened', async () => {
    await expect
      .poll(
        async () =>
          (await valuesOf('fulcrum_closed_positions_total{reason="liquidation"}').catch(() => []))[0]
            ?.value[1],
      )
      .toBe('1');
    const [up] = await valuesOf('up{job="fulcrum"}');
    expect(up?.value[1]).toBe('1');
  });

  test('every series that a panel or a rule names exists', async () => {
    const known = (await query('label/__name__/values')) as string[];
    const named = new Set(
      [...panelExpressions, ...ruleExpressions].flatMap((expression) =>
        [...expression.matchAll(/\b(?:fulcrum|process|nodejs)_\w+/g)].map(([name]) => name),
      ),
    );
    expect(named.size).toBeGreaterThan(30);
    const missing = [...named].filter((name) => !known.includes(name) && !mayBeMissing.has(name));
    expect(missing).toEqual([]);
  });

  test('every panel and every rule evaluates without an error', async () => {
    for (const expression of [...panelExpressions, ...ruleExpressions]) await valuesOf(expression);
    const { groups } = (await query('rules')) as {
      groups: { rules: { name: string; health: string; lastError?: string }[] }[];
    };
    const states = groups.flatMap((group) => group.rules);
    expect(states).toHaveLength(ruleExpressions.length);
    expect(states.filter(({ health }) => health === 'err')).toEqual([]);
  });
});
