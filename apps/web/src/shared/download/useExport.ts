/**
 * Exports what a table shows as a file: requests a link, downloads the file in the same session, and hands it to the browser.
 * One file at a time.
 */

import type { Database } from '@fulcrum/contract/database';
import { useCallback, useEffect, useRef, useState } from 'react';
import { log } from '../log/log.ts';
import { useSignedIn } from '../session/index.ts';
import { getErrorMessage, RequestError, type Supabase, unwrap } from '../supabase/index.ts';
import { showToast } from '../ui/index.ts';
import { downloadFile } from './index.ts';

type Args = Database['public']['Functions'];
/** The commands that answer with a link to a file, and their arguments. */
export type ExportRequest =
  | { readonly procedure: 'export_positions'; readonly args: Args['export_positions']['Args'] }
  | { readonly procedure: 'export_list'; readonly args: Args['export_list']['Args'] };

/** @throws RequestError with the server's text */
async function fetchFile(
  supabase: Supabase,
  url: string,
  failedText: string,
  signal: AbortSignal,
): Promise<Blob> {
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

/** `what` is the plural for the error: `positions`. */
export function useExport(what: string) {
  const failedText = `Failed to export ${what}`;
  const { supabase } = useSignedIn();
  const [isExporting, setExporting] = useState(false);
  const abortController = useRef<AbortController | null>(null);
  useEffect(() => () => abortController.current?.abort(), []);

  const exportAll = useCallback(
    async ({ procedure, args }: ExportRequest) => {
      if (abortController.current) return;
      const stop = new AbortController();
      abortController.current = stop;
      setExporting(true);
      try {
        const { rest } = supabase;
        const request = procedure === 'export_list' ? rest.rpc(procedure, args) : rest.rpc(procedure, args);
        const link = await unwrap(request.abortSignal(stop.signal));
        const content = await fetchFile(supabase, link.url, failedText, stop.signal);
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
    [supabase, failedText],
  );
  return { isExporting, exportAll } as const;
}
