/** 'Close Session' (CHAT-22): asks for confirmation if the trader's last message has no answer. */
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { useActions } from '../../../shared/actions/index.ts';
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Button, showToast } from '../../../shared/ui/index.ts';
import { closeSession } from './close-session.ts';
import { consoleAction } from './console-action.ts';

interface CloseSessionProps {
  readonly sessionId: string;
  readonly username: string;
  readonly answer: 'owed' | 'given';
  readonly onClosed: (sessionId: string) => void;
}

export function CloseSession({ sessionId, username, answer, onClosed }: CloseSessionProps) {
  const { supabase, user } = useSignedIn();
  const [isConfirming, setConfirming] = useState(false);
  const { run, pending } = useRequest();

  const close = () =>
    run(
      async () => {
        await closeSession(supabase, sessionId, user.id);
        setConfirming(false);
        onClosed(sessionId);
      },
      (cause) => {
        const description = failedWith('The session could not be closed. Please try again.')(cause);
        showToast('error', 'The session is still open', { description, id: 'close-session' });
        return null;
      },
    );
  const ask = () => {
    if (answer === 'owed') setConfirming(true);
    else void close();
  };
  useActions([consoleAction('close', 'Close the session', 'c', ask)]);
  return (
    <>
      <Button
        onClick={ask}
        pending={pending && !isConfirming}
        aria-keyshortcuts="c"
        className="max-md:!px-2.5"
      >
        {pending && !isConfirming ? null : <Check size={14} aria-hidden="true" className="max-md:hidden" />}
        Close Session
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={`Close without an answer to ${username}?`}
        description="The trader wrote last and is still waiting. Their next message starts a new session."
        keep="Keep it open"
        onKeep={() => setConfirming(false)}
        confirm="Close session"
        onConfirm={() => void close()}
        pending={pending}
        error={null}
      />
    </>
  );
}
