/**
 * Encryption of backups with age (age-encryption.org/v1: X25519 and ChaCha20-Poly1305), by its author's library. Before the age file stands
 * one line that names the key, so that a restore says which one it needs before it decrypts anything:
 *
 *     fulcrum-backup-encrypted 1 age1…           the format's version, and the public key of the backup
 *     <an age file>                              which holds the backup (`format.ts`)
 *
 * `tail -n +2 FILE | age -d -i KEYFILE` decrypts it on a machine without Fulcrum. Invariants: no plain byte reaches the disk;
 * a changed, reordered or shortened file is refused before any of its content is used.
 *
 * Known limitation: whoever knows the public key, which every backup names, can write a file that decrypts. Encryption
 * protects from readers, not from a forger who may write into the folder.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { BackupRefusal } from './format.ts';

export interface BackupKey {
  /** The public key, `age1…`: it encrypts, and it is the name of the key. */
  readonly recipient: string;
  /** The secret key; null in a file with the public one alone, which cannot decrypt. */
  readonly identity: string | null;
}

const magic = 'fulcrum-backup-encrypted ';
const version = 1;
/** More than the first line of an encrypted backup has. */
export const firstLineMax = 200;
const chunkBytes = 256 * 1024;
/** Loaded where it is used, so that the start of a server does not wait for it. */
const loadAge = () => import('age-encryption');

const firstLine = (recipient: string): Buffer => Buffer.from(`${magic}${version} ${recipient}\n`);

/**
 * Reads BACKUP_KEY_FILE, null for none: comments and one key, as `age-keygen` writes it, or the public key alone.
 * @throws BackupRefusal when the file cannot be read or has no key
 */
export async function readKey(file: string | null): Promise<BackupKey | null> {
  if (file === null) return null;
  const named = `BACKUP_KEY_FILE=${file}`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BackupRefusal(`cannot read ${named}: ${(error as Error).message}`, { cause: error });
  }
  const lines = text.split('\n').map((line) => line.trim());
  const [key = '', ...more] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (more.length > 0 || !/^(AGE-SECRET-KEY-1|age1)/.test(key)) {
    throw new BackupRefusal(`${named} does not hold one key; make one with npm run backup:key -- FILE`);
  }
  const { Encrypter, identityToRecipient } = await loadAge();
  try {
    if (key.startsWith('AGE-SECRET-KEY-1'))
      return { recipient: await identityToRecipient(key), identity: key };
    new Encrypter().addRecipient(key);
    return { recipient: key, identity: null };
  } catch (error) {
    throw new BackupRefusal(`${named} holds a damaged key`, { cause: error });
  }
}

/**
 * Writes a new key to `file` (mode 0600) and returns its public part.
 * @throws BackupRefusal when the file exists or cannot be written
 */
export async function createKeyFile(file: string): Promise<string> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BackupRefusal(
      code === 'EEXIST' ? `${file} exists; a key is never replaced` : `cannot write ${file}: ${message}`,
      { cause: error },
    );
  }
  return recipient;
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** The encrypted file of this content, as a stage of a pipeline. */
export async function* encrypt(
  content: AsyncIterable<Uint8Array>,
  recipient: string,
): AsyncGenerator<Buffer> {
  yield firstLine(recipient);
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  for await (const piece of await encrypter.encrypt(ReadableStream.from(content))) yield toBuffer(piece);
}

/**
 * The public key that the beginning of a file names; null for a file that is not encrypted.
 * @throws BackupRefusal for a damaged first line, or one of a newer format
 */
export function recipientOf(file: string, start: string): string | null {
  if (!start.startsWith(magic)) return null;
  const [, found, recipient] = new RegExp(`^${magic}(\\d{1,6}) (age1[0-9a-z]+)\n`).exec(start) ?? [];
  if (found === undefined || recipient === undefined) {
    throw new BackupRefusal(`the first line of ${file} is damaged; take another copy`);
  }
  if (Number(found) === version) return recipient;
  throw new BackupRefusal(
    `${file} has the encrypted format ${found} and this version of Fulcrum reads ${version}; restore it with the version that wrote it`,
  );
}

/** @throws BackupRefusal unless `key` decrypts what is encrypted for `recipient` */
export function requireIdentity(file: string, recipient: string, key: BackupKey | null): string {
  const needed = `${file} is encrypted for the key ${recipient}`;
  if (key === null) throw new BackupRefusal(`${needed}; set BACKUP_KEY_FILE to the file with that key`);
  if (key.recipient !== recipient) {
    throw new BackupRefusal(`${needed}, and BACKUP_KEY_FILE has the key ${key.recipient}`);
  }
  if (key.identity === null) {
    throw new BackupRefusal(
      `${needed}, and BACKUP_KEY_FILE has only its public part, which cannot decrypt; use the file that npm run backup:key wrote`,
    );
  }
  return key.identity;
}

interface Decryption {
  readonly recipient: string;
  readonly identity: string;
  readonly signal: AbortSignal | undefined;
}

/** The content of an encrypted file. @throws BackupRefusal where it was changed or is cut short */
export async function* decrypt(
  file: string,
  { recipient, identity, signal }: Decryption,
): AsyncGenerator<Buffer> {
  const { Decrypter } = await loadAge();
  const start = firstLine(recipient).length;
  const source = createReadStream(file, { start, highWaterMark: chunkBytes, ...(signal && { signal }) });
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    const content = await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>);
    for await (const piece of content) yield toBuffer(piece);
  } catch (error) {
    // Of the disk, or of the signal; the library's own errors have no code.
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new BackupRefusal(
      `${file} is damaged or cut short: it does not decrypt with its key; take another copy`,
      { cause: error },
    );
  } finally {
    source.destroy();
  }
}
