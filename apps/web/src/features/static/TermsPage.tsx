/** The terms of service: static text with their stated date (PUB-07, A96). */
import { Link } from 'react-router';
import { Article } from './Article.tsx';
import { lastUpdated } from './last-updated.ts';

export default function TermsPage() {
  return (
    <Article title="Terms of Service" updated={lastUpdated}>
      <h2>A simulation</h2>
      <p>
        Fulcrum is for practice. No order reaches a market, no balance is worth money, nothing can be paid in
        or out, and no result here shows what a real market would have done.
      </p>
      <h2>Your account</h2>
      <p>
        Keep your password to yourself, and do not share your account. The operator of this server may limit,
        correct or delete accounts; every change is recorded.
      </p>
      <h2>Fair use</h2>
      <p>
        Scripts are welcome and count as you. The server limits the number of requests, so that it stays
        responsive for all users.
      </p>
      <h2>No advice</h2>
      <p>Nothing shown here is a recommendation to buy or sell anything.</p>
      <h2>No warranty</h2>
      <p>
        The software is provided under the MIT licence, as it is, without warranty of any kind. Prices may be
        simulated, late or wrong.
      </p>
      <h2>Questions</h2>
      <p>
        <Link to="/contact" className="text-text underline underline-offset-2">
          Contact
        </Link>{' '}
        lists how to reach the operator.
      </p>
    </Article>
  );
}
