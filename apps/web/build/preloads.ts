/**
 * Names in `index.html`, per path, the scripts of a visitor's first pages: one `<meta name="preload" data-path>` each, which
 * `public/start.js` turns into preloads. Without it the browser learns of a page's code only when the app's own has run.
 */
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, closure } from './closure.ts';

/** By path: the source files, relative to the app's root, that its route imports lazily. */
export type FirstPages = Readonly<Record<string, readonly string[]>>;

/** Reads them, so they stand before it. */
const reader = '<script src="/start.js">';

export function preloads(pages: FirstPages): Plugin {
  return {
    name: 'fulcrum-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) throw new Error('preloads: there is no bundle');
        const chunks = chunksOf(bundle);
        const entry = closure(
          [...chunks.values()].filter((chunk) => chunk.isEntry),
          chunks,
        );
        const named = Object.entries(pages).map(([path, modules]) => {
          const own = modules.map((module) => {
            const chunk = chunkWith(module, chunks);
            if (!chunk) throw new Error(`preloads of '${path}': ${module} is in no chunk`);
            return chunk;
          });
          const missing = [...closure(own, chunks)].filter((chunk) => !entry.has(chunk));
          const content = missing.map((chunk) => `/${chunk.fileName}`).join(' ');
          return `<meta name="preload" data-path="${path}" content="${content}" />`;
        });
        if (!html.includes(reader)) throw new Error(`preloads: index.html has no ${reader}`);
        return html.replace(reader, [...named, reader].join('\n    '));
      },
    },
  };
}
