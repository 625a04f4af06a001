/**
 * Which liquidation the dialog explains: from the badge in the history, or once from the address (`liquidation=<id>`), to which its
 * notification leads. The parameter leaves the address, so that a reload or Back does not open it again.
 */
import { useCallback, useEffect, useState } from 'react';
import type { Position } from '../../../shared/supabase/index.ts';
import { defineUrlState, useUrlState, uuidField } from '../../../shared/url-state/index.ts';

const liquidationUrlState = defineUrlState({ liquidation: uuidField() });

export function useExplaining() {
  const [explainedId, setExplainedId] = useState<string | null>(null);
  const [{ liquidation }, change] = useUrlState(liquidationUrlState);
  useEffect(() => {
    if (liquidation === null) return;
    setExplainedId(liquidation);
    change({ liquidation: null });
  }, [liquidation, change]);
  const ask = useCallback(({ id }: Position) => setExplainedId(id), []);
  const end = () => setExplainedId(null);
  return { explainedId, ask, end };
}
export type Explaining = ReturnType<typeof useExplaining>;
