/** Badges of a user: role, identity check, restriction. */
import type { UserRole } from '@fulcrum/contract';
import type { KycStatus } from '@fulcrum/domain';
import Ban from 'lucide-react/icons/ban';
import Briefcase from 'lucide-react/icons/briefcase';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Headset from 'lucide-react/icons/headset';
import Minus from 'lucide-react/icons/minus';
import ShieldCheck from 'lucide-react/icons/shield-check';
import User from 'lucide-react/icons/user';
import X from 'lucide-react/icons/x';
import { type BadgeVariant, IconBadge } from '../../../shared/ui/index.ts';
import { roleLabels } from '../user-dialogs/index.ts';

const roleVariants = {
  trader: { label: roleLabels.trader, tone: 'neutral', Icon: User },
  manager: { label: roleLabels.manager, tone: 'neutral', Icon: Briefcase },
  support: { label: roleLabels.support, tone: 'neutral', Icon: Headset },
  admin: { label: roleLabels.admin, tone: 'accent', Icon: ShieldCheck },
} as const satisfies Record<UserRole, BadgeVariant>;

const kycVariants = {
  unverified: { label: 'KYC not submitted', tone: 'neutral', Icon: Minus },
  pending: { label: 'KYC pending', tone: 'warn', Icon: Clock },
  verified: { label: 'KYC verified', tone: 'up', Icon: Check },
  rejected: { label: 'KYC rejected', tone: 'down', Icon: X },
} as const satisfies Record<KycStatus, BadgeVariant>;

const restrictedVariant = { label: 'Restricted', tone: 'down', Icon: Ban } as const satisfies BadgeVariant;

export const RoleBadge = ({ role }: { readonly role: UserRole }) => (
  <IconBadge variant={roleVariants[role]} />
);
export const KycBadge = ({ status }: { readonly status: KycStatus }) => (
  <IconBadge variant={kycVariants[status]} />
);
/** Renders nothing for an unrestricted user. */
export const RestrictedBadge = ({ since }: { readonly since: string | null }) =>
  since === null ? null : <IconBadge variant={restrictedVariant} />;
