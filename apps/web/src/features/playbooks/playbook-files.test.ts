import { expect, test } from 'vitest';
import { playbooksCsv } from './playbook-files.ts';

test('X-17: a playbook without a trade has a line, and what is not known is empty', () => {
  const playbook = {
    id: 'a',
    userId: 'u',
    name: 'Retest, "late"',
    criteria: ['Trend'],
    createdAt: '',
    updatedAt: '',
  };
  const trade = { playbookId: 'a', met: ['Trend'], unmet: [], position: undefined };
  const lines = (csv: string) => csv.trim().split(/\r?\n/);
  expect(lines(playbooksCsv([playbook], []))[1]).toBe('"Retest, ""late""",Trend,,,,,,,,');
  expect(lines(playbooksCsv([playbook], [trade]))[1]).toBe('"Retest, ""late""",Trend,,,,,,,Trend,');
});
