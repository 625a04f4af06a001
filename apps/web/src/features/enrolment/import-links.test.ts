import { beforeEach, describe, expect, test, vi } from 'vitest';

const listeners = new Set<(event: Event) => void>();
vi.stubGlobal('addEventListener', (_: string, listener: (event: Event) => void) => listeners.add(listener));
vi.stubGlobal('removeEventListener', (_: string, listener: (event: Event) => void) =>
  listeners.delete(listener),
);
const { addLinks, beginImport, dismissLinks, markDownloaded, useImportLinks } = await import(
  './import-links.ts'
);

const row = (email: string, link: string | null) => ({ email, link });
const shown = () =>
  useImportLinks.getState().imports.map(({ fileName, links }) => [fileName, Object.fromEntries(links)]);

beforeEach(() => useImportLinks.setState({ imports: [], running: [] }));

describe('A117: the links of an import', () => {
  test('stay with their import, the newest of each email', () => {
    beginImport('a');
    addLinks('a', 'a.csv', [row('kira@x.test', '/1'), row('leo@x.test', null)]);
    beginImport('b');
    addLinks('b', 'b.csv', [row('mia@x.test', '/3')]);
    addLinks('a', 'a.csv', [row('kira@x.test', '/2')]);
    expect(shown()).toEqual([
      ['b.csv', { 'mia@x.test': '/3' }],
      ['a.csv', { 'kira@x.test': '/2' }],
    ]);
  });

  test('do not arrive after their admin has left', () => {
    beginImport('a');
    useImportLinks.setState({ imports: [], running: [] });
    addLinks('a', 'a.csv', [row('kira@x.test', '/1')]);
    expect(shown()).toEqual([]);
  });

  test('make the browser ask while the import runs and until they are downloaded or dismissed', () => {
    const isGuarded = () => listeners.size > 0;
    expect(isGuarded()).toBe(false);
    const end = beginImport('a');
    expect(isGuarded()).toBe(true);
    addLinks('a', 'a.csv', [row('kira@x.test', '/1')]);
    end();
    expect(isGuarded()).toBe(true);
    markDownloaded('a');
    expect(isGuarded()).toBe(false);
    const endAgain = beginImport('a');
    addLinks('a', 'a.csv', [row('leo@x.test', '/2')]);
    endAgain();
    expect(isGuarded()).toBe(true);
    dismissLinks('a');
    expect(isGuarded()).toBe(false);
    expect(shown()).toEqual([]);
  });
});
