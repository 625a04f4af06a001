/** The client for components of a signed-in page; the layouts provide it. */
import { createContext, use } from 'react';
import type { Supabase } from './client.ts';

export const SupabaseContext = createContext<Supabase | null>(null);

export function useSupabase(): Supabase {
  const supabase = use(SupabaseContext);
  if (!supabase) throw new Error('useSupabase outside of a signed-in layout');
  return supabase;
}
