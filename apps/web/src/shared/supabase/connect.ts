/**
 * The one client of this page, made on first use: visitors of the landing page never load it. Invariant: all callers get
 * the same client; a failed attempt (server away) is not remembered.
 */
import type { Supabase } from './client.ts';
import { serverConfig } from './config.ts';

let made: Promise<Supabase> | undefined;

export function connect(): Promise<Supabase> {
  made ??= Promise.all([serverConfig(), import('./client.ts')])
    .then(([config, { createSupabase }]) => createSupabase(config, location.origin))
    .catch((cause: unknown) => {
      made = undefined;
      throw cause;
    });
  return made;
}
