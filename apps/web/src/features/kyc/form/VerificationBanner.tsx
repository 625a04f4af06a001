/** The verification status in one banner; after a rejection with the reasons per document (A56, A63). */
import { texts } from '@fulcrum/contract/texts';
import type { KycPicture } from '@fulcrum/domain';
import BadgeCheck from 'lucide-react/icons/badge-check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Clock from 'lucide-react/icons/clock';
import IdCard from 'lucide-react/icons/id-card';
import { Link } from 'react-router';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { Profile } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { pictureLabels } from './picture-labels.ts';
import type { Attempt, Reason, VerificationStatus } from './verification.ts';

interface Known {
  readonly user: Pick<Profile, 'kycVerifiedAt'>;
  readonly latest: Attempt | null;
}
interface BannerStyle {
  readonly title: string;
  readonly detail: (known: Known) => string;
  readonly Icon: typeof IdCard;
  readonly colour: string;
}

const bannerStyles: Readonly<Record<VerificationStatus, BannerStyle>> = {
  unverified: {
    title: 'Not verified',
    detail: () => 'You can trade without verification.',
    Icon: IdCard,
    colour: 'text-text-2',
  },
  pending: {
    title: 'Verification pending',
    detail: ({ latest }) =>
      latest === null
        ? 'Your documents are being reviewed.'
        : `Your documents are being reviewed. Submitted on ${formatDay(latest.submittedAt)}.`,
    Icon: Clock,
    colour: 'text-warn',
  },
  verified: {
    title: 'Verified',
    detail: ({ user: { kycVerifiedAt } }) =>
      kycVerifiedAt === null
        ? 'Your identity is verified.'
        : `Your identity was verified on ${formatDay(kycVerifiedAt)}.`,
    Icon: BadgeCheck,
    colour: 'text-up',
  },
  rejected: {
    title: 'Verification rejected',
    // A rejected user is asked for new documents (KYC-03).
    detail: () => texts.kycSubmitNew,
    Icon: CircleAlert,
    colour: 'text-down',
  },
  declined: {
    title: 'Verification declined',
    detail: () => texts.kycDeclined,
    Icon: CircleAlert,
    colour: 'text-down',
  },
};

const subjectOf = (document: KycPicture | null): string =>
  document === null ? 'Your submission' : pictureLabels[document];

function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <ul aria-label="What was wrong" className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2.5">
      {reasons.map(({ document, text }) => (
        <li key={`${document} ${text}`} className="text-13">
          <span className="font-medium">{subjectOf(document)}:</span>{' '}
          <span className="text-text-2">{text}</span>
        </li>
      ))}
    </ul>
  );
}

interface VerificationBannerProps extends Pick<Known, 'latest'> {
  readonly verificationStatus: VerificationStatus;
}

export function VerificationBanner({ verificationStatus, latest }: VerificationBannerProps) {
  const { user } = useSignedIn();
  const { title, detail, Icon, colour } = bannerStyles[verificationStatus];
  const isRefused = verificationStatus === 'rejected' || verificationStatus === 'declined';
  return (
    <div
      role="status"
      className="flex items-start gap-3 rounded-control border border-line bg-inset px-4 py-3"
    >
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" className={`mt-0.5 shrink-0 ${colour}`} />
      <div className="min-w-0 grow">
        <p className="text-14 font-medium">{title}</p>
        <p className="text-13 text-text-2">{detail({ user, latest })}</p>
        {isRefused && latest !== null && latest.reasons.length > 0 ? (
          <Reasons reasons={latest.reasons} />
        ) : null}
        {verificationStatus === 'declined' ? (
          <Link
            to="/chat"
            className="mt-1 inline-flex min-h-6 items-center text-13 font-medium underline max-md:min-h-11"
          >
            Contact support
          </Link>
        ) : null}
      </div>
    </div>
  );
}
