import { ButtonLink, Upcoming } from '../../../shared/ui/index.ts';

export default function ChatPage() {
  const now = (
    <>
      <ButtonLink to="/trading" tone="primary">
        Open the trading screen
      </ButtonLink>
      <ButtonLink to="/wallet">See your wallet</ButtonLink>
    </>
  );
  return (
    <Upcoming title="Support" now={now}>
      A conversation with the support team of this server will be here. It is not built yet, and nobody can
      read a message before it is.
    </Upcoming>
  );
}
