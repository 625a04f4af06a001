/** Labels of the review. */
import type { KycPicture } from '@fulcrum/contract';
import { type KycAttemptStatus, kycDocumentTypeLabels, kycReasonOf } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import X from 'lucide-react/icons/x';
import type { BadgeVariant } from '../../../shared/ui/index.ts';
import type { KycCase } from './cases.ts';

type DocumentType = KycCase['verification']['document_type'];

export const statusStyles = {
  pending: { label: 'Pending', tone: 'warn', Icon: Clock },
  approved: { label: 'Approved', tone: 'up', Icon: Check },
  rejected: { label: 'Rejected', tone: 'down', Icon: X },
} as const satisfies Record<KycAttemptStatus, BadgeVariant>;

/** Such as `Passport, front` or `Selfie`. */
export const getDocumentLabel = (document: KycPicture, type: DocumentType): string =>
  document === 'selfie'
    ? 'Selfie'
    : `${kycDocumentTypeLabels[type]}, ${document === 'document_front' ? 'front' : 'back'}`;

/** An unknown code is one of the server's neutral ones. */
export const getReasonLabel = (code: string): string => kycReasonOf(code)?.label ?? 'Not verified';
