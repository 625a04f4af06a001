/** What an empty conversation shows: answers that need no agent, and the invitation to write. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useSignedIn } from '../../../shared/session/index.ts';

/** Facts of the platform; a text names controls by their labels. */
const questionsWith = (allowReset: boolean) => [
  {
    question: 'Is this real money?',
    answer: 'No. Fulcrum simulates trading: no order reaches a market, and no balance is worth money.',
  },
  {
    question: 'Why was my position liquidated?',
    answer:
      'The price reached the position’s liquidation price: 95 % of the margin was used up. In Position History, press “Liquidated” to see the path of the price, and where a stop loss would have ended the position.',
  },
  {
    question: 'How do I limit a loss?',
    answer:
      'Switch on “Take Profit / Stop Loss” in the order form, or press TP or SL in the row of an open position. A stop loss closes the position by itself when the price reaches it.',
  },
  {
    question: 'Why can I not place an order?',
    answer:
      'The line beneath Buy/Long and Sell/Short names the reason: no amount yet, too little balance, a closed market or a price that is too old.',
  },
  {
    question: 'How do I start over with a new balance?',
    answer: allowReset
      ? 'In Wallet, choose “Reset account”. It closes your positions, cancels your orders and restores the start balance. Your history stays.'
      : 'Write to us below: staff fund accounts here.',
  },
];

export function CommonQuestions() {
  const { supabase } = useSignedIn();
  return (
    <div className="mx-auto mb-auto w-full max-w-prose py-6">
      <p className="text-14 font-medium">How can we help?</p>
      <p className="mt-1 text-13 text-text-2">
        Write your question below. It stays here, and the answer too, whenever you come back.
      </p>
      <ul aria-label="Common questions" className="panel mt-4 divide-y divide-line">
        {questionsWith(supabase.config.allowReset).map(({ question, answer }) => (
          <li key={question}>
            <details className="group">
              <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 text-13 font-medium [&::-webkit-details-marker]:hidden">
                <ChevronRight
                  size={14}
                  aria-hidden="true"
                  className="shrink-0 text-text-3 transition-transform group-open:rotate-90"
                />
                {question}
              </summary>
              <p className="px-4 pb-3 pl-[38px] text-13 text-text-2">{answer}</p>
            </details>
          </li>
        ))}
      </ul>
    </div>
  );
}
