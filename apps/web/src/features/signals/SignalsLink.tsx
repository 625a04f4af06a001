/** The way from Account Settings to the signals of the account. */
import { ButtonLink, Section } from '../../shared/ui/index.ts';

export function SignalsLink() {
  return (
    <Section title="Signals" lead="Alerts from outside that trade in this account.">
      <ButtonLink to="/signals">Open signals</ButtonLink>
    </Section>
  );
}
