import { Article } from './Article.tsx';

export default function AboutPage() {
  return (
    <Article title="About Us">
      <p>
        Fulcrum is free software for practising leveraged trading. It covers five markets: crypto, stocks,
        forex, commodities and indices. Balances are counted in simulated USDT. They cannot be bought,
        withdrawn or exchanged, and no order ever reaches a market.
      </p>
      <h2>Where it runs</h2>
      <p>
        On its operator&rsquo;s own machine, with its own accounts and its own ledger. There is no company,
        and it reports to no other server.
      </p>
      <h2>Where prices come from</h2>
      <p>
        From public exchanges and quote services where the server can reach them, else from a simulation or a
        recorded day. Every screen shows the source, and also when a price is late or its market is closed.
      </p>
      <h2>What the rules are</h2>
      <p>
        Margin, profit, liquidation and every other figure are small functions that the server and these pages
        share, with the tests that hold them to their specification. Anyone may read them.
      </p>
    </Article>
  );
}
