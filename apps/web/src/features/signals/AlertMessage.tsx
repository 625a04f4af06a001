/** What to paste into an alert. */
import { alertMessages } from '@fulcrum/domain';
import { useState } from 'react';
import { CopyButton } from '../../shared/copy/CopyButton.tsx';
import { Section, Segmented } from '../../shared/ui/index.ts';

export const shapes = [
  { value: 'strategy', label: 'Strategy alert' },
  { value: 'common', label: 'Ticker and action' },
] as const;
export type Shape = (typeof shapes)[number]['value'];

const notes = {
  strategy:
    'Create an alert on a TradingView strategy, paste this as its message and the address as its webhook URL. The strategy’s position decides what is opened, made smaller or closed.',
  common:
    'For alerts on indicators and for other senders. Actions are buy, sell, exit and cancel. Add orderType, limitPrice, takeProfit, stopLoss or leverage where you need them.',
} as const satisfies Record<Shape, string>;

export function AlertMessageSection() {
  const [shape, setShape] = useState<Shape>('strategy');
  return (
    <Section title="Alert message" lead="JSON that is sent to an address when an alert fires.">
      <div className="flex flex-col gap-3">
        <Segmented label="Shape of the message" options={shapes} value={shape} onChange={setShape} />
        <p className="text-13 text-text-2">{notes[shape]}</p>
        <div className="flex items-start gap-2 rounded-control border border-line bg-inset py-1 pr-1.5 pl-3">
          <pre className="figures min-w-0 grow whitespace-pre-wrap wrap-anywhere py-2 text-12">
            {alertMessages[shape]}
          </pre>
          <CopyButton label="Message" text={alertMessages[shape]} />
        </div>
      </div>
    </Section>
  );
}
