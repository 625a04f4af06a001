/** The file of what a table shows: asked for, fetched with the session that asked, and handed to the browser whole. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { downloadFile } from '../../../shared/download/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import type { filterArgs } from './positions-query.ts';

const failedText = 'Failed to export positions';

/** @throws RequestError in the server's words */
async function fetchFile(supabase: Supabase, url: string, signal: AbortSignal): Promise<Blob> {
  const { data: signedIn } = await supabase.auth.getSession();
  const authorization = `Bearer ${signedIn.session?.access_token ?? supabase.config.anonKey}`;
  const headers = { authorization, apikey: supabase.config.anonKey };
  const answer = await fetch(url, { cache: 'no-store', headers, signal });
  if (!answer.ok) {
    const refusal: unknown = await answer.json().catch(() => null);
    const isOurs = typeof refusal === 'object' && refusal !== null && 'message' in refusal;
    throw new RequestError(
      isOurs ? `${refusal.message}` : failedText,
      isOurs ? 'refused' : '',
      answer.status,
    );
  }
  // Rejects when the connection ends before the file does.
  return answer.blob();
}

export function useExport() {
  const { supabase } = useSignedIn();
  const [isExporting, setExporting] = useState(false);
  const under = useRef<AbortController | null>(null);
  useEffect(() => () => under.current?.abort(), []);

  const exportAll = useCallback(
    async (filter: ReturnType<typeof filterArgs>) => {
      if (under.current) return;
      const stop = new AbortController();
      under.current = stop;
      setExporting(true);
      try {
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const asked = supabase.rest.rpc('export_positions', { ...filter, p_time_zone: zone });
        const link = await rowsOf(asked.abortSignal(stop.signal));
        const content = await fetchFile(supabase, link.url, stop.signal);
        downloadFile(link.file_name, content);
        announce('success', `${link.file_name} is saved`);
      } catch (error) {
        if (stop.signal.aborted) return;
        log.warn('An export failed', error);
        announce('error', messageOf(error, failedText));
      } finally {
        under.current = null;
        if (!stop.signal.aborted) setExporting(false);
      }
    },
    [supabase],
  );
  return { isExporting, exportAll } as const;
}
