/** What a program under test has of this environment, whatever else its test gives it. */
import { fileURLToPath } from 'node:url';

export const childEnv = {
  PATH: process.env.PATH,
  // As `npm start` does: later processes of the run do not compile the same modules again.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../.cache/compile', import.meta.url)),
} as const;
