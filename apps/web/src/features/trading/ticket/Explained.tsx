/** The name of an estimate with a dashed underline: it opens the formula with today's figures put in. */
import { Popover, usePhone } from '../../../shared/ui/index.ts';
import type { Explanation } from './formulas.ts';
import { useShown } from './useShown.ts';
import type { Ticket } from './useTicket.ts';

interface ExplainedProps {
  readonly name: string;
  readonly ticket: Ticket;
  /** Taken anew at each price on screen while it is open. */
  readonly explain: () => Explanation;
}

/** On screen only while the panel is open. */
function Body({ name, ticket, explain }: ExplainedProps) {
  const figures = useShown(ticket, () => explain().figures);
  const { formula, note } = explain();
  return (
    <div className="flex flex-col gap-2">
      <p className="font-semibold">{name}</p>
      <p className="figures text-text-2">{formula}</p>
      <p className="figures min-h-5 font-medium">
        {figures ?? 'The figures follow once amount and price are there.'}
      </p>
      <p className="text-12 text-text-2">{note}</p>
    </div>
  );
}

export function Explained(props: ExplainedProps) {
  // Beside the order form there is the chart; on a phone there is nothing, so the panel stands above its line.
  const side = usePhone() ? 'top' : 'left';
  return (
    <Popover
      label={props.name}
      side={side}
      trigger={
        <button
          type="button"
          className="min-h-6 rounded-[4px] text-12 whitespace-nowrap text-text-2 hover:text-text max-md:relative max-md:min-h-8 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1.5"
        >
          <span className="border-b border-dashed border-line-control">{props.name}</span>
          <span className="sr-only"> (show the formula)</span>
        </button>
      }
    >
      <Body {...props} />
    </Popover>
  );
}
