/**
 * `npm run spec`: every requirement with the tests that cite it, then the counts of each area and the ids that no test
 * cites. `--json` prints the same for programs, `--check` nothing. Exits 1 when a title cites an id that does not exist.
 *
 * A citation is a claim of the test's author; whether the test proves it is for a reader to judge.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asRanges, citedIds, parseRequirements, type Requirement, testTitles } from './citations.ts';

interface CitingTest {
  readonly file: string;
  readonly title: string;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const testFiles = ['{apps,packages,bench,scripts}/**/*.test.{ts,tsx}', 'e2e/**/*.spec.ts'];
/** Speaks about ids without citing them. */
const excluded = ['**/node_modules', 'scripts/citations.test.ts'];

const requirements = parseRequirements(readFileSync(join(root, 'docs/requirements.txt'), 'utf8'));
const citing = new Map<string, CitingTest[]>(requirements.map(({ id }) => [id, []]));
const prefixes = new Set(requirements.map(({ id }) => id.split('-', 1)[0]));
const unknown: (CitingTest & { readonly id: string })[] = [];

for (const file of globSync(testFiles, { cwd: root, exclude: excluded }).sort()) {
  const path = file.replaceAll('\\', '/');
  for (const title of testTitles(readFileSync(join(root, file), 'utf8'), file.endsWith('x'))) {
    for (const id of citedIds(title)) {
      const tests = citing.get(id);
      if (tests) tests.push({ file: path, title });
      else if (prefixes.has(id.split('-', 1)[0])) unknown.push({ id, file: path, title });
    }
  }
}

const testsOf = ({ id }: Requirement) => citing.get(id) ?? [];
const isCited = (requirement: Requirement) => testsOf(requirement).length > 0;

if (process.argv.includes('--json')) {
  const all = requirements.map((requirement) => ({ ...requirement, tests: testsOf(requirement) }));
  console.log(JSON.stringify({ requirements: all, unknown }, null, 2));
} else if (!process.argv.includes('--check')) {
  print();
}
for (const { id, file, title } of unknown)
  console.error(`${id} does not exist, but is cited in ${file}: ${title}`);
process.exitCode = unknown.length > 0 ? 1 : 0;

function print(): void {
  const areas = Map.groupBy(requirements, ({ area }) => area);
  for (const [area, members] of areas) {
    console.log(`\n${area}`);
    for (const requirement of members) {
      console.log(`  ${requirement.id}`);
      for (const { file, title } of testsOf(requirement)) console.log(`      ${file}: ${title}`);
    }
  }
  console.log('\nCited by tests, by area:');
  for (const [area, members] of areas) {
    const uncited = members.filter((requirement) => !isCited(requirement)).map(({ id }) => id);
    console.log(`  ${members.length - uncited.length} of ${members.length}  ${area}`);
    if (uncited.length > 0) console.log(`      not cited: ${asRanges(uncited).join(', ')}`);
  }
  console.log(
    `\n${requirements.filter(isCited).length} of ${requirements.length} requirements are cited by tests.`,
  );
}
