/**
 * Measures the weight of a route: the gzip size of every script that the route needs, that is the entry, the route's own lazy
 * modules and their static imports. The build fails when a route exceeds its limit of bytes or of scripts. It also fails when a
 * listed module is in no chunk, so that a renamed file cannot silently lose its budget.
 */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, closure } from './closure.ts';

export interface Budget {
  readonly route: string;
  /** In units of 1000 bytes, gzip. */
  readonly limit_kB: number;
  /** Each script is a request of its own. */
  readonly scriptsMax: number;
  /** Source files, relative to the app's root, that the route imports lazily. */
  readonly modules: readonly string[];
  /** Lazy imports of files below these folders count too, in whichever chunk they are. */
  readonly withDynamicImportsOf?: readonly string[];
}

/** A Vite plugin that prints each route's weight and fails the build beyond its limit. */
export function budgets(all: readonly Budget[]): Plugin {
  return {
    name: 'fulcrum-budgets',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle);
        const weights = new Map([...chunks.values()].map((chunk) => [chunk, gzipSync(chunk.code).length]));
        const entries = [...chunks.values()].filter((chunk) => chunk.isEntry);
        const holders = new Map(
          [...chunks.values()].flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [id, fileName])),
        );
        for (const budget of all) {
          const own = budget.modules.map(
            (module) =>
              chunkWith(module, chunks) ?? this.error(`budget '${budget.route}': ${module} is in no chunk`),
          );
          const folders = budget.withDynamicImportsOf ?? [];
          // By file, not by chunk: the entry chunk also contains the lazy imports of every other route.
          const lazyOf = (chunk: (typeof own)[number]) =>
            chunk.moduleIds
              .filter((id) => folders.some((folder) => id.includes(`/apps/web/${folder}`)))
              .flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
              .map((id) => holders.get(id) ?? this.error(`budget '${budget.route}': ${id} is in no chunk`));
          const route = closure([...entries, ...own], chunks, lazyOf);
          const kB = [...route].reduce((sum, chunk) => sum + (weights.get(chunk) ?? 0), 0) / 1000;
          const line = `${budget.route}: ${kB.toFixed(1)} of ${budget.limit_kB} kB gzip in ${route.size} scripts`;
          if (kB > budget.limit_kB || route.size > budget.scriptsMax) {
            this.error(`over budget, ${line} (at most ${budget.scriptsMax})`);
          }
          this.info(line);
        }
      },
    },
  };
}
