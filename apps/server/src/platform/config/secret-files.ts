/**
 * Reads secret settings from files: `SMTP_URL_FILE` names the file with the value of `SMTP_URL`, as secrets of containers and
 * credentials of systemd come. Invariant: neither the content nor the name of a file is in a message, because a secret that
 * is set under the wrong name would be shown.
 */
import { readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { ConfigError } from './config-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file of a secret setting. */
export const fileVariable = (name: string) => `${name}_FILE`;

/** `env` with the values of the files. @throws ConfigError */
export function withSecretFiles(env: Environment, secretNames: readonly string[]): Environment {
  const values = secretNames.flatMap((name) => {
    const file = env[fileVariable(name)]?.trim() ?? '';
    if (file === '') return [];
    if ((env[name]?.trim() ?? '') !== '')
      throw new ConfigError(`${name} and ${fileVariable(name)} are both set; unset one of them`);
    return [[name, readSecret(fileVariable(name), file)] as const];
  });
  return values.length === 0 ? env : { ...env, ...Object.fromEntries(values) };
}

function readSecret(variable: string, file: string): string {
  const text = readText(variable, file).replace(/\r?\n$/, '');
  // The default of a secret is to do without: an empty file would start another database, or sign nothing.
  if (text.trim() === '') throw new ConfigError(`${variable} names a file that is empty`);
  return text;
}

function readText(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    // Node itself refuses a name that no file can have, and knows no number for that.
    const reason = errno === undefined ? 'not the name of a file' : getSystemErrorMessage(errno);
    throw new ConfigError(`${variable} names a file that cannot be read: ${reason}`);
  }
}
