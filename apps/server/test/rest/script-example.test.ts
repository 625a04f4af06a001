/** docs/scripts.md is the starting point of scripts: its example runs unchanged, as a separate process. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { server, shareTestServer } from '../harness/index.ts';

const page = readFileSync(new URL('../../../../docs/scripts.md', import.meta.url), 'utf8');
const here = fileURLToPath(new URL('.', import.meta.url));

shareTestServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '60000');
});

test('A52: the example for scripts signs in, trades and reads its wallet', async () => {
  const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const trader = await server.signUpTrader();
  const env = {
    PATH: process.env.PATH,
    FULCRUM_URL: server.url,
    FULCRUM_EMAIL: trader.email,
    FULCRUM_PASSWORD: trader.password,
  };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', example], {
    cwd: here,
    env,
  });
  expect(stdout).toContain("symbol: 'BTCUSDT'");
  expect(stdout).toContain('bought 0.01 at 60000, liquidation at 54300');
  expect(stdout.match(/status: 'NEW'/g)).toHaveLength(2);
  expect(stdout).toContain('waits at 21000, reserves 42');
  expect(stdout).toContain('SELL 0.01 at 60000');
  expect(stdout).toContain('realized 0 USDT');
  expect(stdout).toContain('available_balance: 10000');
  const { data: orders } = await trader.client.from('orders').select('status, reserved');
  expect(orders).toEqual(Array.from({ length: 2 }, () => ({ status: 'CANCELED', reserved: 0 })));
  const { data } = await trader.client.from('positions').select('side, status, leverage').order('created_at');
  // The one that was bought, and the other side after the reverse.
  expect(data).toEqual([
    { side: 'BUY', status: 'closed', leverage: 10 },
    { side: 'SELL', status: 'closed', leverage: 10 },
  ]);
});
