/**
 * Writes the tables of what an operator may set, from the values that the server reads: the configuration of README.md, and
 * the limits of docs/limits.md. `--check` changes nothing and fails when a table is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dayMs, hourMs } from '@fulcrum/domain';
import { fileVariable, settings } from '../apps/server/src/platform/config/index.ts';
import {
  type Limit,
  limitSettings,
  usersByDefault,
} from '../apps/server/src/platform/limits/declarations.ts';
import { defaultLimits } from '../apps/server/src/platform/limits/index.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');
const number = (figure: number) => figure.toLocaleString('en-US');
const rowOf = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows.map(rowOf)].join('\n');

const configuration = table(
  ['Variable', 'Default', 'Meaning'],
  Object.entries(settings).map(([name, { meaning, allowed, byDefault, isSecret }]) => [
    isSecret ? `\`${name}\`, \`${fileVariable(name)}\`` : `\`${name}\``,
    byDefault,
    `${meaning} Allowed: ${allowed}.`,
  ]),
);

function formatDuration(ms: number): string {
  if (ms === dayMs) return 'a day';
  if (ms === hourMs) return 'an hour';
  return ms >= 60_000 ? `${ms / 60_000} minutes` : `${ms / 1_000} s`;
}

function formatLimit(limit: Limit): string {
  if (limit.kind === 'window') return `${number(limit.attemptsMax)} in ${formatDuration(limit.windowMs)}`;
  if (limit.kind === 'ceiling') return `${number(limit.most)} at a time`;
  return `${number(limit.burst)} at once, ${number(limit.perSecond)}/s`;
}

const limits = table(
  ['What', 'Per', 'Default', 'Setting', 'Enforced in `apps/server/src`'],
  Object.values<Limit>(defaultLimits).map((limit) => [
    limit.what,
    limit.per,
    formatLimit(limit),
    limit.setting === undefined ? '–' : `\`${limit.setting}\``,
    `\`${limit.file}\``,
  ]),
);

const userCounts = [30, usersByDefault, 2_000];
const sizes = table(
  [
    'Setting',
    ...userCounts.map((users) => `for ${number(users)} users${users === usersByDefault ? ' (default)' : ''}`),
  ],
  Object.entries(limitSettings).map(([name, { perUser, least }]) => [
    `\`${name}\``,
    ...userCounts.map((users) => number(Math.max(least, Math.round(users * perUser)))),
  ]),
);

/** `tables` by the name of their place, `<!-- name:start -->` to `<!-- name:end -->`. */
function write(file: string, tables: Readonly<Record<string, string>>): void {
  const url = new URL(`../${file}`, import.meta.url);
  const before = readFileSync(url, 'utf8');
  let after = before;
  for (const [name, content] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [head, rest] = after.split(begin);
    const tail = rest?.split(end)[1];
    if (head === undefined || tail === undefined) throw new Error(`${file} has lost ${begin} or ${end}.`);
    after = `${head}${begin}\n\n${content}\n\n${end}${tail}`;
  }
  if (after === before) return;
  if (process.argv.includes('--check')) {
    console.error(`A table of ${file} is out of date. Run \`npm run generate\`.`);
    process.exitCode = 1;
  } else {
    writeFileSync(url, after);
  }
}

write('README.md', { configuration });
write('docs/limits.md', { limits, sizes });
