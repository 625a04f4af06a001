import { expect, test } from 'vitest';
import { createLog } from './index.ts';

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
