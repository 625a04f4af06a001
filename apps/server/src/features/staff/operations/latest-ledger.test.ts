import { expect, test } from 'vitest';
import type { Member } from '../../../platform/cluster/members.ts';
import { latestLedger } from './index.ts';

const member = (name: string, checkedAt: string | null | 'no duty', isSilent = false): Member => ({
  ...{ name, process: name, isSilent, version: '1.2.3', startedAt: '2026-11-29T06:00:00.000Z' },
  ...{ roles: ['engine'], duties: [], slots: 0, queued: 0, batches: 0, commands: 0, sockets: 0 },
  ledger: checkedAt === 'no duty' ? null : { checkedAt, fullCheckedAt: null, checks: [] },
});

test('the ledger is that of the process that verified it last, never of one that is silent', () => {
  const dead = member('a', '2026-11-29T07:00:05.000Z', true);
  const former = member('b', '2026-11-29T07:00:02.000Z');
  const holder = member('c', '2026-11-29T07:00:04.000Z');
  const starting = member('d', null);
  const other = member('e', 'no duty');
  expect(latestLedger([dead, former, starting, holder, other])).toBe(holder.ledger);
  expect(latestLedger([dead, starting, other])).toBe(starting.ledger);
  expect(latestLedger([dead, other])).toBeNull();
});
