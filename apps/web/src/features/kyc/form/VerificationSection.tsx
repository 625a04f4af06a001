/**
 * The KYC Verification tab: how far the person is, in one banner.
 * Known limitation: documents cannot be submitted yet, and the tab says so; there is no form.
 */
import BadgeCheck from 'lucide-react/icons/badge-check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import IdCard from 'lucide-react/icons/id-card';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Profile } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { Section } from '../../accounts/profile/Section.tsx';

type Status = Profile['kycStatus'];

interface Standing {
  readonly title: string;
  readonly detail: (user: Pick<Profile, 'kycVerifiedAt'>) => string;
  readonly Icon: typeof IdCard;
  readonly colour: string;
}

const standings: Readonly<Record<Status, Standing>> = {
  unverified: {
    title: 'Not verified',
    detail: () => 'You can trade without verification.',
    Icon: IdCard,
    colour: 'text-text-2',
  },
  pending: {
    title: 'Verification pending',
    detail: () => 'Your documents are being reviewed.',
    Icon: Clock,
    colour: 'text-warn',
  },
  verified: {
    title: 'Verified',
    detail: ({ kycVerifiedAt }) =>
      kycVerifiedAt === null
        ? 'Your identity is verified.'
        : `Your identity was verified on ${formatDay(kycVerifiedAt)}.`,
    Icon: BadgeCheck,
    colour: 'text-up',
  },
  rejected: {
    title: 'Verification rejected',
    // KYC-03.
    detail: () => 'Please submit new documents',
    Icon: CircleAlert,
    colour: 'text-down',
  },
};

/** Whoever still has something to submit learns that it cannot be done here yet. */
const awaitsDocuments = (status: Status): boolean => status === 'unverified' || status === 'rejected';

export function VerificationSection() {
  const { user } = useSignedIn();
  const { title, detail, Icon, colour } = standings[user.kycStatus];
  return (
    <Section title="KYC Verification" lead="Who you are, checked by support from your documents.">
      <div className="flex items-start gap-3 rounded-control border border-line bg-inset px-4 py-3">
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" className={`mt-0.5 shrink-0 ${colour}`} />
        <div>
          <p className="text-14 font-medium">{title}</p>
          <p className="text-13 text-text-2">{detail(user)}</p>
        </div>
      </div>
      {awaitsDocuments(user.kycStatus) ? (
        <p className="mt-3 text-13 text-text-2">
          Documents cannot be submitted in this version yet. The form will stand here.
        </p>
      ) : null}
    </Section>
  );
}
