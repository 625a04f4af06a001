import { describe, expect, test } from 'vitest';
import {
  bareComments,
  citedIds,
  idsIn,
  parseTexts,
  rangeMax,
  requirementsOf,
  reviewCitations,
  testTitles,
  toRanges,
} from './citations.ts';

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
    expect(citedIds(title)).toEqual({ ids, tooLong: [] });
  });

  test('a range of more than five cites nothing, and is reported', () => {
    expect(rangeMax).toBe(5);
    expect(citedIds('RULE-01 … RULE-05').ids).toHaveLength(5);
    expect(citedIds('RULE-01 … RULE-06, RULE-09')).toEqual({
      ids: ['RULE-09'],
      tooLong: ['RULE-01 … RULE-06'],
    });
    expect(citedIds('RULE-1 … RULE-999999999').ids).toEqual([]);
  });
});

test('neighbouring ids are drawn together', () => {
  expect(toRanges(['A-01', 'A-02', 'A-03', 'A-05', 'B-06', 'B-07'])).toEqual([
    'A-01 … A-03',
    'A-05',
    'B-06 … B-07',
  ]);
  expect(toRanges([])).toEqual([]);
});

describe('titles in a source file', () => {
  test('tests and steps in every form, in order', () => {
    const source = `
      import { describe, it, test } from 'vitest';
      test('A-02', async () => { await run('A-90'); });
      it.concurrent("A-03", () => run());
      test.each\`a | b\${1}\`('A-05', () => { run(); });
      test.for(rows).only('A-08', () => { run(); });
      test('A-09', named);
      test('A-10', { timeout: 1 }, async function () { await run(); });
      test('A-11', async () => { await test.step('A-12', async () => { await run(); }); });`;
    expect(testTitles(source, false)).toEqual([
      'A-02',
      'A-03',
      'A-05',
      'A-08',
      'A-09',
      'A-10',
      'A-11',
      'A-12',
    ]);
  });

  test('the title of a group cites nothing, the tests in it do', () => {
    const source = `
      describe('A-01: group', () => { test('A-02', () => { run(); }); });
      test.describe('A-03: group', () => { test('A-04', () => { run(); }); });
      describe.each([['A-05']])('%s', () => {});`;
    expect(testTitles(source, false)).toEqual(['A-02', 'A-04']);
  });

  test('a table fills its rows into the title, as far as they are literals', () => {
    const source = `
      const rows = [['A-03: too much', 1], ['A-04: too little', 2]] as const;
      test.each(['A-01', 'A-02'])('%s is refused', (row) => { run(row); });
      test.for(rows)('%s gives %d', ([row]) => { run(row); });
      test.for<[string, string]>([[unknown, 'A-05']])('%s: %s', ([row]) => { run(row); });
      test.each(computed())('%s', (row) => { run(row); });`;
    expect(testTitles(source, false)).toEqual([
      'A-01 is refused',
      'A-02 is refused',
      'A-03: too much gives _',
      'A-04: too little gives _',
      '_: A-05',
      '%s',
    ]);
  });

  test('an expression in a template makes no range, and no id that it may go on with', () => {
    const [title = ''] = testTitles(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a test, whose template it is
      'test(`RULE-07${x}41, RULE-01: ${y} … RULE-09`, () => { run(); });',
      false,
    );
    expect(citedIds(title).ids).toEqual(['RULE-01', 'RULE-09']);
  });

  test('comments, other calls and tests that may not run cite nothing', () => {
    const source = `
      // test('A-01', () => {})
      /* test('A-02') */
      const text = "test('A-03')";
      attest('A-04'); a.test('A-05'); regex.test('A-06');
      test.skip('A-07', () => { run(); }); test.todo('A-08'); test.fixme('A-09', () => { run(); });
      describe.skip('A-10', () => { test('A-11', () => { run(); }); });
      describe.runIf(false)('A-12', () => { test('A-13', () => { run(); }); });`;
    expect(testTitles(source, false)).toEqual([]);
  });

  test('a hollow file of nine declarations cites nothing', () => {
    const source = `
      test('RULE-02: margin', () => {});
      test.skipIf(true)('RULE-03', () => { run(); });
      test.runIf(false)('RULE-04', () => { run(); });
      test.fails('RULE-05', () => { run(); });
      test('RULE-06', ({ skip }) => skip());
      test('RULE-07', (context) => { context.skip(); run(); });
      test('RULE-08', () => { test.skip(); run(); });
      test('RULE-09');
      describe('AUTH-01 … AUTH-05', () => {});`;
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

describe('texts of a document', () => {
  const line = (id: string, text: string) => `- <a id="${id}"></a>**${id}** ${text}\n`;
  const rules = `# Notes\n\n## RULE: Rules\n\n${line('RULE-01', 'Margin.')}${line('RULE-02', 'PnL.')}`;

  test('ids with their texts, by section', () => {
    const decisions =
      '- <a id="A01"></a>**A01 Leverage, `R`.** *Open:* both.\n  More (<a id="finding-1"></a>1).\n';
    expect(parseTexts(`${rules}## Money\n${decisions}`)).toEqual([
      { id: 'RULE-01', section: 'RULE: Rules', text: 'Margin.' },
      { id: 'RULE-02', section: 'RULE: Rules', text: 'PnL.' },
      { id: 'A01', section: 'Money', text: '*Open:* both.' },
    ]);
  });

  test('requirements by area', () => {
    expect(requirementsOf(parseTexts(`${rules}## CALL: Calls\n${line('CALL-01', 'Header.')}`))).toEqual([
      { id: 'RULE-01', area: 'Rules' },
      { id: 'RULE-02', area: 'Rules' },
      { id: 'CALL-01', area: 'Calls' },
    ]);
  });

  test.each([
    ['a repeated anchor', `${rules}${line('RULE-02', 'Loss.')}`, 'the anchor RULE-02 is repeated'],
    ['an id without a text', line('RULE-01', ''), 'RULE-01 has no text of its own'],
    [
      'the text of another id',
      line('RULE-01', 'Margin.').replace('**RULE-01', '**RULE-02'),
      'RULE-01 has no text',
    ],
    ['two ids in one line', `- <a id="A01"></a><a id="A02"></a>**A01 Both.** Text.`, 'A01 has no text'],
    ['a gap', `${rules}${line('RULE-04', 'Fee.')}`, 'found RULE-04 instead of RULE-03'],
    ['an id of another area', `${rules}${line('CALL-03', 'Fee.')}`, 'found CALL-03 instead of RULE-03'],
  ])('%s is an error', (_, document, message) => {
    expect(() => requirementsOf(parseTexts(document))).toThrow(message);
  });
});

test('ids in any text, with their lines', () => {
  const text = `see [A43](decisions.md#A44) (A45, A46-A47)\n\nRULE-01…03 and RULE-05 to RULE-06: (#A48)
    UTF-8 %A41 color: #A12; QA10 A1 A1000 BTC-USD 0xA99\n// A49`;
  expect([...idsIn(text, new Set(['RULE']))]).toEqual([
    ...['A43', 'A44', 'A45', 'A46', 'A47'].map((id) => ({ id, line: 1 })),
    ...['RULE-01', 'RULE-03', 'RULE-05', 'RULE-06', 'A48'].map((id) => ({ id, line: 3 })),
    { id: 'A49', line: 5 },
  ]);
});

describe('comments that consist of ids alone', () => {
  test.each([
    '/** A21. */',
    '/** RULE-19 to RULE-21, A24. */',
    '// RULE-15.',
    '{/* A72 */}',
    'const kept = 1; // A30, A37',
    '/** A21. Both are replaced. */',
    '/**\n * A21,\n * A24.\n *\n * @throws Error when there is none.\n */',
    '  // RULE-15,\n  // RULE-16.\n',
    '/** A37. @throws Error */',
  ])('%s', (source) => {
    expect(bareComments(source, 'code')).toHaveLength(1);
  });

  test.each([
    '/** Sets take profit and stop loss; both are replaced (A21). */',
    '/** A21: replaces both. */',
    '/** The price of a close\n * (RULE-19,\n * A24). */',
    '// Trading goes on at the price of\n// RULE-15.\n',
    'const url = `http://A21`;',
    '/** 42. */ // - 7',
    '-- A21.',
  ])('%s is none', (source) => {
    expect(bareComments(source, 'code')).toEqual([]);
  });

  test('SQL has its own form', () => {
    expect(bareComments('-- A21.\nselect 1; -- RULE-02\n-- Of all rows (A21).\n', 'sql')).toHaveLength(2);
  });
});

describe('the review of citations', () => {
  const documents = {
    specification: '## RULE: Rules\n- <a id="RULE-01"></a>**RULE-01** Margin.\n',
    decisions: '- <a id="A01"></a>**A01 Leverage.** Both.\n',
  };
  const proof = { path: 'packages/a.test.ts', source: "test('RULE-01: margin', () => { run(); });" };

  test('finds nothing where every citation has a text and every requirement a test', () => {
    const source = '/** The margin (RULE-01, A01). */';
    expect(reviewCitations(documents, [proof, { path: 'apps/a.ts', source }])).toEqual({
      requirements: [
        { id: 'RULE-01', area: 'Rules', tests: [{ file: proof.path, title: 'RULE-01: margin' }] },
      ],
      faults: [],
    });
  });

  test.each([
    ['apps/a.ts', '\n// States it (A02).', 'A02 has no text, but is cited in apps/a.ts:2'],
    ['apps/a.sql', '-- States it (RULE-02).', 'RULE-02 has no text, but is cited in apps/a.sql:1'],
    ['docs/a.md', '[A02](decisions.md)', 'A02 has no text, but is cited in docs/a.md:1'],
    ['apps/a.ts', '/** A01. */', 'an id replaces a sentence in apps/a.ts: /** A01. */'],
    ['apps/a.sql', '-- A01.', 'an id replaces a sentence in apps/a.sql: -- A01.'],
    [
      'e2e/a.spec.ts',
      "test('RULE-01 … RULE-01, A01', () => { run(); }); // RULE-09",
      'RULE-09 has no text, but is cited in e2e/a.spec.ts:1',
    ],
  ])('%s: %s', (path, source, fault) => {
    expect(reviewCitations(documents, [proof, { path, source }]).faults).toContain(fault);
  });

  test('a requirement that no running test cites is a fault, whatever else cites it', () => {
    const elsewhere = { path: 'apps/a.ts', source: "// test('RULE-01')" };
    expect(reviewCitations(documents, [elsewhere]).faults).toEqual(['cited by no running test: RULE-01']);
  });

  test('a title of more ids than a test may claim is a fault', () => {
    const greedy = { path: 'a.test.ts', source: "test('RULE-01 … RULE-09', () => { run(); });" };
    expect(reviewCitations(documents, [greedy]).faults).toContain(
      'RULE-01 … RULE-09 are more than 5 ids, in a.test.ts: RULE-01 … RULE-09',
    );
  });
});
