import { expect, test } from 'vitest';
import { createLog } from './index.ts';

test('A119: credentials of programs are redacted by every name that a request or a row has for them', () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  log.info({
    headers: { 'x-mbx-apikey': 'k1', 'X-MBX-APIKEY': 'k2', authorization: 'k3' },
    req: { headers: { 'x-mbx-apikey': 'k4' }, query: { signature: 'k5' } },
    key: { apiKey: 'k6', secret: 'k7', api_key: 'k8' },
  });
  expect(lines[0]).not.toMatch(/k[1-8]/);
  expect(lines[0]?.match(/\[redacted\]/g)).toHaveLength(8);
});

test('secrets are redacted at the top, one and two levels deep', () => {
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  log.info({
    password: 'p1',
    body: { refresh_token: 'p2' },
    req: { headers: { authorization: 'p3', 'set-cookie': 'p4' } },
  });
  log.debug('not logged at this level');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/p[1-4]/);
  expect(lines[0]?.match(/\[redacted\]/g)).toHaveLength(4);
});
