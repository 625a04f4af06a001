/** `npm run words`: refuses the words of the table "Words we do not use" (`docs/glossary.md`) in names and texts. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countRefused, describeFaults, parseRefusedWords } from './vocabulary.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = '{apps,packages,bench,scripts,e2e}/**/*.{ts,tsx,mts}';
/** The test of the check is about the words. */
const excluded = ['**/node_modules', '**/dist', 'scripts/vocabulary.test.ts'];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const words = parseRefusedWords(read('docs/glossary.md'));
const found = countRefused(
  words,
  globSync(sources, { cwd: root, exclude: excluded })
    .sort()
    .map((file) => ({ path: file.replaceAll('\\', '/'), source: read(file) })),
);

const faults = describeFaults(words, found);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
