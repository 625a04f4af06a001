/**
 * An edit while it is made: the texts, what the server says it would do, and the sending. Invariants: it is sent upon the
 * version that was shown, once however often it is asked for; when somebody else was faster, both versions are shown, mine
 * stays typed, and nothing is sent again by itself.
 */
import { texts as sentences } from '@fulcrum/contract/texts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, RequestError } from '../../../shared/supabase/index.ts';
import { type EditField, type EditTexts, readForm, rebased, textsOf } from './edit-form.ts';
import { type EditedPosition, moneyKeys, previewEdit, readPosition, writePosition } from './requests.ts';
import { useSettled } from './useSettled.ts';

/** Somebody else's change is told while one types. */
const lookAgainMs = 10_000;
const waitMs = 10_000;

export type EditOutcome = 'saved' | 'conflict' | 'failed';

export function useEdit(opened: EditedPosition) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [position, setPosition] = useState(opened);
  /** What was shown before somebody else's version took its place. */
  const [before, setBefore] = useState<EditedPosition | null>(null);
  const [texts, setTexts] = useState<EditTexts>(() => textsOf(opened));
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isUnderWay = useRef<boolean>(false);
  const clientId = useRef<string>(undefined);

  const form = useMemo(() => readForm(position, texts), [position, texts]);
  const wanted = JSON.stringify(form.changes);
  const asked = useSettled(wanted);
  const read = useQuery({
    // The same edit upon another version does something else.
    queryKey: moneyKeys.edit(position.id, position.version, asked),
    queryFn: ({ signal }) => previewEdit(supabase, position.id, JSON.parse(asked), signal),
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = asked === wanted && !read.isPlaceholderData;

  /** Shows the version that is there now beside the one that was shown. */
  const showBoth = async (): Promise<void> => {
    const now = await readPosition(supabase, position.id, AbortSignal.timeout(waitMs));
    if (!now) throw new RequestError(sentences.positionNotFound, 'position_not_found', 404);
    setBefore(position);
    // Upon what is typed by now: nobody stops typing while the answer is on its way.
    setTexts((held) => rebased(position, now, held));
    setPosition(now);
    // The window's heading names it as it is now, too.
    cache.setQueryData(moneyKeys.position(position.id), now);
    void cache.invalidateQueries({ queryKey: moneyKeys.history(position.id) });
  };

  const send = async (reason: string): Promise<EditOutcome | null> => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    clientId.current ??= newClientId();
    try {
      const { changes } = form;
      const order = { changes, version: position.version, reason, client_id: clientId.current };
      const [row] = await writePosition(supabase, position.id, order);
      if (!row) throw new RequestError(sentences.positionNotFound, 'position_not_found', 404);
      return 'saved';
    } catch (cause) {
      log.warn(sentences.updatePositionFailed, cause);
      const outcome =
        cause instanceof RequestError && cause.code === 'changed_meanwhile' ? 'conflict' : 'failed';
      if (outcome === 'failed') setError(failureOf(cause));
      else await showBoth().catch((later: unknown) => setError(failureOf(later)));
      return outcome;
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  };

  const type = (field: EditField, text: string) => setTexts((held) => ({ ...held, [field]: text }));
  return {
    position,
    before,
    texts,
    form,
    preview: read.data,
    isCurrent,
    isUnread: read.isError && read.data === undefined,
    pending,
    error,
    type,
    undo: (field: EditField) => type(field, textsOf(position)[field]),
    reset: () => setTexts(textsOf(position)),
    showBoth: () => showBoth().catch((cause: unknown) => setError(failureOf(cause))),
    send,
  } as const;
}
export type Edit = ReturnType<typeof useEdit>;

function failureOf(cause: unknown): string {
  const why = messageOf(cause, '');
  return why === '' ? sentences.updatePositionFailed : `${sentences.updatePositionFailed}. ${why}`;
}
