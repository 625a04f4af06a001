/** An estimate of the order form that explains itself: the figures follow the price while the panel is open. */
import { Explained, ExplanationText } from '../../../shared/explained/Explained.tsx';
import type { Explanation } from '../../../shared/explained/explanation.ts';
import { useShown } from './useShown.ts';
import type { Ticket } from './useTicket.ts';

interface ExplainedEstimateProps {
  readonly name: string;
  readonly ticket: Ticket;
  /** Taken anew at each price on screen while it is open. */
  readonly explain: () => Explanation;
}

function Body({ name, ticket, explain }: ExplainedEstimateProps) {
  const figures = useShown(ticket, () => explain().figures);
  return (
    <ExplanationText
      name={name}
      explanation={{ ...explain(), figures }}
      missing="The figures follow once amount and price are there."
    />
  );
}

export function ExplainedEstimate(props: ExplainedEstimateProps) {
  return (
    <Explained name={props.name}>
      <Body {...props} />
    </Explained>
  );
}
