import { Article } from './Article.tsx';

export default function ContactPage() {
  return (
    <Article title="Contact">
      <p>
        Fulcrum has no company behind this page: the person or team who runs this server is the one to ask
        about your account. A contact form that reaches them is planned and not built yet.
      </p>
      <p>
        If you run it yourself, the project&rsquo;s repository is the place for questions and bug reports.
      </p>
    </Article>
  );
}
