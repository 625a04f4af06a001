/**
 * The server's own secrets, created at the first start and stored in `<dataDir>/secrets.json` (mode 0600). Invariant: they
 * never change by themselves. A damaged file stops the start, because new secrets would sign out every user. A file of an
 * earlier version receives its missing secrets once, at the next start.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensureDataDir, toStartError } from '../data-dir.ts';
import { StartError } from '../start-error.ts';

const schema = z.strictObject({
  /** Key of the access tokens' HMAC: 64 random bytes, base64url. */
  jwtSecret: z.base64url().min(43),
  /** Identifies the application to the server, as supabase-js expects; public. */
  anonKey: z.string().regex(/^sb_publishable_[A-Za-z0-9_-]{22,}$/),
  instanceId: z.uuid(),
  /** Key of the simulated market, 32 random bytes, base64url: it determines all prices (A109). */
  marketKey: z.base64url().length(43).optional(),
  /** Private P-256 key that names this server to push services (VAPID, RFC 8292): the scalar, base64url. */
  vapidKey: z.base64url().length(43).optional(),
  /** Key of the secrets of API keys at rest, 32 random bytes, base64url. With another one every API key is void. */
  apiKeysKey: z.base64url().length(43).optional(),
  /** Private Ed25519 key of certificates (RFC 8032), 32 bytes, base64url. */
  certificatesKey: z.base64url().length(43).optional(),
});
type StoredSecrets = Readonly<z.infer<typeof schema>>;
export type Secrets = StoredSecrets & {
  readonly marketKey: string;
  readonly vapidKey: string;
  readonly apiKeysKey: string;
  readonly certificatesKey: string;
};

/** Reads the secrets, and creates missing ones first. Throws a StartError when the file is unusable. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  ensureDataDir(dataDir);
  const stored = readSecrets(file);
  return stored ? addMissingSecrets(file, stored) : createSecrets(file);
}

/** Reads the stored secrets without creating any; null when there are none. */
export const findSecrets = (dataDir: string): StoredSecrets | null =>
  readSecrets(join(dataDir, 'secrets.json'));

function readSecrets(file: string): StoredSecrets | null {
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
    // Invalid JSON counts as damage; the schema refuses undefined.
    return undefined;
  }
}

const createRandomKey = (): string => randomBytes(32).toString('base64url');
function createVapidKey(): string {
  const { d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  if (d === undefined) throw new Error('a private key has no scalar');
  return d;
}

function createSecrets(file: string): Secrets {
  const secrets: Secrets = {
    jwtSecret: randomBytes(64).toString('base64url'),
    anonKey: `sb_publishable_${randomBytes(24).toString('base64url')}`,
    instanceId: randomUUID(),
    marketKey: createRandomKey(),
    vapidKey: createVapidKey(),
    apiKeysKey: createRandomKey(),
    certificatesKey: createRandomKey(),
  };
  return writeOnce(file, secrets) ? secrets : loadSecrets(dirname(file));
}

/** Adds the secrets that a file of an earlier version lacks. */
function addMissingSecrets(file: string, stored: StoredSecrets): Secrets {
  const { marketKey, vapidKey, apiKeysKey, certificatesKey } = stored;
  if (
    marketKey !== undefined &&
    vapidKey !== undefined &&
    apiKeysKey !== undefined &&
    certificatesKey !== undefined
  ) {
    return { ...stored, marketKey, vapidKey, apiKeysKey, certificatesKey };
  }
  // The process that begins first decides on the keys, even if it is stopped between these two steps.
  const next = `${file}.next`;
  writeOnce(next, {
    ...stored,
    marketKey: marketKey ?? createRandomKey(),
    vapidKey: vapidKey ?? createVapidKey(),
    apiKeysKey: apiKeysKey ?? createRandomKey(),
    certificatesKey: certificatesKey ?? createRandomKey(),
  });
  try {
    renameSync(next, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toStartError(error, dirname(file));
  }
  return loadSecrets(dirname(file));
}

/** Whether this call created the file; false when one already existed, which stays. */
function writeOnce(file: string, secrets: Secrets): boolean {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
    // link(2) never replaces: when another server creates the file first, this one reads that file.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toStartError(error, dirname(file));
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}
