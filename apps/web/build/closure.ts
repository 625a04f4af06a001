/** Finds the scripts that a route needs: its own chunks and all their imports. */
import type { Rollup } from 'vite';

/** Chunks by file name. */
export type Chunks = ReadonlyMap<string, Rollup.OutputChunk>;

export const chunksOf = (bundle: Rollup.OutputBundle): Chunks =>
  new Map(
    Object.values(bundle)
      .filter((file) => file.type === 'chunk')
      .map((chunk) => [chunk.fileName, chunk]),
  );

/** The chunk that contains a source file; `module` is relative to the app's root. */
export const chunkWith = (module: string, chunks: Chunks): Rollup.OutputChunk | undefined =>
  [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/apps/web/${module}`)));

/** `start`, its static imports, and those of its lazy imports that `lazyOf` names. */
export function closure(
  start: readonly Rollup.OutputChunk[],
  chunks: Chunks,
  lazyOf: (chunk: Rollup.OutputChunk) => readonly string[] = () => [],
): ReadonlySet<Rollup.OutputChunk> {
  const reached = new Set<Rollup.OutputChunk>();
  const waiting = [...start];
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    if (reached.has(chunk)) continue;
    reached.add(chunk);
    for (const fileName of [...chunk.imports, ...lazyOf(chunk)]) {
      const found = chunks.get(fileName);
      if (found) waiting.push(found);
    }
  }
  return reached;
}
