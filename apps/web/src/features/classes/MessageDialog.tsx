/** A message of a tutor or an admin to all members of a class. */
import { classMessageMax } from '@fulcrum/domain';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { Field, showToast, TextField } from '../../shared/ui/index.ts';
import type { Class } from './queries.ts';

export function MessageDialog({ shown, onClose }: { readonly shown: Class; readonly onClose: () => void }) {
  const { rest } = useSupabase();
  const clientIdFor = useRepeatableClientId();
  const submission = useSubmission({
    names: ['subject', 'text'],
    check: ({ subject, text }) => ({
      subject: subject.trim() === '' ? 'Type a subject.' : null,
      text: text.trim() === '' ? 'Type a text.' : null,
    }),
    send: async ({ subject, text }) => {
      const message = { p_class_id: shown.id, p_subject: subject, p_text: text };
      const p_client_id = clientIdFor(JSON.stringify(message));
      const { recipients, mailed } = await unwrap(rest.rpc('message_class', { ...message, p_client_id }));
      return () => {
        const members = recipients === 1 ? '1 member' : `${recipients} members`;
        showToast(
          'success',
          mailed === 0 ? `Sent to ${members}` : `Sent to ${members}, to ${mailed} by mail too`,
        );
        onClose();
      };
    },
    failed: failedWith('Failed to send the message'),
  });
  return (
    <FormDialog
      title={`Message to ${shown.name}`}
      description="Each member gets a notification, and a mail too where they chose that."
      submission={submission}
      submit="Send message"
      onClose={onClose}
    >
      <TextField {...submission.fieldOf('subject')} label="Subject" maxLength={classMessageMax.subject} />
      <Field label="Text" error={submission.errorOf('text')}>
        {(tied) => (
          <textarea
            {...tied}
            name="text"
            rows={6}
            maxLength={classMessageMax.text}
            className="control w-full resize-y px-3.5 py-2.5 text-14 max-md:text-16 pointer-coarse:text-16"
          />
        )}
      </Field>
    </FormDialog>
  );
}
