/**
 * Exports what a table shows as a file: requests a link, downloads the file in the same session, and hands it to the browser.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { downloadFile } from '../../../shared/download/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, RequestError, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import type { filterArgs } from './positions-query.ts';

const failedText = 'Failed to export positions';

/** @throws RequestError with the server's text */
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
  // Rejects when the connection breaks before the file is complete.
  return answer.blob();
}

export function useExport() {
  const { supabase } = useSignedIn();
  const [isExporting, setExporting] = useState(false);
  const abortController = useRef<AbortController | null>(null);
  useEffect(() => () => abortController.current?.abort(), []);

  const exportAll = useCallback(
    async (filter: ReturnType<typeof filterArgs>) => {
      if (abortController.current) return;
      const stop = new AbortController();
      abortController.current = stop;
      setExporting(true);
      try {
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const request = supabase.rest.rpc('export_positions', { ...filter, p_time_zone: zone });
        const link = await unwrap(request.abortSignal(stop.signal));
        const content = await fetchFile(supabase, link.url, stop.signal);
        downloadFile(link.file_name, content);
        showToast('success', `${link.file_name} was saved`);
      } catch (error) {
        if (stop.signal.aborted) return;
        log.warn('An export failed', error);
        showToast('error', getErrorMessage(error, failedText));
      } finally {
        abortController.current = null;
        if (!stop.signal.aborted) setExporting(false);
      }
    },
    [supabase],
  );
  return { isExporting, exportAll } as const;
}
