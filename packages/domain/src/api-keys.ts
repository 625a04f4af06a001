/** API keys of a trading account (A119): bounds and names. */
import { hasInvisible, type Objection } from './validation.ts';

/** Live keys of one account. */
export const apiKeysMax = 10;
export const apiKeyNameMax = 40;
/** Addresses and networks of one key. */
export const apiKeyAddressesMax = 20;

/** The name as it is stored: one encoding for each letter. */
export const normaliseApiKeyName = (name: string): string => name.trim().normalize('NFC');

/** Null, or the text to show. */
export function checkApiKeyName(name: string): Objection {
  const normal = normaliseApiKeyName(name);
  if (normal === '') return 'Give the key a name.';
  if ([...normal].length > apiKeyNameMax) return `A name has at most ${apiKeyNameMax} characters.`;
  return hasInvisible(normal) ? 'The name must not contain invisible characters.' : null;
}

/** Faults of a new key that belong to one field of its form; the server answers with them. */
export const apiKeyFaults = {
  nameTaken: 'This account has a key of this name. Choose another one.',
  addressInvalid: (text: string) =>
    `Not an IPv4 or IPv6 address and not a network such as 192.0.2.0/24: ${text}`,
  tooManyAddresses: `A key has at most ${apiKeyAddressesMax} addresses.`,
  endPassed: 'Choose an end that is still to come.',
} as const;
