/** What an admin does with one message. One act at a time; one that is refused says why and shows the message as it is now. */
import { texts } from '@fulcrum/contract/texts';
import type { ContactStatus } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { messageOf, useSupabase } from '../../../shared/supabase/index.ts';
import { type ContactForm, formKey, type Reply, readForm, sendReply, setStatus } from './contact-forms.ts';
import { useTakeOver } from './useContactForms.ts';

type Act = Exclude<ContactStatus, 'new'> | 'reply';
const failedText = 'The message could not be changed';
const replyFailedText = 'The reply could not be sent';
const waitMs = 10_000;

export function useActs({ id, version, ...rest }: ContactForm) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const takeOver = useTakeOver();
  const [pending, setPending] = useState<Act | null>(null);
  const [failed, setFailed] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const acting = useRef<boolean>(false);

  /** Shows the message as the server has it: somebody else may have been quicker. */
  const readAgain = async () => {
    const now = await readForm(supabase, id, AbortSignal.timeout(waitMs));
    if (now) takeOver(now);
    else await cache.invalidateQueries({ queryKey: formKey(id) });
  };

  const run = async (act: Act, fallback: string, work: () => Promise<void>): Promise<boolean> => {
    if (acting.current) return false;
    acting.current = true;
    setPending(act);
    setFailed(null);
    try {
      await work();
      return true;
    } catch (cause) {
      log.warn(fallback, cause);
      setFailed({ id, text: messageOf(cause, fallback) });
      await readAgain().catch((later: unknown) => log.warn(texts.unexpectedError, later));
      return false;
    } finally {
      acting.current = false;
      setPending(null);
    }
  };

  return {
    pending,
    failure: failed?.id === id ? failed.text : null,
    move: (to: Exclude<ContactStatus, 'new'>) =>
      run(to, failedText, async () => takeOver(await setStatus(supabase, id, to))),
    reply: (reply: Reply) =>
      run('reply', replyFailedText, async () => {
        await sendReply(supabase, { id, version, ...rest }, reply);
        await readAgain();
      }),
  };
}
