/** PUB-08, A96. */
import { Article } from './Article.tsx';
import { lastUpdated } from './last-updated.ts';

export default function PrivacyPage() {
  return (
    <Article title="Privacy Policy" updated={lastUpdated}>
      <h2>What is stored</h2>
      <p>
        Your email, username, phone number, a hash of your password, your sessions with the address and
        browser they came from, what you upload, and everything you trade. It is stored on this server, in its
        database and files, and nowhere else.
      </p>
      <h2>Who can see it</h2>
      <p>
        You; the manager you are assigned to; the people in support and the administrators of this server, as
        far as their work needs it. What they may read or change is decided by the server for every request,
        and what they change is recorded.
      </p>
      <h2>In your browser</h2>
      <p>
        What keeps you signed in, and how you like the screen: theme, colours, favourites, timeframe and the
        like. There is no tracking.
      </p>
      <h2>Third parties</h2>
      <p>
        None, unless you ask for one: the switch to TradingView has your browser load that company&rsquo;s
        chart or ticker from its servers, which then see your address. Switching back ends it.
      </p>
    </Article>
  );
}
