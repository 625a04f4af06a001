import { describe, expect, test } from 'vitest';
import { asRanges, citedIds, parseRequirements, testTitles } from './citations.ts';

describe('ids in a title', () => {
  test.each([
    ['TRADE-44: refuses an order', ['TRADE-44']],
    ['AUTH-04, AUTH-05: empty fields', ['AUTH-04', 'AUTH-05']],
    ['RULE-08 … RULE-11', ['RULE-08', 'RULE-09', 'RULE-10', 'RULE-11']],
    ['RULE-01…03 and RULE-06', ['RULE-01', 'RULE-02', 'RULE-03', 'RULE-06']],
    ['RULE-01..RULE-02', ['RULE-01', 'RULE-02']],
    ['RULE-99 … RULE-101', ['RULE-99', 'RULE-100', 'RULE-101']],
    ['RULE-01: … CALC-03', ['RULE-01', 'CALC-03']],
    ['RULE-04 … RULE-01', []],
    ['twice RULE-01, RULE-01', ['RULE-01']],
    ['no ids: utf-8, BTC-USD, 10-12', []],
  ])('%s', (title, ids) => {
    expect(citedIds(title)).toEqual(ids);
  });

  test('a range cannot run away', () => {
    expect(citedIds('RULE-1 … RULE-999999999').length).toBeLessThan(300);
  });
});

test('neighbouring ids are drawn together', () => {
  expect(asRanges(['A-01', 'A-02', 'A-03', 'A-05', 'B-06', 'B-07'])).toEqual([
    'A-01 … A-03',
    'A-05',
    'B-06 … B-07',
  ]);
  expect(asRanges([])).toEqual([]);
});

describe('titles in a source file', () => {
  test('tests and groups in every form, in order', () => {
    const source = `
      import { describe, it, test } from 'vitest';
      describe('A-01: group', () => {
        test('A-02', async () => { await run('A-90'); });
        it.concurrent("A-03", () => {});
        test.each([[1, 'A-91'], [2, 'x)']])('A-04 %s', () => {});
        test.each\`a | b\${1}\`('A-05', () => {});
        test(\`A-06 \${name} A-07\`, () => {});
        test.for(rows).only('A-08', () => {});
      });`;
    expect(testTitles(source, false)).toEqual([
      'A-01: group',
      'A-02',
      'A-03',
      'A-04 %s',
      'A-05',
      'A-06 … A-07',
      'A-08',
    ]);
  });

  test('comments, other calls and skipped tests cite nothing', () => {
    const source = `
      // test('A-01', () => {})
      /* test('A-02') */
      const text = "test('A-03')";
      attest('A-04'); a.test('A-05'); regex.test('A-06');
      test.skip('A-07', () => {}); test.todo('A-08'); test.fixme('A-09', () => {});
      describe.skip('A-10', () => { test('A-11', () => {}); });`;
    expect(testTitles(source, false)).toEqual([]);
  });

  test('type arguments and JSX are understood', () => {
    const source = `test('A-01', () => { const x = useState<string>(''); return <b title="A-02">{x}</b>; });`;
    expect(testTitles(source, true)).toEqual(['A-01']);
  });

  test('a file that cannot be parsed is an error, not an empty file', () => {
    expect(() => testTitles('test(', false)).toThrow();
  });
});

describe('the list of requirements', () => {
  test('ids by area, numbered without a gap', () => {
    expect(parseRequirements('# a note\n\nRULE 2 Rules\nCALL 1 Calls\n')).toEqual([
      { id: 'RULE-01', area: 'Rules' },
      { id: 'RULE-02', area: 'Rules' },
      { id: 'CALL-01', area: 'Calls' },
    ]);
  });

  test('a line of another form is an error', () => {
    expect(() => parseRequirements('RULE-01')).toThrow('not an area of requirements: RULE-01');
  });
});
