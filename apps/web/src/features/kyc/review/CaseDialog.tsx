/**
 * KYC-24: one identity check, with all that is needed to decide it. Which one is in the address. A case is read when it is
 * opened and not again by itself: each reading is a look at the pictures, which the audit log keeps.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, RequestError } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { CaseReview } from './CaseReview.tsx';
import { kycKeys, openCase } from './cases.ts';
import { CaseFrame, CaseSkeleton } from './frames.tsx';
import { dropDecided } from './useChecks.ts';
import { useReviewAddress } from './useReviewAddress.ts';

function OpenedCase({ id }: { readonly id: string }) {
  const { supabase } = useSignedIn();
  const { close } = useReviewAddress();
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: kycKeys.opened(id),
    queryFn: ({ signal }) => openCase(supabase, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [conflict, setConflict] = useState(false);
  // Links of an earlier look are worth nothing.
  useEffect(() => () => cache.removeQueries({ queryKey: kycKeys.opened(id) }), [cache, id]);
  const { data: opened, error, refetch, isFetching } = query;
  if (opened !== undefined) {
    return (
      <CaseReview
        opened={opened}
        conflict={conflict}
        onReload={() => void refetch()}
        onConflict={() => {
          setConflict(true);
          dropDecided(cache, id);
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
          title="This identity check is not there any more"
          action={<Button onClick={close}>Back to the list</Button>}
        >
          The account was deleted.
        </EmptyState>
      ) : (
        <ErrorState
          title={messageOf(error, 'Failed to open the identity check')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
    </CaseFrame>
  );
}

export default function CaseDialog() {
  const { openId } = useReviewAddress();
  return openId === null ? null : <OpenedCase key={openId} id={openId} />;
}
