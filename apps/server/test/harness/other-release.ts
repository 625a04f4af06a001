/**
 * Another release of the server, as a copy of this one's source with some texts replaced: a rolling upgrade has two side by side. The
 * packages of both are the same.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

export interface Replacement {
  /** Below `apps/server`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface OtherRelease {
  /** Its `main.ts`. */
  readonly program: string;
  dispose(): void;
}

/** @param without files below `apps/server` that it lacks */
export function makeRelease(
  version: string,
  replacements: readonly Replacement[],
  without: readonly string[] = [],
): OtherRelease {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-release-'));
  const server = join(folder, 'apps/server');
  mkdirSync(server, { recursive: true });
  cpSync(join(root, 'apps/server/src'), join(server, 'src'), { recursive: true });
  cpSync(join(root, 'apps/server/package.json'), join(server, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'apps/web'), join(folder, 'apps/web'));
  for (const file of without) rmSync(join(server, file));
  const own: Replacement = {
    file: 'package.json',
    from: /"version": "[^"]+"/.exec(readFileSync(join(server, 'package.json'), 'utf8'))?.[0] ?? '',
    to: `"version": "${version}"`,
  };
  for (const { file, from, to } of [own, ...replacements]) {
    const text = readFileSync(join(server, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(server, file), text.replaceAll(from, to));
  }
  return {
    program: join(server, 'src/main.ts'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
