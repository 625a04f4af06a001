/** Threat: a backup replaces a file that another process created while it was being written. */
import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BackupRefusal } from '../../src/platform/backup/format.ts';
import { publish } from '../../src/platform/backup/publish.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fulcrum-publish-'));
});
afterEach(() => rm(folder, { recursive: true }));

const noLinks = () => Promise.reject(Object.assign(new Error('operation not permitted'), { code: 'EPERM' }));

describe.each([
  ['with hard links', link],
  ['without hard links', noLinks],
])('on a file system %s', (_name, howToLink) => {
  test('the draft gets the name, and no other file is left', async () => {
    const [draft, file] = [join(folder, 'x.partial'), join(folder, 'x')];
    await writeFile(draft, 'whole');
    await publish(draft, file, howToLink);
    expect(await readdir(folder)).toEqual(['x']);
    expect(await readFile(file, 'utf8')).toBe('whole');
  });

  test('an existing name is left unchanged', async () => {
    const [draft, file] = [join(folder, 'x.partial'), join(folder, 'x')];
    await writeFile(draft, 'ours');
    await writeFile(file, 'theirs');
    await expect(publish(draft, file, howToLink)).rejects.toThrow(
      new BackupRefusal(`${file} exists; a backup never replaces a file`),
    );
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await readFile(draft, 'utf8'), 'its writer removes it').toBe('ours');
  });

  test('of concurrent writers of one name exactly one succeeds', async () => {
    const file = join(folder, 'x');
    const names = Array.from({ length: 20 }, (_, n) => `draft-${n}`);
    await Promise.all(names.map((name) => writeFile(join(folder, name), name)));
    const outcomes = await Promise.allSettled(
      names.map((name) => publish(join(folder, name), file, howToLink)),
    );
    const winners = names.filter((_, n) => outcomes[n]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await readFile(file, 'utf8')).toBe(winners[0]);
    expect((await readdir(folder)).toSorted()).toEqual(
      ['x', ...names.filter((name) => name !== winners[0])].toSorted(),
    );
  });
});

test('another failure is reported unchanged, and reserves no name', async () => {
  const full = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  await writeFile(join(folder, 'x.partial'), 'whole');
  await expect(publish(join(folder, 'x.partial'), join(folder, 'x'), full)).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  expect(await readdir(folder)).toEqual(['x.partial']);
});
