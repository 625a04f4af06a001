import { accessSync, constants, mkdirSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** Makes the data directory where it is missing. Throws a StartError when this process cannot work in it. */
export function ensureDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`cannot use the data directory ${dir}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
