/** A row of the users list as the server answers it, and the labels of its states. */
import type { Database } from '@fulcrum/contract/database';
import type { KycStatus } from '@fulcrum/domain';
import Clock from 'lucide-react/icons/clock';
import Shield from 'lucide-react/icons/shield';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';

type ListUsers = Database['public']['Functions']['list_users'];
export type ListArgs = ListUsers['Args'];
export type ListedUsers = ListUsers['Returns'];
export type ListedUser = ListedUsers['users'][number];
export type Sort = NonNullable<ListArgs['p_sort']>;

export const kycVariants = {
  unverified: { label: 'Unverified', Icon: Shield, colour: 'text-text-3' },
  pending: { label: 'Pending', Icon: Clock, colour: 'text-warn' },
  verified: { label: 'Verified', Icon: ShieldCheck, colour: 'text-up' },
  rejected: { label: 'Rejected', Icon: ShieldX, colour: 'text-down' },
} as const satisfies Record<KycStatus, { label: string; Icon: typeof Shield; colour: string }>;

export const noManager = 'No Manager';
