/**
 * The server's own secrets, made at the first start and kept in `<dataDir>/secrets.json` (mode 0600). Invariant: they
 * never change by themselves; a file that is not whole stops the start, because new secrets would sign everybody out.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensureDataDir, inWords } from '../data-dir.ts';
import { StartError } from '../start-error.ts';

const schema = z.strictObject({
  /** Key of the access tokens' HMAC: 64 random bytes, base64url. */
  jwtSecret: z.base64url().min(43),
  /** Names the application to the server, as supabase-js expects; public. */
  anonKey: z.string().regex(/^sb_publishable_[A-Za-z0-9_-]{22,}$/),
  instanceId: z.uuid(),
});
export type Secrets = Readonly<z.infer<typeof schema>>;

/** Reads the secrets, making them first where there are none. Throws a StartError when the file is unusable. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  ensureDataDir(dataDir);
  return readSecrets(file) ?? makeSecrets(file);
}

/** As `loadSecrets`, but null where there are none yet: nothing is made. */
export const existingSecrets = (dataDir: string): Secrets | null =>
  readSecrets(join(dataDir, 'secrets.json'));

function readSecrets(file: string): Secrets | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StartError(`cannot read ${file}: ${(error as Error).message}`);
  }
  if ((statSync(file).mode & 0o077) !== 0 && process.platform !== 'win32') {
    throw new StartError(`${file} is open to other users; run: chmod 600 ${file}`);
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartError(
    `${file} is damaged; restore it, or remove it to sign everybody out and make a new one`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is one more way of being damaged; the schema refuses undefined.
    return undefined;
  }
}

function makeSecrets(file: string): Secrets {
  const secrets: Secrets = {
    jwtSecret: randomBytes(64).toString('base64url'),
    anonKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    instanceId: randomUUID(),
  };
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
    // link(2) never replaces: a server that starts at the same moment and was faster keeps its file, and we read it.
    linkSync(draft, file);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw inWords(error, dirname(file));
    return readSecrets(file) ?? makeSecrets(file);
  } finally {
    rmSync(draft, { force: true });
  }
}
