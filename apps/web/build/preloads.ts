/**
 * Lists in `index.html`, per path, the scripts of first pages: one `<meta name="preload" data-path data-for>` each, which
 * `public/start.js` turns into preloads. Without them the browser discovers a page's code only after the app's own has run. For
 * a signed-in user it even waits for the session.
 */
import type { Plugin } from 'vite';
import { chunksOf, chunkWith, closure } from './closure.ts';

export interface FirstPage {
  readonly path: string;
  /** `returning`: visitors with a session stored in this browser. */
  readonly for: 'visitor' | 'returning';
  /** The source files, relative to the app's root, that its route imports lazily. */
  readonly modules: readonly string[];
}

/** The preload tags precede this script, which reads them. */
const startScriptTag = '<script src="/start.js">';

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
        const named = pages.map(({ path, for: audience, modules }) => {
          const own = modules.map((module) => {
            const chunk = chunkWith(module, chunks);
            if (!chunk) throw new Error(`preloads of '${path}': ${module} is in no chunk`);
            return chunk;
          });
          const missing = [...closure(own, chunks)].filter((chunk) => !entry.has(chunk));
          const content = missing.map((chunk) => `/${chunk.fileName}`).join(' ');
          return `<meta name="preload" data-path="${path}" data-for="${audience}" content="${content}" />`;
        });
        if (!html.includes(startScriptTag)) throw new Error(`preloads: index.html has no ${startScriptTag}`);
        return html.replace(startScriptTag, [...named, startScriptTag].join('\n    '));
      },
    },
  };
}
