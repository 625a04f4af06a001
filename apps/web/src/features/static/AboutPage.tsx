import { Article } from './Article.tsx';

export default function AboutPage() {
  return (
    <Article title="About Us">
      <p>
        Fulcrum is free software for practising leveraged trading. It runs on the machine of whoever installed
        it, keeps its own books, and never sends an order to a market.
      </p>
      <p>
        Prices come from a simulation or from a recorded day, and the screen says which. Balances are counted
        in simulated USDT. They cannot be bought, withdrawn or exchanged.
      </p>
      <p>
        The rules are public: margin, profit, liquidation and every other figure are small functions that the
        server and this page share, with the tests that hold them to their specification.
      </p>
    </Article>
  );
}
