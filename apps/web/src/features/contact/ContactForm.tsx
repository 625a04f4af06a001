/**
 * The contact form, and the panel that replaces it after the message was sent (CONT-02 to CONT-15). Input stays until
 * then, also after a failure.
 */
import { texts } from '@fulcrum/contract/texts';
import { type ContactFields, checkContact, contactLimits } from '@fulcrum/domain';
import CircleCheck from 'lucide-react/icons/circle-check';
import { type ChangeEvent, type HTMLInputTypeAttribute, useEffect, useRef, useState } from 'react';
import { focusField, useSubmission } from '../../shared/form/index.ts';
import { newClientId } from '../../shared/ids/index.ts';
import { log } from '../../shared/log/log.ts';
import { useSession } from '../../shared/session/index.ts';
import { Button, Field, FormError } from '../../shared/ui/index.ts';
import { CharacterCount } from './CharacterCount.tsx';
import { type Draft, getDraftFor, readDraft, storeDraft } from './draft.ts';
import { sendContactMessage } from './send-contact-message.ts';

type Name = keyof ContactFields;
const names = ['name', 'email', 'subject', 'message'] as const satisfies readonly Name[];
const labels: Readonly<Record<Name, string>> = {
  name: 'Name',
  email: 'Email',
  subject: 'Subject',
  message: 'Message',
};
interface ContactFieldProps {
  readonly name: Name;
  readonly value: string;
  readonly error: string | undefined;
  readonly onType: (name: Name, text: string) => void;
  readonly readOnly: boolean;
  readonly type?: HTMLInputTypeAttribute;
  readonly autoComplete?: string;
  readonly multiline?: boolean;
}

function ContactField({
  name,
  value,
  error,
  onType,
  readOnly,
  type = 'text',
  autoComplete = 'off',
  multiline = false,
}: ContactFieldProps) {
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onType(name, event.target.value);
  const inputStyles = 'control w-full scroll-mt-32 px-3.5 text-14 max-md:text-16 pointer-coarse:text-16';
  return (
    <Field
      label={labels[name]}
      error={error}
      action={<CharacterCount text={value} max={contactLimits[name]} />}
    >
      {(fieldProps) => {
        const inputProps = { ...fieldProps, name, value, onChange, autoComplete, readOnly, required: true };
        return multiline ? (
          <textarea
            {...inputProps}
            rows={7}
            className={`${inputStyles} block min-h-32 resize-y py-2.5 leading-6`}
          />
        ) : (
          <input {...inputProps} type={type} className={`${inputStyles} h-11`} />
        );
      }}
    </Field>
  );
}

function Sent({ onAnother }: { readonly onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-2 px-5 py-14 text-center">
      <CircleCheck size={32} aria-hidden="true" className="text-up" />
      <h2 ref={heading} tabIndex={-1} className="!mt-1 !text-18 outline-none">
        {texts.contactSent}
      </h2>
      <p>{texts.contactThanks}</p>
      <Button className="mt-4" onClick={onAnother}>
        {texts.contactAnother}
      </Button>
    </div>
  );
}

export function ContactForm() {
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user : null;
  const [storedDraft, setStoredDraft] = useState(readDraft);
  const draft = getDraftFor(storedDraft, user?.id ?? null);
  const [isSent, setSent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const trap = useRef<HTMLInputElement>(null);
  const hasRestarted = useRef<boolean>(false);

  const fields: ContactFields = {
    name: draft.name ?? user?.username ?? '',
    email: draft.email ?? user?.email ?? '',
    subject: draft.subject ?? '',
    message: draft.message ?? '',
  };
  const updateDraft = (next: Draft) => {
    setStoredDraft(next);
    storeDraft(next);
  };
  const onType = (name: Name, text: string) => updateDraft({ ...draft, [name]: text, clientId: null });

  useEffect(() => {
    if (isSent || !hasRestarted.current) return;
    hasRestarted.current = false;
    focusField(form.current, 'subject');
  }, [isSent]);

  const submission = useSubmission({
    names,
    check: () => ({ ...checkContact(fields) }),
    send: async () => {
      const clientId = draft.clientId ?? newClientId();
      updateDraft({ ...draft, ...fields, clientId });
      const refused = await sendContactMessage(
        { ...fields, client_id: clientId, website: trap.current?.value ?? '' },
        session,
      );
      if (refused) {
        log.warn('A message could not be sent', refused.cause);
        return refused.text;
      }
      updateDraft({ ...draft, subject: null, message: null, clientId: null });
      setSent(true);
      return null;
    },
    failed: (cause) => {
      log.error('Sending a message failed', cause);
      return texts.contactFailed;
    },
  });
  const { pending, errorOf } = submission;
  const another = () => {
    hasRestarted.current = true;
    setSent(false);
  };

  if (isSent) {
    return (
      <section aria-label="Send us a message" className="panel">
        <Sent onAnother={another} />
      </section>
    );
  }
  const entry = (name: Name) => ({
    name,
    value: fields[name],
    error: errorOf(name),
    onType,
    readOnly: pending,
  });
  return (
    <section aria-labelledby="contact-form" className="panel p-6 max-md:p-4">
      <h2 id="contact-form" className="!mt-0">
        Send us a message
      </h2>
      <p className="mt-1 text-13">All fields are required.</p>
      <form {...submission.form} ref={form} aria-busy={pending} className="mt-4 text-text">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="grid gap-4 md:grid-cols-2">
            <ContactField {...entry('name')} autoComplete="name" />
            <ContactField {...entry('email')} type="email" autoComplete="email" />
          </div>
          <ContactField {...entry('subject')} />
          <ContactField {...entry('message')} multiline />
        </div>
        {/* A honeypot for programs that fill in every field. */}
        <div aria-hidden="true" inert className="absolute size-px overflow-hidden opacity-0">
          <input ref={trap} name="website" type="text" tabIndex={-1} autoComplete="off" defaultValue="" />
        </div>
        <div className="mt-5 flex flex-wrap items-center gap-4">
          <Button
            type="submit"
            tone="primary"
            size="large"
            pending={pending}
            className="min-w-44 max-md:w-full"
          >
            Send Message
          </Button>
          <FormError>{submission.failure}</FormError>
        </div>
      </form>
    </section>
  );
}
