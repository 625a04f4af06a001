/** Opens the position named in the URL over its user's records, for links and the quick search. */
import { defineUrlState, useUrlState, uuidField } from '../../../shared/url-state/index.ts';
import { EditPosition } from './EditPosition.tsx';
import { useRefetchPositions } from './usePositions.ts';

const openPosition = defineUrlState({ position: uuidField() });

export function PositionFromUrl() {
  const [{ position: id }, change] = useUrlState(openPosition);
  const refetchPositions = useRefetchPositions();
  if (id === null) return null;
  return (
    <EditPosition
      key={id}
      positionId={id}
      onClose={() => change({ position: null })}
      onDone={refetchPositions}
    />
  );
}
