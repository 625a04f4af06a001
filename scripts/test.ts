/**
 * `npm test`: every static check, all unit tests, the core of the others and what is near the changed files, quick ones
 * first. `npm test -- --all` runs every test but volumes and walks, as `.ci/run` does. A run goes on after a failure, so
 * that it shows everything; a step that depends on a failed one counts as failed. The last line is
 * `N passed, N failed`, and `, N skipped` when any were; the exit code is 1 when anything failed.
 *
 * `npm test -- --only=unit,lint` runs some steps, `npm test -- <part of a path>` the test files of that path.
 * `npm run test:long` (`--long`) runs the volumes, `npm run test:changed` (`--changed`) what concerns the changed files alone.
 * `docs/testing.md` says what belongs where.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Changes,
  changesSince,
  concernsSystem,
  integrationFolders,
  journeyPaths,
  mainBranches,
} from './changed-files.ts';
import {
  addCounts,
  type Counts,
  countRun,
  countSecondTry,
  failedFiles,
  formatCounts,
  playwrightCounts,
  type ReadCounts,
  vitestCounts,
} from './test-counts.ts';
import { coreIntegration, coreSystem } from './test-files.ts';

interface Step {
  readonly name: string;
  /** Commands in order; the step fails with the first that fails. */
  readonly commands: readonly (readonly [tool: string, ...args: string[]])[];
  readonly folder?: string;
  /** The step that has to have passed. */
  readonly needs?: string;
  /** A step of many tests leaves a report; any other step is one test. */
  readonly report?: { readonly file: string; readonly read: ReadCounts };
  /** How to run some of its files again, where the runner has no second tries of its own. */
  readonly again?: (files: readonly string[]) => Step;
  /** The step may find that no test concerns the change. */
  readonly mayBeEmpty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Lanes that run side by side; the steps of a lane run one after the other. */
type Stage = readonly (readonly Step[])[];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Ends what hangs. A slow machine writes its lines late, so only silence counts. */
const silentWithinMs = 30 * 60_000;
const reports = mkdtempSync(join(tmpdir(), 'fulcrum-test-'));
const e2eReport = join(reports, 'e2e.json');

/** `filters` are options and parts of paths. */
function vitest(name: string, filters: readonly string[], more: Partial<Step> = {}): Step {
  const file = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return {
    name,
    commands: [['vitest', 'run', ...filters, ...reporters]],
    report: { file, read: vitestCounts },
    again: (files) =>
      vitest(`${name}, again`, [...filters.filter((filter) => filter.startsWith('--project=')), ...files], {
        env: more.env ?? {},
      }),
    ...more,
  };
}

function playwright(name: string, filters: readonly string[], more: Partial<Step> = {}): Step {
  return {
    name,
    folder: 'e2e',
    needs: 'build',
    commands: [['playwright', 'test', ...filters]],
    report: { file: e2eReport, read: playwrightCounts },
    ...more,
  };
}

const typesOf = (project: string, name: string) =>
  [
    ...(['tsc', '-p', project, '--pretty', 'false', '--incremental'] as const),
    ...['--tsBuildInfoFile', join(root, `node_modules/.cache/tsc/${name}.tsbuildinfo`)],
  ] as const;
const types: Step = { name: 'types', commands: [typesOf('.', 'all'), typesOf('apps/web', 'web')] };
const citations: Step = { name: 'citations', commands: [['node', 'scripts/spec.ts', '--check']] };
const build: Step = {
  name: 'build',
  folder: 'apps/web',
  commands: [['vite', 'build', '--logLevel', 'warn']],
};

/** Parts of paths of test files, none of which leaves nothing out, and a pattern of titles and paths of journeys. */
interface Selection {
  readonly integration: readonly string[];
  readonly system: readonly string[];
  readonly journeys: string;
}

const everything: Selection = { integration: [], system: [], journeys: '.' };

/** The core, and what is near the changed files. Without a main branch to compare with, everything. */
function nearSelection(): Selection {
  let files: readonly string[];
  try {
    ({ files } = changesSince(root, mainBranches));
  } catch {
    return everything;
  }
  return {
    integration: [...coreIntegration, ...integrationFolders(files)],
    system: concernsSystem(files) ? [] : coreSystem,
    journeys: ['@core', ...journeyPaths(files)].join('|'),
  };
}

/** The steps of many tests come last and alone: each of them keeps two cores busy. */
const runOf = ({ integration, system, journeys }: Selection): readonly Stage[] => [
  [
    [
      types,
      { name: 'lint', commands: [['biome', 'check', '--error-on-warnings', '.']] },
      {
        name: 'boundaries',
        commands: [['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'bench', 'e2e']],
      },
      { name: 'generated', commands: [['node', 'scripts/configuration.ts', '--check']] },
      citations,
      { name: 'words', commands: [['node', 'scripts/words.ts']] },
    ],
    [vitest('unit', ['--project=unit*'])],
  ],
  [[vitest('integration', ['--project=integration*', ...integration])]],
  [[vitest('system', ['--project=system', ...system])]],
  // Last, as on a clean checkout: the server tests run without a built web app.
  [[build, playwright('e2e', [`--grep=${journeys}`, '--grep-invert=@long'])]],
];

/** What every other run leaves out or tries in a small volume. `vitest.config.ts` reads TEST_VOLUME. */
const volume = { TEST_VOLUME: 'long', PROPERTY_SEED: 'random', KILL_ROUNDS: '20' };
const longRun: readonly Stage[] = [
  [[vitest('unit', ['--project=unit*'], { env: volume })], [build]],
  [[vitest('system', ['--project=system'], { env: volume })]],
  [[playwright('walks', ['--grep=@long'])]],
];

function changedRun({ base, files }: Changes): readonly Stage[] {
  const linted = files.filter((file) => existsSync(join(root, file)));
  const folders = integrationFolders(files);
  const has = (...prefixes: string[]) =>
    files.some((file) => prefixes.some((prefix) => file.startsWith(prefix)));
  const related = (name: string, projects: readonly string[], filters: readonly string[] = []) =>
    vitest(
      name,
      [
        ...projects.map((project) => `--project=${project}`),
        `--changed=${base}`,
        '--passWithNoTests',
        ...filters,
      ],
      {
        mayBeEmpty: true,
      },
    );
  const lint: Step = {
    name: 'lint',
    commands: [['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...linted]],
  };
  return [
    [[types, ...(linted.length > 0 ? [lint] : []), citations], [related('unit', ['unit*'])]],
    ...(folders.length > 0 ? [[[related('integration', ['integration*', 'system'], folders)]]] : []),
    ...(has('e2e/', 'apps/web/')
      ? [
          [
            [
              build,
              playwright('e2e', [`--only-changed=${base}`, '--grep-invert=@long', '--pass-with-no-tests'], {
                mayBeEmpty: true,
              }),
            ],
          ],
        ]
      : []),
  ];
}

/** The test files whose path contains one of `patterns`, walks included. */
function matchingRun(patterns: readonly string[]): readonly Stage[] {
  const found = globSync('{apps,packages,bench,scripts,e2e}/**/*.{test,spec}.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => patterns.some((pattern) => file.includes(pattern)))
    .sort();
  if (found.length === 0) throw new Error(`no test file has ${patterns.join(' or ')} in its path`);
  const journeys = found.filter((file) => file.startsWith('e2e/'));
  const others = found.filter((file) => !file.startsWith('e2e/'));
  return [
    ...(others.length > 0 ? [[[vitest('tests', others)]]] : []),
    ...(journeys.length > 0
      ? [
          [
            [
              build,
              playwright(
                'e2e',
                journeys.map((file) => `${file.slice('e2e/'.length)}$`),
              ),
            ],
          ],
        ]
      : []),
  ];
}

const running = new Set<ChildProcess>();
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });
}

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

/** The output is buffered and printed when the step fails: a passing run stays readable. */
function run(step: Step, [tool, ...args]: Step['commands'][number]): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...step.env,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    E2E_REPORT: e2eReport,
    NO_COLOR: '1',
  };
  // FORCE_COLOR beside NO_COLOR makes Node print a warning into every output.
  delete env.FORCE_COLOR;
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(tool, args, {
      cwd: join(root, step.folder ?? '.'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const silence = setTimeout(() => {
      output += `no output for ${silentWithinMs / 60_000} minutes\n`;
      child.kill();
    }, silentWithinMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        silence.refresh();
      });
    }
    const settle = () => {
      clearTimeout(silence);
      running.delete(child);
    };
    child.once('error', (error) => {
      settle();
      resolve({ exitCode: null, output: `${output}${error.message}\n` });
    });
    child.once('close', (exitCode, signal) => {
      settle();
      resolve({ exitCode, output: signal ? `${output}ended by ${signal}\n` : output });
    });
  });
}

async function runAll(step: Step): Promise<Outcome> {
  let output = '';
  for (const command of step.commands) {
    const outcome = await run(step, command);
    output += outcome.output;
    if (outcome.exitCode !== 0) return { exitCode: outcome.exitCode, output };
  }
  return { exitCode: 0, output };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing or cut short: the runner ended early, and the count of its run says so.
    return undefined;
  }
}

function chosenStages(): readonly Stage[] {
  let stages: readonly Stage[] | undefined;
  const only: string[] = [];
  const patterns: string[] = [];
  for (const argument of process.argv.slice(2)) {
    if (argument === '--all') stages = runOf(everything);
    else if (argument === '--long') stages = longRun;
    else if (argument === '--changed') stages = changedRun(changesSince(root, mainBranches));
    else if (argument.startsWith('--changed='))
      stages = changedRun(changesSince(root, [argument.slice('--changed='.length)]));
    else if (argument.startsWith('--only=')) only.push(...argument.slice('--only='.length).split(','));
    else if (argument.startsWith('-'))
      throw new Error(
        `${argument} is not an option; there are --all, --only=<steps>, and a part of a test file's path`,
      );
    else patterns.push(argument);
  }
  if (patterns.length > 0) stages = matchingRun(patterns);
  stages ??= runOf(nearSelection());
  const names = stages.flat(2).map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no step ${unknown.join(', ')}; there are ${names.join(', ')}`);
  if (only.length === 0) return stages;
  return stages.map((stage) => stage.map((lane) => lane.filter(({ name }) => only.includes(name))));
}

/** Of the steps that failed, for the last lines: what is above them may be cut off where the run is read. */
const failedTests: string[] = [];
/** More files than this do not fail by chance. */
const filesTriedAgain = 5;

/** The counts of a step that failed, when all that failed in it passes once more by itself; else undefined. */
async function secondTry(
  step: Step,
  counts: Counts,
  failed: ReadonlySet<string>,
): Promise<Counts | undefined> {
  const failures = step.report ? failedFiles(readReport(step.report.file)) : [];
  if (!step.again || isInterrupted || failures.length === 0 || failures.length > filesTriedAgain)
    return undefined;
  const second = await perform(step.again(failures.map(({ file }) => file)), failed, true);
  return countSecondTry({ counts, failures }, second);
}

async function perform(step: Step, failed: ReadonlySet<string>, isSecondTry = false): Promise<Counts> {
  if (step.needs && failed.has(step.needs)) {
    console.log(`✗ ${step.name}: not run, because ${step.needs} failed`);
    return { passed: 0, failed: 1, skipped: 0, flaky: [] };
  }
  console.log(`· ${step.name} …`);
  const startedAt = performance.now();
  const { exitCode, output } = await runAll(step);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const first = step.report
    ? countRun(exitCode, readReport(step.report.file), step.report.read, step.mayBeEmpty)
    : { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, flaky: [] };
  const counts =
    (process.env.CI && !isSecondTry && first.failed > 0 && (await secondTry(step, first, failed))) || first;
  if (counts.failed > 0 && step.report)
    for (const { file, tests } of failedFiles(readReport(step.report.file)))
      for (const test of tests.length > 0 ? tests : ['outside its tests'])
        failedTests.push(`failed in ${step.name}: ${file} › ${test}`);
  // A test that passed only on its second try is printed as well: it is a race to be found.
  if (counts.failed > 0 || counts.flaky.length > 0) console.log(`${output.trimEnd()}\n`);
  console.log(
    `${counts.failed > 0 ? '✗' : '✓'} ${step.name}${step.report ? `: ${formatCounts(counts)}` : ''}${counts.flaky.length > 0 ? `, ${counts.flaky.length} flaky` : ''} (${seconds} s)`,
  );
  return counts;
}

async function main(): Promise<void> {
  const failed = new Set<string>();
  const all: Counts[] = [];
  const runLane = async (lane: readonly Step[]): Promise<void> => {
    for (const step of lane) {
      const counts = await perform(step, failed);
      if (isInterrupted) throw new Error('interrupted');
      all.push(counts);
      if (counts.failed > 0) failed.add(step.name);
    }
  };
  for (const stage of chosenStages()) await Promise.all(stage.map(runLane));
  if (failed.size > 0) console.log(`\nfailed: ${[...failed].join(', ')}`);
  for (const test of failedTests) console.log(test);
  const total = addCounts(all);
  for (const test of total.flaky) console.log(`passed at another try only: ${test}`);
  console.log(formatCounts(total));
  process.exitCode = failed.size > 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
