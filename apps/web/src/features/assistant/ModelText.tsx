/** What the language model wrote of an answer, sentence by sentence, and what was sent to it, to the letter. */
import type { Exchange } from './useConversation.ts';

const endings = {
  complete: null,
  no_model: null,
  ungrounded: 'The model stated what the facts do not, so its text ends here. The facts are below.',
  failed: 'The model did not finish. The facts are below.',
  too_long: 'The text was cut here.',
} as const;

export function ModelText({ exchange: { sent, refusal, sentences, end } }: { readonly exchange: Exchange }) {
  if (refusal !== null) return <p className="text-12 text-text-2">{refusal}</p>;
  if (sent === null) return null;
  const ending = end === null ? null : endings[end];
  return (
    <div className="flex flex-col gap-2">
      {sentences.some((text) => text !== null) || end === null ? (
        <section aria-label="Text of the model" className="text-14 wrap-anywhere">
          {sentences.map((text, index) =>
            text === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no identity but their index
              <span key={index} title="This sentence stated what the facts do not." className="text-text-3">
                [left out]{' '}
              </span>
            ) : (
              `${text} `
            ),
          )}
          {end === null ? <span className="text-text-3">…</span> : null}
        </section>
      ) : null}
      {ending === null ? null : <p className="text-12 text-text-2">{ending}</p>}
      <details className="text-12">
        <summary className="cursor-pointer text-text-2 max-md:py-3">{`Sent to ${sent.model} at ${sent.host}`}</summary>
        <pre className="mt-1 max-h-60 overflow-auto rounded-control bg-inset p-2 text-12 whitespace-pre-wrap wrap-anywhere">
          {sent.text}
        </pre>
      </details>
    </div>
  );
}
