/**
 * The actions of an admin on one message, one at a time. A refused action shows its reason and the message's present
 * state.
 */
import { texts } from '@fulcrum/contract/texts';
import type { ContactStatus } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
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
  const [latest, setLatest] = useState<ContactAction | null>(null);
  const request = useRequest<{ readonly id: string; readonly text: string }>();

  /** Reads the message again: another admin may have changed it. */
  const refetchForm = async () => {
    const now = await readForm(supabase, id, AbortSignal.timeout(waitMs));
    if (now) cacheForm(now);
    else await cache.invalidateQueries({ queryKey: formKey(id) });
  };

  const run = (
    action: ContactAction,
    failedText: string,
    work: () => Promise<undefined>,
  ): Promise<boolean> => {
    if (!request.isBusy()) setLatest(action);
    return request.run(work, async (cause) => {
      const text = failedWith(failedText)(cause);
      request.setError({ id, text });
      await refetchForm().catch((later: unknown) => log.warn(texts.unexpectedError, later));
      return { id, text };
    });
  };

  return {
    pending: request.pending ? latest : null,
    failure: request.error?.id === id ? request.error.text : null,
    move: (to: Exclude<ContactStatus, 'new'>) =>
      run(to, failedText, async () => {
        cacheForm(await setStatus(supabase, id, to));
      }),
    reply: (reply: Reply) =>
      run('reply', replyFailedText, async () => {
        await sendReply(supabase, { id, version, ...rest }, reply);
        await refetchForm();
      }),
  };
}
