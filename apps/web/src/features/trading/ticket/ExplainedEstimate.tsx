/** An estimate of the order form with an explanation, whose figures follow the price while its panel is open. */
import { Explained, ExplanationText } from '../../../shared/explained/Explained.tsx';
import type { Explanation } from '../../../shared/explained/explanation.ts';
import type { Ticket } from './useTicket.ts';
import { useTicketValue } from './useTicketValue.ts';

interface ExplainedEstimateProps {
  readonly name: string;
  readonly ticket: Ticket;
  /** Called again at each displayed price while the panel is open. */
  readonly explain: () => Explanation;
}

function Body({ name, ticket, explain }: ExplainedEstimateProps) {
  const figures = useTicketValue(ticket, () => explain().figures);
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
