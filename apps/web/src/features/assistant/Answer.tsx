/** One answer: facts with the page that has them, passages of the help, or an order for the form. */
import type { AssistantAnswer } from '@fulcrum/contract';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { Link, useNavigate } from 'react-router';
import { FigureLine, FigureLines } from '../../shared/figure-lines/FigureLines.tsx';
import { handOverOrderDraft } from '../../shared/order-draft/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button } from '../../shared/ui/index.ts';
import { ReviewButton } from '../coach/index.ts';

type Section = AssistantAnswer['sections'][number];
type Order = NonNullable<AssistantAnswer['order']>;

interface Leaving {
  /** Closes the panel, for the page below it. */
  readonly onLeave: () => void;
}

const linkStyles =
  'inline-flex min-h-6 items-center gap-1 text-12 font-medium text-accent hover:underline max-md:min-h-11';

function PageLink({ path, label, onLeave }: Leaving & { readonly path: string; readonly label: string }) {
  return (
    <Link to={path} onClick={onLeave} aria-label={`${label}: open the page`} className={linkStyles}>
      Open
      <ArrowUpRight size={13} aria-hidden="true" />
    </Link>
  );
}

function Facts({ section: { title, path, facts, note }, onLeave }: Leaving & { readonly section: Section }) {
  return (
    <section aria-label={title} className="rounded-control border border-line p-3">
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <h4 className="text-13 font-semibold">{title}</h4>
        <PageLink path={path} label={title} onLeave={onLeave} />
      </div>
      <FigureLines>
        {facts.map(({ label, value, trade }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two trades may have one label
          <FigureLine key={index} label={label}>
            <span className="figures">{value}</span>
            {trade === null ? null : (
              <ReviewButton of={trade} className="ml-2 text-12 text-accent hover:underline max-md:min-h-11">
                Review
              </ReviewButton>
            )}
          </FigureLine>
        ))}
      </FigureLines>
      {note === null ? null : <p className="mt-2 text-12 text-text-2">{note}</p>}
    </section>
  );
}

function OrderOffer({ order, onLeave }: Leaving & { readonly order: Order }) {
  const { accountId } = useSignedIn();
  const navigate = useNavigate();
  const { symbol, side, amount, leverage, stop_loss: stopLoss, take_profit: takeProfit } = order;
  const fill = () => {
    handOverOrderDraft(accountId, { symbol, side, amount: amount ?? '', leverage, stopLoss, takeProfit });
    onLeave();
    void navigate(`/trading?symbol=${encodeURIComponent(symbol)}`);
  };
  return (
    <section aria-label="Order" className="rounded-control border border-line p-3">
      <FigureLines>
        <FigureLine label="Symbol">{symbol}</FigureLine>
        <FigureLine label="Side">{side === 'BUY' ? 'Buy/Long' : 'Sell/Short'}</FigureLine>
        <FigureLine label="Amount">{amount ?? 'not stated'}</FigureLine>
        <FigureLine label="Leverage">{leverage === null ? 'as in the form' : `${leverage}×`}</FigureLine>
        {stopLoss === null ? null : <FigureLine label="Stop loss">{stopLoss}</FigureLine>}
        {takeProfit === null ? null : <FigureLine label="Take profit">{takeProfit}</FigureLine>}
      </FigureLines>
      <Button tone="primary" className="mt-3 w-full" onClick={fill}>
        Fill the order form
      </Button>
    </section>
  );
}

interface AnswerProps extends Leaving {
  readonly answer: AssistantAnswer;
  readonly onAsk: (question: string) => void;
}

export function Answer({ answer, onLeave, onAsk }: AnswerProps) {
  const { text, sections, passages, order, examples } = answer;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13">{text}</p>
      {order === null ? null : <OrderOffer order={order} onLeave={onLeave} />}
      {sections.map((section, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several positions of a symbol have one title
        <Facts key={index} section={section} onLeave={onLeave} />
      ))}
      {passages.map(({ id, title, text: body, path }) => (
        <section key={id} aria-label={title} className="rounded-control bg-inset p-3">
          <div className="flex items-baseline justify-between gap-3">
            <h4 className="text-13 font-semibold">{title}</h4>
            {path === null ? null : <PageLink path={path} label={title} onLeave={onLeave} />}
          </div>
          <p className="mt-1 text-13 text-text-2">{body}</p>
        </section>
      ))}
      <Examples examples={examples} onAsk={onAsk} />
    </div>
  );
}

export function Examples({
  examples,
  onAsk,
}: {
  readonly examples: readonly string[];
  readonly onAsk: (question: string) => void;
}) {
  if (examples.length === 0) return null;
  return (
    <ul aria-label="Examples" className="flex flex-wrap gap-2">
      {examples.map((example) => (
        <li key={example}>
          <Button size="compact" onClick={() => onAsk(example)}>
            {example}
          </Button>
        </li>
      ))}
    </ul>
  );
}
