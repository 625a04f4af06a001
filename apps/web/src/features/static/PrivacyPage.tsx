import { Article } from './Article.tsx';

export default function PrivacyPage() {
  return (
    <Article title="Privacy Policy" updated="March 11, 2025">
      <h2>What is stored</h2>
      <p>
        Your email, username, phone number, a hash of your password, your sessions with the address and
        browser they came from, and everything you trade. It is stored on this server, in its database, and
        nowhere else.
      </p>
      <h2>Who can see it</h2>
      <p>
        You; the manager you are assigned to; the administrators of this server. What they may read or change
        is decided by the server for every request, and what they change is recorded.
      </p>
      <h2>In your browser</h2>
      <p>
        A cookie that keeps you signed in and cannot be read by scripts, and your choice of theme. There is no
        tracking and no third party.
      </p>
    </Article>
  );
}
