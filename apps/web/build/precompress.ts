/** Writes `.br` and `.gz` beside every text asset of the build, so that the server never compresses the same file twice. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const text = /\.(js|css|svg|json)$/;
/** The minimum size; compressing a smaller answer saves no packet. */
const minBytes = 1024;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** A Vite plugin; runs after the files are written. */
export function precompress(): Plugin {
  return {
    name: 'fulcrum-precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return this.error('the build has no output folder');
      const names = (await readdir(dir, { recursive: true })).filter((name) => text.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const bytes = await readFile(path);
          if (bytes.length < minBytes) return;
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${path}.br`, await brotli(bytes, quality));
          await writeFile(`${path}.gz`, await deflate(bytes, { level: constants.Z_BEST_COMPRESSION }));
        }),
      );
    },
  };
}
