/**
 * The KYC Verification tab (KYC-01 to KYC-05, A56): steps, banner and form. Its code loads with the tab. During
 * impersonation it is empty, because the server then neither returns nor accepts an identity check (A45).
 */
import { Suspense } from 'react';
import { lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { OwnerSection } from '../../../shared/owner-section/OwnerSection.tsx';
import { ErrorState } from '../../../shared/ui/index.ts';
import { VerificationSkeleton } from './VerificationSkeleton.tsx';

const Missing = ({ onRetry, retrying }: MissingProps) => (
  <ErrorState title="The verification could not be loaded" onRetry={onRetry} retrying={retrying} />
);
const Verification = lazyCode(() => import('./Verification.tsx'), 'part', Missing);

export function VerificationSection() {
  return (
    <OwnerSection
      title="KYC Verification"
      lead="Who you are, checked by our team from your documents."
      notice="Identity checks are not available during impersonation."
    >
      <Suspense fallback={<VerificationSkeleton />}>
        <Verification />
      </Suspense>
    </OwnerSection>
  );
}
