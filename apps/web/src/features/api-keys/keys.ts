/** The API keys of a user. The secret of a key is in the answer to its creation alone, and in no cache. */
import type { Database } from '@fulcrum/contract/database';
import { apiKeyFaults } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { failedWith, type SubmissionError } from '../../shared/form/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import {
  type CamelCased,
  fromWire,
  getErrorMessage,
  type Supabase,
  unwrap,
} from '../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type ListedKey = CamelCased<Functions['list_api_keys']['Returns'][number]>;
export type MadeKey = CamelCased<Functions['create_api_key']['Returns']>;

const keysKey = (userId: string) => ['api-keys', userId] as const;

/** Live ones first; the caller's own, or for staff those of a trader. */
export const fetchKeys = async (
  supabase: Supabase,
  userId: string,
  signal: AbortSignal,
): Promise<readonly ListedKey[]> =>
  (await unwrap(supabase.rest.rpc('list_api_keys', { p_user_id: userId }).abortSignal(signal))).map(fromWire);

/** The user's own keys, read again on each visit. */
export function useKeys() {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: keysKey(user.id),
    queryFn: ({ signal }) => fetchKeys(supabase, user.id, signal),
    staleTime: 0,
  });
}

/** Whether it can still be used; the server decides each time. */
export const isLive = ({ revokedAt, expiresAt }: ListedKey, now = Date.now()): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

export const keyFields = ['name', 'addresses', 'expires'] as const;
export type KeyField = (typeof keyFields)[number];

/** One address or network each, however they are separated. */
export const parseAddressList = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((part) => part !== '');

/** The end of a day in the viewer's zone, null without one: the key works until then. */
export const toEndOfDay = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString();

const failed = failedWith('Failed to create the key');

/** The server's text at the field that it is about. */
export function toKeyRefusal(cause: unknown): SubmissionError<KeyField> {
  const message = getErrorMessage(cause, '');
  const { nameTaken, addressInvalid, tooManyAddresses, endPassed } = apiKeyFaults;
  if (message === nameTaken) return { text: message, at: 'name' };
  if (message === endPassed) return { text: message, at: 'expires' };
  if (message === tooManyAddresses || message.startsWith(addressInvalid(''))) {
    return { text: message, at: 'addresses' };
  }
  return { text: failed(cause) };
}
