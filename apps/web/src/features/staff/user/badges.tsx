/** What a person is, in one word each: role, identity check, restriction. */
import type { UserRole } from '@fulcrum/contract';
import Ban from 'lucide-react/icons/ban';
import Briefcase from 'lucide-react/icons/briefcase';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Headset from 'lucide-react/icons/headset';
import Minus from 'lucide-react/icons/minus';
import ShieldCheck from 'lucide-react/icons/shield-check';
import User from 'lucide-react/icons/user';
import X from 'lucide-react/icons/x';
import { Badge, type BadgeTone } from '../../../shared/ui/index.ts';
import { roleWords } from '../people/index.ts';
import type { KycStatusOfUser } from './person.ts';

interface Look {
  readonly word: string;
  readonly tone: BadgeTone;
  readonly Icon: typeof Check;
}

const roles = {
  trader: { word: roleWords.trader, tone: 'neutral', Icon: User },
  manager: { word: roleWords.manager, tone: 'neutral', Icon: Briefcase },
  support: { word: roleWords.support, tone: 'neutral', Icon: Headset },
  admin: { word: roleWords.admin, tone: 'accent', Icon: ShieldCheck },
} as const satisfies Record<UserRole, Look>;

const checks = {
  unverified: { word: 'KYC not submitted', tone: 'neutral', Icon: Minus },
  pending: { word: 'KYC pending', tone: 'warn', Icon: Clock },
  verified: { word: 'KYC verified', tone: 'up', Icon: Check },
  rejected: { word: 'KYC rejected', tone: 'down', Icon: X },
} as const satisfies Record<KycStatusOfUser, Look>;

const restricted = { word: 'Restricted', tone: 'down', Icon: Ban } as const satisfies Look;

export function LookBadge({ look: { word, tone, Icon } }: { readonly look: Look }) {
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className="mr-1 shrink-0" />
      {word}
    </Badge>
  );
}

export const RoleBadge = ({ role }: { readonly role: UserRole }) => <LookBadge look={roles[role]} />;
export const KycBadge = ({ status }: { readonly status: KycStatusOfUser }) => (
  <LookBadge look={checks[status]} />
);
/** Nothing for who is not restricted. */
export const RestrictedBadge = ({ since }: { readonly since: string | null }) =>
  since === null ? null : <LookBadge look={restricted} />;
