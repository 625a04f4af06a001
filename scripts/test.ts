/**
 * `npm test`: every check of the project, one after the other, the quick ones first. It goes on after a failure, so that
 * one run shows everything; a step that cannot be trusted after another one failed counts as failed. The last line is
 * `N passed, N failed`, and `, N skipped` when any were; the exit code is 1 when anything failed.
 *
 * `npm test -- --only=unit,lint` runs some steps.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Counts,
  countRun,
  line,
  playwrightCounts,
  type ReadCounts,
  sum,
  vitestCounts,
} from './test-counts.ts';

interface Step {
  readonly name: string;
  /** Commands in order; the step fails with the first that fails. */
  readonly commands: readonly (readonly [tool: string, ...args: string[]])[];
  readonly folder?: string;
  /** The step that has to have passed. */
  readonly needs?: string;
  /** A step of many tests leaves a report; any other step is one test. */
  readonly report?: { readonly file: string; readonly read: ReadCounts };
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stepWithinMs = 30 * 60_000;
const reports = mkdtempSync(join(tmpdir(), 'fulcrum-test-'));
const e2eReport = join(reports, 'e2e.json');

const vitest = (project: string): Step => {
  const file = join(reports, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return {
    name: project,
    commands: [['vitest', 'run', `--project=${project}`, ...reporters]],
    report: { file, read: vitestCounts },
  };
};

const steps: readonly Step[] = [
  {
    name: 'types',
    commands: [
      ['tsc', '-p', '.', '--pretty', 'false'],
      ['tsc', '-p', 'apps/web', '--pretty', 'false'],
    ],
  },
  { name: 'lint', commands: [['biome', 'check', '--error-on-warnings', '.']] },
  {
    name: 'walls',
    commands: [['depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'bench', 'e2e']],
  },
  {
    name: 'generated',
    commands: [
      ['node', 'packages/contract/scripts/generate.ts', '--check'],
      ['node', 'scripts/configuration.ts', '--check'],
    ],
  },
  { name: 'citations', commands: [['node', 'scripts/spec.ts', '--check']] },
  vitest('unit'),
  vitest('integration'),
  { name: 'build', folder: 'apps/web', commands: [['vite', 'build', '--logLevel', 'warn']] },
  ...(existsSync(join(root, 'e2e/playwright.config.ts'))
    ? [
        {
          name: 'e2e',
          folder: 'e2e',
          needs: 'build',
          commands: [['playwright', 'test']],
          report: { file: e2eReport, read: playwrightCounts },
        } as const satisfies Step,
      ]
    : []),
];

let running: ChildProcess | null = null;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    running?.kill(signal);
  });
}

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

/** The output is kept and shown when the step fails: a passing run stays readable. */
function run(step: Step, [tool, ...args]: Step['commands'][number]): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    E2E_REPORT: e2eReport,
    NO_COLOR: '1',
  };
  // Two ways of saying the same thing make Node print a warning into every output.
  delete env.FORCE_COLOR;
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(tool, args, {
      cwd: join(root, step.folder ?? '.'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: stepWithinMs,
    });
    running = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ exitCode: null, output: `${output}${error.message}\n` }));
    child.once('close', (exitCode, signal) => {
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

function chosenSteps(): readonly Step[] {
  const names = steps.map(({ name }) => name);
  const only = process.argv.slice(2).flatMap((argument) => {
    if (!argument.startsWith('--only='))
      throw new Error(`${argument} is not an option; there is --only=<steps>`);
    return argument.slice('--only='.length).split(',');
  });
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no step ${unknown.join(', ')}; there are ${names.join(', ')}`);
  return only.length === 0 ? steps : steps.filter(({ name }) => only.includes(name));
}

async function perform(step: Step, failed: ReadonlySet<string>): Promise<Counts> {
  if (step.needs && failed.has(step.needs)) {
    console.log(`✗ ${step.name}: not run, because ${step.needs} failed`);
    return { passed: 0, failed: 1, skipped: 0, flaky: 0 };
  }
  console.log(`· ${step.name} …`);
  const startedAt = performance.now();
  const { exitCode, output } = await runAll(step);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = step.report
    ? countRun(exitCode, readReport(step.report.file), step.report.read)
    : { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, flaky: 0 };
  // What passed at the second try only is shown as well: it is a race that somebody has to find.
  if (counts.failed > 0 || counts.flaky > 0) console.log(`${output.trimEnd()}\n`);
  console.log(
    `${counts.failed > 0 ? '✗' : '✓'} ${step.name}${step.report ? `: ${line(counts)}` : ''}${counts.flaky > 0 ? `, ${counts.flaky} flaky` : ''} (${seconds} s)`,
  );
  return counts;
}

async function main(): Promise<void> {
  const failed = new Set<string>();
  const all: Counts[] = [];
  for (const step of chosenSteps()) {
    const counts = await perform(step, failed);
    if (isInterrupted) throw new Error('interrupted');
    all.push(counts);
    if (counts.failed > 0) failed.add(step.name);
  }
  if (failed.size > 0) console.log(`\nfailed: ${[...failed].join(', ')}`);
  console.log(line(sum(all)));
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
