/** Opens the position named in the URL over its user's records, for links and the quick search. */
import { isUuid } from '@fulcrum/domain';
import { inPlace, useUrlParams } from '../../../shared/url-state/index.ts';
import { EditPosition } from './EditPosition.tsx';
import { useRefetchPositions } from './usePositions.ts';

export const positionParameter = 'position';

export function PositionFromUrl() {
  const [search, setSearch] = useUrlParams();
  const refetchPositions = useRefetchPositions();
  const id = search.get(positionParameter);
  if (id === null || !isUuid(id)) return null;
  const close = () =>
    setSearch(
      (held) => {
        held.delete(positionParameter);
        return held;
      },
      { replace: true, preventScrollReset: true, state: inPlace },
    );
  return <EditPosition key={id} positionId={id} onClose={close} onDone={refetchPositions} />;
}
