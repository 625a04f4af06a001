/**
 * The actions of an admin on one message, one at a time. A refused action shows its reason and the message's present
 * state.
 */
import { texts } from '@fulcrum/contract/texts';
import type { ContactStatus } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { getErrorMessage, useSupabase } from '../../../shared/supabase/index.ts';
import { type ContactForm, formKey, type Reply, readForm, sendReply, setStatus } from './contact-forms.ts';
import { useCacheContactForm } from './useContactForms.ts';

type ContactAction = Exclude<ContactStatus, 'new'> | 'reply';
const failedText = 'The message could not be changed';
const replyFailedText = 'The reply could not be sent';
const waitMs = 10_000;

export function useContactActions({ id, version, ...rest }: ContactForm) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const cacheForm = useCacheContactForm();
  const [pending, setPending] = useState<ContactAction | null>(null);
  const [failed, setFailed] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const isRunning = useRef<boolean>(false);

  /** Reads the message again: another admin may have changed it. */
  const refetchForm = async () => {
    const now = await readForm(supabase, id, AbortSignal.timeout(waitMs));
    if (now) cacheForm(now);
    else await cache.invalidateQueries({ queryKey: formKey(id) });
  };

  const run = async (
    action: ContactAction,
    fallback: string,
    work: () => Promise<void>,
  ): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setPending(action);
    setFailed(null);
    try {
      await work();
      return true;
    } catch (cause) {
      log.warn(fallback, cause);
      setFailed({ id, text: getErrorMessage(cause, fallback) });
      await refetchForm().catch((later: unknown) => log.warn(texts.unexpectedError, later));
      return false;
    } finally {
      isRunning.current = false;
      setPending(null);
    }
  };

  return {
    pending,
    failure: failed?.id === id ? failed.text : null,
    move: (to: Exclude<ContactStatus, 'new'>) =>
      run(to, failedText, async () => cacheForm(await setStatus(supabase, id, to))),
    reply: (reply: Reply) =>
      run('reply', replyFailedText, async () => {
        await sendReply(supabase, { id, version, ...rest }, reply);
        await refetchForm();
      }),
  };
}
