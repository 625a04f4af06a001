/**
 * One message with the actions of its status (A79): a new one can be marked as read or archived, a read one answered;
 * the others are done. Opening it changes nothing.
 */
import { texts } from '@fulcrum/contract/texts';
import { mayBecome, replySubject } from '@fulcrum/domain';
import Archive from 'lucide-react/icons/archive';
import ExternalLink from 'lucide-react/icons/external-link';
import MailOpen from 'lucide-react/icons/mail-open';
import Reply from 'lucide-react/icons/reply';
import UserRound from 'lucide-react/icons/user-round';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useRef } from 'react';
import { LinkedText } from '../../../shared/linked-text/index.ts';
import { useServerConfig } from '../../../shared/supabase/useServerConfig.ts';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Button, buttonStyles, FormError, IconBadge, IconButton } from '../../../shared/ui/index.ts';
import { type ContactForm, toMailtoUrl } from './contact-forms.ts';
import { ReplyForm } from './ReplyForm.tsx';
import { statusStyles } from './status-styles.ts';
import { useContactActions } from './useContactActions.ts';

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[80px_minmax(0,1fr)] gap-3">
      <dt className="text-text-3">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The account with this email, whose owner need not be the author. */
function Account({ form: { user } }: { readonly form: ContactForm }) {
  if (user === null) return <>No account has this email</>;
  return (
    <>
      <span className="inline-flex items-center gap-1.5 font-medium">
        <UserRound size={14} aria-hidden="true" className="text-text-3" />
        {user.username}
      </span>
      <span className="mt-0.5 block text-12 text-text-2">
        This account has the same email. Its owner may not have written this message.
      </span>
    </>
  );
}

function SentReply({ form }: { readonly form: ContactForm }) {
  if (form.status !== 'replied') return null;
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <p className="text-12 text-text-2">
        {form.reply === null ? 'Marked as replied ' : 'Replied by email '}
        <DateTime iso={form.replied_at} />
      </p>
      {form.reply === null ? null : (
        <div className="rounded-control bg-inset px-3 py-2 text-13 leading-5">
          <LinkedText text={form.reply} />
        </div>
      )}
    </div>
  );
}

const moves = [
  ['read', MailOpen, 'Mark as read'],
  ['replied', Reply, 'Mark as replied'],
  ['archived', Archive, 'Archive'],
] as const;

function FormActions({ form }: { readonly form: ContactForm }) {
  const { known } = useServerConfig();
  const { pending, failure, move, reply } = useContactActions(form);
  const isDone = form.status === 'replied' || form.status === 'archived';
  if (isDone) return <FormError>{failure}</FormError>;
  const mailsItself = known.status === 'ready' && known.config.mail === 'smtp';
  const isOwnProgram = known.status === 'ready' && known.config.mail === 'outbox';
  return (
    <div className="flex flex-col gap-4 border-t border-line p-4">
      {mailsItself ? (
        <ReplyForm
          key={form.id}
          formId={form.id}
          to={form.email}
          pending={pending === 'reply'}
          onSend={reply}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isOwnProgram ? (
          <a
            href={toMailtoUrl(form, replySubject(form.subject))}
            className={buttonStyles({ tone: 'primary' })}
          >
            <ExternalLink size={14} aria-hidden="true" />
            Open in your mail program
          </a>
        ) : null}
        {moves.map(([status, Icon, label]) =>
          mayBecome(form.status, status) ? (
            <Button
              key={status}
              onClick={() => move(status)}
              pending={pending === status}
              // Its row may arrive before the answer, and show the next move while this one runs.
              muted={pending !== null && pending !== status}
            >
              {pending === status ? null : <Icon size={14} aria-hidden="true" />}
              {label}
            </Button>
          ) : null,
        )}
      </div>
      {isOwnProgram ? <p className="text-12 text-text-2">{texts.contactNoMail}</p> : null}
      <FormError>{failure}</FormError>
    </div>
  );
}

export function FormDetail({ form, onClose }: { readonly form: ContactForm; readonly onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message takes the focus, a changed one does not
  useEffect(() => heading.current?.focus(), [form.id]);
  // The button that was pressed may be gone with the status that offered it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a change of the status
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) heading.current?.focus();
  }, [form.status]);
  return (
    <article aria-labelledby="contact-form-subject" className="flex flex-col">
      <div className="flex items-start gap-3 border-b border-line px-4 py-3">
        <h2
          ref={heading}
          id="contact-form-subject"
          tabIndex={-1}
          className="min-w-0 grow scroll-mt-32 py-0.5 text-14 font-semibold wrap-anywhere outline-none"
        >
          {form.subject}
        </h2>
        <span role="status" className="mt-1 shrink-0">
          <IconBadge variant={statusStyles[form.status]} />
        </span>
        <IconButton label="Close message" onClick={onClose} className="-my-1 -mr-1.5">
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <dl className="flex flex-col gap-1.5 px-4 py-3 text-13">
        <Line label="From">{form.name}</Line>
        <Line label="Email">{form.email}</Line>
        <Line label="Account">
          <Account form={form} />
        </Line>
        <Line label="Received">
          <DateTime iso={form.created_at} />
        </Line>
      </dl>
      <div className="border-t border-line px-4 py-3.5 text-14 leading-6">
        <LinkedText text={form.message} />
      </div>
      <SentReply form={form} />
      <FormActions form={form} />
    </article>
  );
}
