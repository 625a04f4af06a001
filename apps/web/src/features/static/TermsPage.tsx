import { Article } from './Article.tsx';

export default function TermsPage() {
  return (
    <Article title="Terms of Service" updated="March 11, 2025">
      <h2>A simulation</h2>
      <p>
        Fulcrum is for practice. No order reaches a market, no balance is worth money, and no result here says
        what a real market would have done.
      </p>
      <h2>Your account</h2>
      <p>
        Keep your password to yourself and give each person an account of their own. Whoever runs this server
        may limit, correct or delete accounts.
      </p>
      <h2>No advice</h2>
      <p>Nothing shown here is a recommendation to buy or sell anything.</p>
      <h2>No warranty</h2>
      <p>The software is provided under the MIT licence, as it is, without warranty of any kind.</p>
    </Article>
  );
}
