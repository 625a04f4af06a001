/**
 * Callers with an API key: `Authorization: Bearer <api_key>.<secret>`. Invariants: a text that has not the form of a key reaches no
 * database and no log; the secret is compared in constant time, before the address is looked at; an unknown key and a wrong
 * secret have one answer.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import { type ApiKeys, hasKeyPrefix, isSameSecret } from '../../features/api-keys/index.ts';

/** The credential of a bearer that claims to be an API key; null for a token, which is another matter. */
export function keyCredentialOf(authorization: string | undefined): string | null {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && hasKeyPrefix(token) ? token : null;
}

export const createKeyCallers =
  (apiKeys: Pick<ApiKeys, 'find' | 'markUsed'>) =>
  /** @throws AppError `not_signed_in`; `not_allowed` from an address that the key does not list */
  async (credential: string, address: string): Promise<SignedIn> => {
    const dot = credential.indexOf('.');
    const key = dot === -1 ? null : await apiKeys.find(credential.slice(0, dot));
    if (key === null || !isSameSecret(credential.slice(dot + 1), key.secret)) {
      throw new AppError('not_signed_in', texts.apiKeyInvalid);
    }
    if (!key.allows(address)) throw new AppError('not_allowed', texts.apiKeyAddress(address));
    apiKeys.markUsed(key, address);
    return key.caller;
  };
