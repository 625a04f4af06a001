/**
 * The three pictures of a case. They are fetched at once, because their links expire after a minute, and stay in
 * memory until the case is closed. Invariant: nothing of them outlives the dialog.
 */
import type { KycPicture } from '@fulcrum/contract';
import { useEffect, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { fetchPicture } from '../../../shared/pictures/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import type { CasePicture } from './cases.ts';

export type LoadedPicture =
  | { readonly state: 'loading' }
  | { readonly state: 'failed' }
  | { readonly state: 'ready'; readonly src: string };
export type LoadedPictures = Readonly<Record<KycPicture, LoadedPicture>>;

const loading = { state: 'loading' } as const;
const allLoading: LoadedPictures = { document_front: loading, document_back: loading, selfie: loading };

/** `pictures` with new links, of the same case, loads only what is missing. */
export function usePictures(pictures: readonly CasePicture[]): LoadedPictures {
  const supabase = useSupabase();
  const [loaded, setLoaded] = useState(allLoading);
  // The object URLs that the effect below creates, revoked when the case is closed.
  const [made] = useState(() => new Map<KycPicture, string>());
  useEffect(() => {
    const stop = new AbortController();
    const load = async (picture: CasePicture) => {
      const { document } = picture;
      const updatePicture = (next: LoadedPicture) => setLoaded((all) => ({ ...all, [document]: next }));
      updatePicture(loading);
      try {
        const bytes = await fetchPicture(supabase, picture, stop.signal);
        if (stop.signal.aborted) return;
        const src = URL.createObjectURL(bytes);
        made.set(document, src);
        updatePicture({ state: 'ready', src });
      } catch (cause) {
        if (stop.signal.aborted) return;
        log.warn('A picture of an identity check could not be loaded', cause);
        updatePicture({ state: 'failed' });
      }
    };
    for (const picture of pictures) if (!made.has(picture.document)) void load(picture);
    return () => stop.abort();
  }, [supabase, pictures, made]);
  useEffect(
    () => () => {
      for (const src of made.values()) URL.revokeObjectURL(src);
      made.clear();
    },
    [made],
  );
  return loaded;
}
