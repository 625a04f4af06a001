/**
 * One identity check with everything needed to decide it (KYC-24). The address names the case. A case is read once
 * when it opens, because each read is an access to the pictures that the audit log records.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, RequestError } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ReadError } from '../../../shared/ui/index.ts';
import { CaseFrame, CaseSkeleton } from './CaseFrame.tsx';
import { CaseReview } from './CaseReview.tsx';
import { kycKeys, openCase } from './cases.ts';
import { useOldestFirst } from './order.ts';
import { removeDecided } from './useChecks.ts';
import { useReviewParams } from './useReviewParams.ts';

function OpenedCase({ id }: { readonly id: string }) {
  const { supabase } = useSignedIn();
  const { close } = useReviewParams();
  const cache = useQueryClient();
  const isOldestFirst = useOldestFirst();
  const query = useQuery({
    queryKey: kycKeys.opened(id),
    queryFn: ({ signal }) => openCase(supabase, id, isOldestFirst, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [conflict, setConflict] = useState(false);
  // Links of an earlier read have expired.
  useEffect(() => () => cache.removeQueries({ queryKey: kycKeys.opened(id) }), [cache, id]);
  const { data: opened, error, refetch } = query;
  if (opened !== undefined) {
    return (
      <CaseReview
        opened={opened}
        conflict={conflict}
        onReload={() => void refetch()}
        onConflict={() => {
          setConflict(true);
          removeDecided(cache, id);
          void refetch();
        }}
      />
    );
  }
  return (
    <CaseFrame title="Identity check">
      {error === null ? (
        <CaseSkeleton />
      ) : error instanceof RequestError && error.code === 'not_found' ? (
        <EmptyState
          title="This identity check no longer exists"
          action={<Button onClick={close}>Back to the list</Button>}
        >
          The account was deleted.
        </EmptyState>
      ) : (
        <ReadError title={getErrorMessage(error, 'Failed to open the identity check')} reading={query} />
      )}
    </CaseFrame>
  );
}

export default function CaseDialog() {
  const { openId } = useReviewParams();
  return openId === null ? null : <OpenedCase key={openId} id={openId} />;
}
