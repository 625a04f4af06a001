/**
 * Writes the configuration table of README.md from the settings that the server really reads.
 * `--check` changes nothing and fails when the table is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '../apps/server/src/platform/config/index.ts';

const readme = new URL('../README.md', import.meta.url);
const begin = '<!-- configuration:start -->';
const end = '<!-- configuration:end -->';

const cell = (text: string) => text.replaceAll('|', '\\|');
const rows = Object.entries(settings).map(
  ([name, { meaning, allowed, byDefault }]) =>
    `| \`${name}\` | ${cell(byDefault)} | ${cell(meaning)} Allowed: ${cell(allowed)}. |`,
);
const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');

const text = readFileSync(readme, 'utf8');
const [head, rest] = text.split(begin);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) throw new Error(`README.md has lost ${begin} or ${end}.`);
const written = `${head}${begin}\n\n${table}\n\n${end}${tail}`;

if (process.argv.includes('--check')) {
  if (written !== text) {
    console.error('The configuration table of README.md is out of date. Run `npm run generate`.');
    process.exit(1);
  }
} else {
  writeFileSync(readme, written);
}
