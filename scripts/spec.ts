/**
 * `npm run spec`: every requirement with the tests that cite it, then the counts of each area and the ids that no test
 * cites. `--json` prints the same for programs, `--check` only what is wrong. Exits 1 when
 *
 * - a requirement is cited by no running test, or a title cites more ids at once than a test may claim,
 * - source, SQL, a test or a document cites an id that has no text in `docs/specification.md` or `docs/decisions.md`,
 * - a comment begins with ids instead of a sentence,
 * - a relative link of a document names a file or an anchor that does not exist.
 *
 * A citation is a claim of the test's author; the reader judges whether the test proves it.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Review, reviewCitations, toRanges } from './citations.ts';
import { brokenLinks } from './markdown-links.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const citingFiles = [
  '{apps,packages,bench,scripts,e2e}/**/*.{ts,tsx,mts,js,mjs,cjs,sql,css,html,md}',
  'docs/**/*.md',
  '*.{md,ts,json}',
  '.*.cjs',
];
/** The tests of the check mention ids without citing them; the other files are generated. */
const excluded = ['**/node_modules', '**/dist', 'scripts/citations.test.ts', 'package-lock.json'];

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, check: { type: 'boolean' } },
});
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = globSync(citingFiles, { cwd: root, exclude: excluded })
  .sort()
  .map((file) => ({ path: file.replaceAll('\\', '/'), source: read(file) }));
const review = reviewCitations(
  { specification: read('docs/specification.md'), decisions: read('docs/decisions.md') },
  files,
);
const documents = files.filter(({ path }) => path.endsWith('.md'));
const { requirements } = review;
const faults = [...review.faults, ...brokenLinks(documents, (path) => existsSync(join(root, path)))];

if (options.json) console.log(JSON.stringify({ requirements, faults }, null, 2));
else if (!options.check) print(requirements);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function print(all: Review['requirements']): void {
  const byArea = Map.groupBy(all, ({ area }) => area);
  for (const [area, members] of byArea) {
    console.log(`\n${area}`);
    for (const { id, tests } of members) {
      console.log(`  ${id}`);
      for (const { file, title } of tests) console.log(`      ${file}: ${title}`);
    }
  }
  console.log('\nCited by tests, by area:');
  for (const [area, members] of byArea) {
    const missing = members.filter(({ tests }) => tests.length === 0).map(({ id }) => id);
    console.log(`  ${members.length - missing.length} of ${members.length}  ${area}`);
    if (missing.length > 0) console.log(`      not cited: ${toRanges(missing).join(', ')}`);
  }
  const cited = all.filter(({ tests }) => tests.length > 0).length;
  console.log(`\n${cited} of ${all.length} requirements are cited by tests.`);
}
