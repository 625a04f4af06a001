import { StartError } from '../start-error.ts';

/** A setting that is wrong: one line that names it and says what is allowed. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
}
