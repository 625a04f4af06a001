/**
 * The contact page (PUB-09, CONT-01): the operator's contact details, where configured (`CONTACT_EMAIL`,
 * `CONTACT_PHONE`), and a form for all visitors.
 */
import Mail from 'lucide-react/icons/mail';
import MessageSquare from 'lucide-react/icons/message-square';
import Phone from 'lucide-react/icons/phone';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useServerConfig } from '../../shared/supabase/useServerConfig.ts';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { Article } from '../static/index.ts';
import { ContactForm } from './ContactForm.tsx';

interface CardProps {
  readonly title: string;
  readonly Icon: typeof Mail;
  readonly children: ReactNode;
}

function Card({ title, Icon, children }: CardProps) {
  return (
    <li className="panel flex flex-col gap-2 p-5">
      <Icon size={18} aria-hidden="true" className="text-accent" />
      <h2 className="!mt-0 !text-14">{title}</h2>
      <div className="text-13 leading-5 break-words">{children}</div>
    </li>
  );
}

const link = 'inline-block py-0.5 font-medium text-text underline underline-offset-2 max-md:py-3';

interface AddressProps {
  readonly address: string;
  readonly scheme: 'mailto' | 'tel';
}

function Address({ address, scheme }: AddressProps) {
  const href = scheme === 'tel' ? address.replace(/[^\d+]/g, '') : address;
  return (
    <a href={`${scheme}:${href}`} className={link}>
      {address}
    </a>
  );
}

export default function ContactPage() {
  const { known, retry } = useServerConfig();
  const config = known.status === 'ready' ? known.config : null;
  const waiting = <Skeleton className="h-3.5 w-40" />;
  return (
    <Article title="Contact">
      <p>
        There is no company behind this page. The person or team who runs this server looks after your account
        and answers your questions.
      </p>
      {known.status === 'failed' ? (
        <ErrorState title="The contact details could not be read" onRetry={retry} />
      ) : (
        <ul aria-label="Contact details" className="my-2 grid gap-4 md:grid-cols-3">
          {config?.contactEmail === null ? null : (
            <Card title="Email" Icon={Mail}>
              {config ? <Address address={config.contactEmail} scheme="mailto" /> : waiting}
            </Card>
          )}
          {config?.contactPhone === null ? null : (
            <Card title="Phone" Icon={Phone}>
              {config ? <Address address={config.contactPhone} scheme="tel" /> : waiting}
            </Card>
          )}
          <Card title="Support" Icon={MessageSquare}>
            <p>For those with an account, after logging in.</p>
            <Link to="/chat" className={link}>
              Go to Support
            </Link>
          </Card>
        </ul>
      )}
      <ContactForm />
    </Article>
  );
}
