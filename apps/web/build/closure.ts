/** Which scripts a route needs: its own chunks and all that they import. */
import type { Rollup } from 'vite';

/** By file name. */
export type Chunks = ReadonlyMap<string, Rollup.OutputChunk>;

export const chunksOf = (bundle: Rollup.OutputBundle): Chunks =>
  new Map(
    Object.values(bundle)
      .filter((file) => file.type === 'chunk')
      .map((chunk) => [chunk.fileName, chunk]),
  );

/** The chunk that a source file went into; `module` relative to the app's root. */
export const chunkWith = (module: string, chunks: Chunks): Rollup.OutputChunk | undefined =>
  [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/apps/web/${module}`)));

/** `start`, what it imports statically, and of its lazy imports those files that `lazyOf` names. */
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
