/** API keys in Account Settings. The code of the list and its dialogs loads when the section is shown. */
import { Suspense } from 'react';
import { Link } from 'react-router';
import { lazyCode, type MissingProps } from '../../shared/code/lazy-code.tsx';
import { OwnerSection } from '../../shared/owner-section/OwnerSection.tsx';
import { ErrorState } from '../../shared/ui/index.ts';
import { KeysSkeleton } from './KeysSkeleton.tsx';

const Missing = (props: MissingProps) => <ErrorState title="Failed to load the API keys" {...props} />;
const OwnKeys = lazyCode(() => import('./OwnKeys.tsx'), 'part', Missing);

const lead = (
  <>
    <p>For bots and scripts, each for one account.</p>
    <p className="mt-1.5">These keys are paper: they trade only here.</p>
    <p className="mt-1.5">
      <Link to="/api-reference" className="text-accent hover:underline">
        API reference
      </Link>
    </p>
  </>
);

export function ApiKeysSection() {
  return (
    <OwnerSection title="API keys" lead={lead}>
      <Suspense fallback={<KeysSkeleton />}>
        <OwnKeys />
      </Suspense>
    </OwnerSection>
  );
}
