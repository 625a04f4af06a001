/**
 * The page's single client, created on first use: visitors of the landing page never load it. Invariant: all callers get the
 * same client; a failed attempt (server away) is not cached.
 */
import { getAddressedAccount } from '../account-address/index.ts';
import type { Supabase } from './client.ts';
import { loadServerConfig } from './config.ts';

let clientPromise: Promise<Supabase> | undefined;

export function connect(): Promise<Supabase> {
  clientPromise ??= Promise.all([loadServerConfig(), import('./client.ts')])
    .then(([config, { createSupabase }]) =>
      createSupabase(config, { origin: location.origin, accountId: getAddressedAccount() }),
    )
    .catch((cause: unknown) => {
      clientPromise = undefined;
      throw cause;
    });
  return clientPromise;
}
