/**
 * The assistant's panel: a question, and its answer from the account's facts and the help. A dialog, on a phone a sheet. Closing leaves
 * the conversation for the next opening; another account has one of its own.
 */
import { questionLengthMax } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type Ref, type RefObject, useRef, useState } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { Button, Dialog, Sheet, Skeleton, usePhone } from '../../shared/ui/index.ts';
import { Answer, Examples } from './Answer.tsx';
import { ModelText } from './ModelText.tsx';
import { type Exchange, useConversation } from './useConversation.ts';

interface PanelProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const title = 'Assistant';

interface ExchangeItemProps {
  readonly exchange: Exchange;
  readonly ref: Ref<HTMLLIElement> | null;
  readonly children: ReactNode;
}

function ExchangeItem({ exchange: { question, answer, failure }, ref, children }: ExchangeItemProps) {
  return (
    <li ref={ref} className="flex flex-col gap-2">
      <p className="ml-auto max-w-[85%] rounded-[12px] bg-accent-weak px-3 py-2 text-13 wrap-anywhere">
        {question}
      </p>
      {answer === null && failure === null ? <Skeleton className="h-20 w-full" /> : null}
      {failure === null ? null : (
        <p role="alert" className="text-13 text-down">
          {failure}
        </p>
      )}
      {children}
    </li>
  );
}

interface QuestionFormProps {
  readonly isReading: boolean;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onAsk: (question: string) => void;
}

function QuestionForm({ isReading, field, onAsk }: QuestionFormProps) {
  const [question, setQuestion] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReading || question.trim() === '') return;
    onAsk(question.trim());
    setQuestion('');
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 grow gap-2">
      <input
        ref={field}
        aria-label="Question"
        placeholder="Ask a question"
        value={question}
        maxLength={questionLengthMax}
        onChange={({ target }) => setQuestion(target.value)}
        autoComplete="off"
        enterKeyHint="send"
        className="control h-11 min-w-0 grow px-3.5 text-14 max-md:text-16 pointer-coarse:text-16"
      />
      <Button type="submit" tone="primary" size="large" pending={isReading}>
        Ask
      </Button>
    </form>
  );
}

function useTerms(open: boolean) {
  const { accountId, supabase } = useSignedIn();
  return useQuery({
    queryKey: ['assistant', accountId],
    queryFn: ({ signal }) => unwrap(supabase.rest.rpc('get_assistant').abortSignal(signal)),
    enabled: open,
  });
}

/** A ref of the last question: it is scrolled to when it is added, and when the list is shown again. */
const scrollTo = (item: HTMLLIElement | null): void => {
  item?.scrollIntoView({ block: 'start' });
};

function Panel({ open, onOpenChange }: PanelProps) {
  const { data: terms } = useTerms(open);
  const model = terms?.model ?? null;
  const { exchanges, isReading, ask } = useConversation(model !== null);
  const isPhone = usePhone();
  const field = useRef<HTMLInputElement | null>(null);
  const count = exchanges.length;
  const close = () => onOpenChange(false);
  const onAsk = (question: string) => void ask(question);

  const content = (
    <div className="flex flex-col gap-4">
      <p className="text-12 text-text-2">
        Answers come from your account and from the help. The assistant reads what you can read, and cannot
        trade.
        {model === null
          ? null
          : ` ${model.name} at ${model.host} adds a text. Your question is sent there with the facts and passages that answer it, and each sentence is checked against them. It writes up to ${model.answers_a_day} answers a day for you.`}
      </p>
      {count === 0 ? <Examples examples={terms?.examples ?? []} onAsk={onAsk} /> : null}
      <ol aria-label="Questions" aria-live="polite" className="flex flex-col gap-5 empty:hidden">
        {exchanges.map((exchange, index) => (
          <ExchangeItem key={exchange.id} exchange={exchange} ref={index === count - 1 ? scrollTo : null}>
            {exchange.answer === null ? null : (
              <>
                <ModelText exchange={exchange} />
                <Answer answer={exchange.answer} onLeave={close} onAsk={onAsk} />
              </>
            )}
          </ExchangeItem>
        ))}
      </ol>
    </div>
  );
  const form = <QuestionForm isReading={isReading} field={field} onAsk={onAsk} />;
  if (isPhone) {
    return (
      <Sheet open={open} onOpenChange={onOpenChange} title={title} foot={form}>
        {content}
      </Sheet>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      size="wide"
      outside="stays"
      initialFocus={field}
      actions={form}
    >
      {content}
    </Dialog>
  );
}

export default function AssistantPanel(props: PanelProps) {
  const { accountId } = useSignedIn();
  return <Panel key={accountId} {...props} />;
}
