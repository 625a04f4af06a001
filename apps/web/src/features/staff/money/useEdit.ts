/**
 * State of an edit: the texts, the server's preview, and the request. Invariants: the request names the version that was shown
 * and is sent once, however often the button is pressed. When another user was faster, the dialog shows both versions, keeps
 * the typed changes and does not resend.
 */
import { texts as sentences } from '@fulcrum/contract/texts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useRequest } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, RequestError } from '../../../shared/supabase/index.ts';
import { useDebouncedValue } from '../../../shared/time/useDebouncedValue.ts';
import { type EditField, type EditTexts, parseForm, rebase, toEditTexts } from './edit-form.ts';
import { type EditedPosition, moneyKeys, previewEdit, readPosition, updatePosition } from './requests.ts';

/** Detects another user's change while the form is open. */
const previewRefreshMs = 10_000;
const readTimeoutMs = 10_000;

export function useEdit(opened: EditedPosition) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [position, setPosition] = useState(opened);
  /** The position as shown before another user's version replaced it. */
  const [before, setBefore] = useState<EditedPosition | null>(null);
  const [texts, setTexts] = useState<EditTexts>(() => toEditTexts(opened));
  const { run, pending, error, setError } = useRequest();
  const clientId = useRef<string>(undefined);

  const form = useMemo(() => parseForm(position, texts), [position, texts]);
  const changesKey = JSON.stringify(form.changes);
  const debouncedKey = useDebouncedValue(changesKey);
  const previewQuery = useQuery({
    // The same edit on another version has another effect.
    queryKey: moneyKeys.edit(position.id, position.version, debouncedKey),
    queryFn: ({ signal }) => previewEdit(supabase, position.id, JSON.parse(debouncedKey), signal),
    placeholderData: keepPreviousData,
    refetchInterval: previewRefreshMs,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = debouncedKey === changesKey && !previewQuery.isPlaceholderData;

  /** Shows the current version beside the one that was shown. */
  const showBoth = async (): Promise<void> => {
    const now = await readPosition(supabase, position.id, AbortSignal.timeout(readTimeoutMs));
    if (!now) throw new RequestError(sentences.positionNotFound, 'position_not_found', 404);
    setBefore(position);
    // Applied to the current texts: the user may have typed while the request was running.
    setTexts((held) => rebase(position, now, held));
    setPosition(now);
    // The dialog's heading shows the new version, too.
    cache.setQueryData(moneyKeys.position(position.id), now);
    void cache.invalidateQueries({ queryKey: moneyKeys.history(position.id) });
  };

  /** Resolves with whether the edit was saved. */
  const send = (reason: string): Promise<boolean> =>
    run(
      async () => {
        clientId.current ??= newClientId();
        const { changes } = form;
        const request = { changes, version: position.version, reason, client_id: clientId.current };
        const [row] = await updatePosition(supabase, position.id, request);
        if (!row) throw new RequestError(sentences.positionNotFound, 'position_not_found', 404);
      },
      async (cause) => {
        log.warn(sentences.updatePositionFailed, cause);
        const isConflict = cause instanceof RequestError && cause.code === 'changed_meanwhile';
        return isConflict ? showBoth().then(() => null, formatFailure) : formatFailure(cause);
      },
    );

  const type = (field: EditField, text: string) => setTexts((held) => ({ ...held, [field]: text }));
  return {
    position,
    before,
    texts,
    form,
    preview: previewQuery.data,
    isCurrent,
    isUnread: previewQuery.isError && previewQuery.data === undefined,
    pending,
    error,
    type,
    undo: (field: EditField) => type(field, toEditTexts(position)[field]),
    reset: () => setTexts(toEditTexts(position)),
    showBoth: () => showBoth().catch((cause: unknown) => setError(formatFailure(cause))),
    send,
  } as const;
}
export type Edit = ReturnType<typeof useEdit>;

function formatFailure(cause: unknown): string {
  const serverText = getErrorMessage(cause, '');
  return serverText === ''
    ? sentences.updatePositionFailed
    : `${sentences.updatePositionFailed}. ${serverText}`;
}
