/** Reads a picture behind a signed link. The link is valid only for its viewer, so the request carries the session. */
import type { Supabase } from '../supabase/index.ts';

export interface PictureLink {
  readonly url: string;
  readonly content_type: string;
}

/** @throws Error without the picture */
export async function fetchPicture(
  supabase: Supabase,
  { url, content_type }: PictureLink,
  signal: AbortSignal,
): Promise<Blob> {
  const { data } = await supabase.auth.getSession();
  const authorization = `Bearer ${data.session?.access_token ?? supabase.config.anonKey}`;
  const headers = { authorization, apikey: supabase.config.anonKey };
  const answer = await fetch(url, { cache: 'no-store', headers, signal });
  if (!answer.ok) throw new Error(`the picture request returned ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return new Blob([bytes], { type: content_type });
}
