/**
 * `unit` needs nothing; `integration` and `system` run on a real PostgreSQL that their global setup starts. The files of
 * `unit` and `integration` share the modules of their worker, which saves a third of the time: a test leaves nothing
 * behind. What cannot hold to that runs apart (`unit-apart`, `integration-apart`, see `scripts/test-files.ts`).
 */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { filesOfOwnModules, longFiles, slowFiles, systemFiles, unitFiles } from './scripts/test-files.ts';

const serverFiles = 'apps/server/test/**/*.test.ts';
const unitApart = filesOfOwnModules(unitFiles);
const integrationApart = filesOfOwnModules([serverFiles]);
const isLong = process.env.TEST_VOLUME === 'long';

/** A slow file that begins last runs alone, and so do the few files of a project with modules of their own. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowFiles.findIndex((file) => moduleId.endsWith(file));
      return place < 0 ? slowFiles.length : place;
    };
    const apartFirst = [...byProject.keys()].sort(
      (a, b) => Number(b.endsWith('-apart')) - Number(a.endsWith('-apart')),
    );
    return apartFirst.flatMap((name) => byProject.get(name)?.toSorted((a, b) => rank(a) - rank(b)) ?? []);
  }
}

const unit = {
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
  setupFiles: ['scripts/property-seed.ts'],
  // Properties over thousands of cases, on machines that other work shares.
  testTimeout: isLong ? 300_000 : 120_000,
};
const onPostgres = (groupOrder: number) => ({
  maxWorkers: 3,
  sequence: { groupOrder },
  setupFiles: ['scripts/property-seed.ts'],
  globalSetup: ['apps/server/test/harness/postgres.ts'],
  // Walks of thousands of requests, on machines that other work shares.
  testTimeout: 480_000,
  hookTimeout: 240_000,
  // For what never comes, as `eventually` has it.
  expect: { poll: { timeout: 150_000 } },
});
// More workers than cores: half of the time they wait for timers, PostgreSQL and other processes.
const integration = onPostgres(1);
const system = onPostgres(2);

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      { test: { ...unit, name: 'unit', isolate: false, include: unitFiles, exclude: unitApart } },
      { test: { ...unit, name: 'unit-apart', include: unitApart } },
      {
        test: {
          ...integration,
          name: 'integration',
          isolate: false,
          include: [serverFiles],
          exclude: [...systemFiles, ...integrationApart],
        },
      },
      {
        test: { ...integration, name: 'integration-apart', include: integrationApart, exclude: systemFiles },
      },
      {
        test: {
          ...system,
          name: 'system',
          include: systemFiles,
          exclude: isLong ? [] : [...longFiles],
        },
      },
    ],
  },
});
