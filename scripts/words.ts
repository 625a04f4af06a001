/**
 * `npm run words`: refuses the words of the table "Words we do not use" (`docs/glossary.md`) in new names and texts.
 * Uses that are older than the check are listed in `scripts/words-baseline.txt`, which may only shrink: `--update` writes
 * the lower counts and refuses a word that grew. Without the file `--update` writes it anew.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Counts,
  compareCounts,
  countRefused,
  formatCounts,
  grownWords,
  parseCounts,
  parseRefusedWords,
} from './vocabulary.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const baselineFile = join(root, 'scripts/words-baseline.txt');
const sources = '{apps,packages,bench,scripts,e2e}/**/*.{ts,tsx,mts}';
/** The test of the check is about the words; generated files follow what they are generated from. */
const excluded = ['**/node_modules', '**/dist', '**/generated', 'scripts/vocabulary.test.ts'];

const { values: options } = parseArgs({ options: { update: { type: 'boolean' } } });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const words = parseRefusedWords(read('docs/glossary.md'));
const found = countRefused(
  words,
  globSync(sources, { cwd: root, exclude: excluded })
    .sort()
    .map((file) => ({ path: file.replaceAll('\\', '/'), source: read(file) })),
);
const isFirst = !existsSync(baselineFile);
const baseline: Counts = isFirst ? {} : parseCounts(readFileSync(baselineFile, 'utf8'));
const faults = options.update
  ? isFirst
    ? []
    : grownWords(found, baseline).map((word) => `"${word}" is used more often than the baseline allows`)
  : compareCounts(words, found, baseline);

for (const fault of faults) console.error(fault);
if (options.update && faults.length === 0) writeFileSync(baselineFile, formatCounts(found));
process.exitCode = faults.length > 0 ? 1 : 0;
