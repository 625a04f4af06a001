/** A body and what it would do now. Nothing is traded. */
import { signalBodyMax, signalExamples } from '@fulcrum/domain';
import { useRef, useState } from 'react';
import { failedWith, useSubmission } from '../../shared/form/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Badge, Button, Field, FormError, Section } from '../../shared/ui/index.ts';
import { type Shape, shapes } from './AlertMessage.tsx';
import { previewSignal, type SignalPreview } from './queries.ts';

const plural = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** What happens besides the order. */
function toEffects({ closes, cancels }: SignalPreview): readonly string[] {
  return [
    ...(closes.length > 0 ? [`Closes ${plural(closes.length, 'position')}`] : []),
    ...(cancels.length > 0 ? [`Cancels ${plural(cancels.length, 'order')}`] : []),
  ];
}

function Result({ preview }: { readonly preview: SignalPreview }) {
  const isReady = preview.status === 'ready';
  return (
    <div className="flex flex-col gap-1.5 rounded-control border border-line bg-inset px-3.5 py-3 text-13">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={isReady ? 'up' : 'down'}>{isReady ? 'Would be executed' : 'Would be refused'}</Badge>
        <span className="font-medium">{preview.summary}</span>
      </p>
      {preview.message === null ? null : <p className="text-text-2">{preview.message}</p>}
      {toEffects(preview).map((effect) => (
        <p key={effect} className="text-text-2">
          {effect}
        </p>
      ))}
      <p className="text-12 text-text-3">Nothing was traded.</p>
    </div>
  );
}

export function DryRunSection() {
  const signedIn = useSignedIn();
  const [preview, setPreview] = useState<SignalPreview | null>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const submission = useSubmission({
    names: ['body'],
    check: ({ body: text }) => ({
      body: text.trim() === '' ? 'Paste the message of an alert, or choose an example.' : null,
    }),
    send: async ({ body: text }) => {
      setPreview(null);
      const answer = await previewSignal(signedIn, text);
      if (answer.status === 'unreadable')
        return { text: answer.message ?? 'This message cannot be read.', at: 'body' };
      setPreview(answer);
      return null;
    },
    failed: failedWith('The dry run failed'),
  });
  const show = (shape: Shape) => {
    if (body.current) body.current.value = signalExamples[shape];
    setPreview(null);
    submission.form.onReset();
  };
  return (
    <Section title="Dry run" lead="What a message would do in this account now. It trades nothing.">
      <form {...submission.form} aria-label="Dry run" className="flex flex-col gap-3">
        <Field label="Message" error={submission.errorOf('body')}>
          {(tied) => (
            <textarea
              {...tied}
              ref={body}
              name="body"
              rows={9}
              maxLength={signalBodyMax}
              defaultValue={signalExamples.strategy}
              spellCheck={false}
              autoComplete="off"
              className="control figures w-full resize-y px-3.5 py-2.5 text-12 max-md:text-16 pointer-coarse:text-16"
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" tone="primary" pending={submission.pending}>
            Try it
          </Button>
          <span className="text-12 text-text-3">Examples:</span>
          {shapes.map(({ value, label }) => (
            <Button key={value} tone="quiet" onClick={() => show(value)}>
              {label}
            </Button>
          ))}
        </div>
        <FormError>{submission.failure}</FormError>
        <div role="status" className="empty:hidden">
          {preview === null ? null : <Result preview={preview} />}
        </div>
      </form>
    </Section>
  );
}
