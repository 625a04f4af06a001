/**
 * Names in `index.html`, per path, the scripts of first pages: one `<meta name="preload" data-path data-for>` each, which
 * `public/start.js` turns into preloads. Without it the browser learns of a page's code only when the app's own has run, and
 * of a signed-in person's even later: once the session is known.
 */
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, closure } from './closure.ts';

export interface FirstPage {
  readonly path: string;
  /** `returning`: who has a session stored in this browser. */
  readonly for: 'visitor' | 'returning';
  /** The source files, relative to the app's root, that its route imports lazily. */
  readonly modules: readonly string[];
}

/** Reads them, so they stand before it. */
const reader = '<script src="/start.js">';

export function preloads(pages: readonly FirstPage[]): Plugin {
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
        const named = pages.map(({ path, for: whom, modules }) => {
          const own = modules.map((module) => {
            const chunk = chunkWith(module, chunks);
            if (!chunk) throw new Error(`preloads of '${path}': ${module} is in no chunk`);
            return chunk;
          });
          const missing = [...closure(own, chunks)].filter((chunk) => !entry.has(chunk));
          const content = missing.map((chunk) => `/${chunk.fileName}`).join(' ');
          return `<meta name="preload" data-path="${path}" data-for="${whom}" content="${content}" />`;
        });
        if (!html.includes(reader)) throw new Error(`preloads: index.html has no ${reader}`);
        return html.replace(reader, [...named, reader].join('\n    '));
      },
    },
  };
}
