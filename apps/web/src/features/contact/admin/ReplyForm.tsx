/**
 * An answer by mail. Its text is stored in this tab until it was sent. The attempt's id belongs to exactly this text,
 * so a repeat after a lost answer is not sent twice.
 */
import { checkReply, contactLimits } from '@fulcrum/domain';
import Send from 'lucide-react/icons/send';
import { useState } from 'react';
import { createDrafts } from '../../../shared/drafts/index.ts';
import { useSubmission } from '../../../shared/form/index.ts';
import { newClientId } from '../../../shared/ids/index.ts';
import { Button, Field } from '../../../shared/ui/index.ts';
import { CharacterCount } from '../CharacterCount.tsx';
import type { Reply } from './contact-forms.ts';

/** By the message's id. */
const drafts = createDrafts<Reply>();

interface ReplyFormProps {
  readonly formId: string;
  readonly to: string;
  readonly pending: boolean;
  /** Resolves with whether it was sent. */
  readonly onSend: (reply: Reply) => Promise<boolean>;
}

export function ReplyForm({ formId, to, pending, onSend }: ReplyFormProps) {
  const [draft, setDraft] = useState<Reply>(
    () => drafts.get(formId) ?? { text: '', clientId: newClientId() },
  );
  const type = (text: string) => {
    const next = { text, clientId: newClientId() };
    setDraft(next);
    drafts.set(formId, next);
  };
  const { form, errorOf } = useSubmission({
    names: ['reply'],
    check: () => ({ reply: checkReply(draft.text) }),
    send: async () => {
      if (await onSend(draft)) drafts.delete(formId);
    },
  });
  return (
    <form {...form} className="flex flex-col gap-3">
      <Field
        label="Reply by email"
        error={errorOf('reply')}
        hint={`Goes to ${to}, with the message quoted below it.`}
        action={<CharacterCount text={draft.text} max={contactLimits.reply} />}
      >
        {(fieldProps) => (
          <textarea
            {...fieldProps}
            name="reply"
            rows={5}
            required
            readOnly={pending}
            value={draft.text}
            onChange={(event) => type(event.target.value)}
            className="control block min-h-24 w-full resize-y px-3 py-2 text-13 leading-5 max-md:text-16 pointer-coarse:text-16"
          />
        )}
      </Field>
      <Button type="submit" tone="primary" pending={pending} className="self-start">
        {pending ? null : <Send size={14} aria-hidden="true" />}
        Send reply
      </Button>
    </form>
  );
}
