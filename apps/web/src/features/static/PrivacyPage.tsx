/** The privacy policy: static text with its stated date (PUB-08, A96). */
import { Article } from './Article.tsx';
import { lastUpdated } from './last-updated.ts';

export default function PrivacyPage() {
  return (
    <Article title="Privacy Policy" updated={lastUpdated}>
      <h2>What is stored</h2>
      <p>
        Your email, username, phone number, a hash of your password, your sessions with the address and
        browser they came from, what you upload, what you write to support or through the contact form, and
        everything you trade. It is stored on this server, in its database, and nowhere else. Pictures of an
        identity check are stored without the place and device data of the camera.
      </p>
      <h2>Who can see it</h2>
      <p>
        You, the manager you are assigned to, and the support agents and administrators of this server, as far
        as their work needs it. Support can read your account while you have a conversation open. Only
        administrators see the pictures of an identity check, and each access is recorded. The server decides
        for every request what they may read or change, and records every change.
      </p>
      <h2>In your browser</h2>
      <p>
        What keeps you signed in, your settings (theme, colours, favourites, timeframe and the like), and
        drafts that you have not sent. There is no tracking.
      </p>
      <h2>Third parties</h2>
      <p>
        None, unless you choose one: the switch to TradingView has your browser load that company&rsquo;s
        chart or ticker from its servers, which then see your address. Switching back ends it.
      </p>
    </Article>
  );
}
