import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Processes } from './Processes.tsx';

const process = {
  ...{ id: '3f2b5c1e-0b6a-4d7e-9c58-6f1d2a3b4cff', name: 'one.example', version: '1.2.3' },
  ...{ roles: ['gateway', 'market'], duties: ['market'], started_at: '2026-11-29T06:00:00.000Z' },
  ...{ slots: 128, queued: 3, sockets: 1_234, silent: false },
};
const textOf = (processes: Parameters<typeof Processes>[0]['processes']): string =>
  renderToStaticMarkup(<Processes processes={processes} />).replaceAll(/<[^>]+>/g, '|');

test('a server alone states no processes', () => {
  expect(renderToStaticMarkup(<Processes processes={null} />)).toBe('');
});

test('a gateway of the former release states no processes either', () => {
  expect(renderToStaticMarkup(<Processes processes={undefined as never} />)).toBe('');
});

test('each process of a cluster is stated with its roles, duties and figures, a silent one as such', () => {
  const text = textOf([
    process,
    { ...process, id: '00000000-0b6a-4d7e-9c58-6f1d2a3b4cff', roles: ['engine'], duties: [], silent: true },
  ]);
  for (const part of ['one.example', '3f2b5c1e', 'Gateway, Market', 'holds market', '1,234', 'Version 1.2.3'])
    expect(text).toContain(part);
  // A silent one has no figures of now.
  expect(text.match(/1,234/g)).toHaveLength(1);
  expect(text.match(/\|(Running|Silent|Engine)\|/g)).toEqual(['|Running|', '|Engine|', '|Silent|']);
});
