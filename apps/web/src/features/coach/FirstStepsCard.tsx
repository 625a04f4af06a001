/** Four lines that tick themselves off by what really happens; dismissible, and gone for good after that. */
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';
import { IconButton, usePhone } from '../../shared/ui/index.ts';

export type FirstStep = 'leverage' | 'amount' | 'position' | 'stop';

const texts: Readonly<Record<FirstStep, { readonly title: string; readonly why: string }>> = {
  leverage: { title: 'Pick a leverage, such as 10×', why: 'It shows the move that would end the position.' },
  amount: { title: 'Enter an amount, such as 10%', why: 'The form states margin and fee before you press.' },
  position: { title: 'Press Buy/Long', why: 'It opens at the next price. Nothing here is real money.' },
  stop: { title: 'Drag SL out of the pill', why: 'It bounds what you can lose. On a phone: TP / SL.' },
};

const lastText = 'That is a trade with a bounded loss. What happens at 125×? Move the leverage and see.';

interface FirstStepsCardProps {
  readonly steps: readonly FirstStep[];
  readonly done: readonly FirstStep[];
  readonly onDismiss: () => void;
}

export default function FirstStepsCard({ steps, done, onDismiss }: FirstStepsCardProps) {
  const isPhone = usePhone();
  const isWhole = done.length === steps.length;
  const next = steps.find((step) => !done.includes(step));
  return (
    <section
      aria-label="First steps"
      className="flex items-start gap-2 border-b border-line px-4 py-2.5 max-md:mb-3 max-md:rounded-panel max-md:border"
    >
      <ol className="grid min-w-0 grow grid-cols-4 gap-4 max-xl:grid-cols-2 max-xl:gap-y-1.5 max-md:grid-cols-1">
        {steps.map((step, index) => {
          const isDone = done.includes(step);
          const { title, why } = texts[step];
          return (
            <li key={step} className="flex min-w-0 gap-2" aria-current={step === next ? 'step' : undefined}>
              <span
                aria-hidden="true"
                className={`grid size-5 shrink-0 place-items-center rounded-full text-11 font-semibold ${
                  isDone
                    ? 'bg-up-weak text-up'
                    : step === next
                      ? 'bg-accent text-on-fill'
                      : 'bg-line text-text-2'
                }`}
              >
                {isDone ? <Check size={12} strokeWidth={3} /> : index + 1}
              </span>
              <span className="min-w-0">
                <span className={`block text-13 leading-5 font-medium ${isDone ? 'text-text-3' : ''}`}>
                  {title}
                  {isDone ? <span className="sr-only">, done</span> : null}
                </span>
                {isPhone && step !== next ? null : <span className="block text-12 text-text-3">{why}</span>}
              </span>
            </li>
          );
        })}
        {isWhole ? (
          <li className="col-span-full text-12 text-text-2" role="status">
            {lastText}
          </li>
        ) : null}
      </ol>
      <IconButton label="Dismiss the first steps" onClick={onDismiss}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </section>
  );
}
