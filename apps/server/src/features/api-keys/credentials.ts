/**
 * Makes API keys and secrets, and encrypts secrets at rest: a signature can only be checked with the clear secret, so a hash does not
 * do. Invariant: a stored secret opens only under this server's key and the id that it was sealed for.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

const prefix = 'paper_';
const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is more than 2^256. */
const randomLength = 43;
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength}}$`);

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Letters and digits only: one double click selects them, and no shell or URL changes them. */
const randomText = (): string =>
  Array.from({ length: randomLength }, () => characters[randomInt(characters.length)]).join('');

export const newApiKey = (): string => `${prefix}${randomText()}`;
/** 256 random bits. */
export const newSecret = randomText;

/** Whether the text has the form of this server's keys, which is no statement about its existence. */
export const isWellFormed = (apiKey: string): boolean => form.test(apiKey);
/** Whether a credential claims to be such a key, well-formed or not. */
export const hasKeyPrefix = (credential: string): boolean => credential.startsWith(prefix);

/** How much of a key is shown afterwards. */
export const keyStartLength = prefix.length + 6;

/** Compares in constant time, whatever the lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export interface SecretBox {
  seal(keyId: string, secret: string): Buffer;
  /** @throws Error for a box of another key, of another server or an altered one */
  open(keyId: string, sealed: Buffer): string;
}

export function createSecretBox(serverKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', serverKey, '', 'fulcrum api keys', 32));
  return {
    seal(keyId, secret) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(keyId));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(keyId, sealed) {
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(keyId))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
