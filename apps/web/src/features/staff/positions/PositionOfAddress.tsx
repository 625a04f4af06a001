/** Opens the position that the address names, over the records of its person: where a link or the quick search leads. */
import { isUuid } from '@fulcrum/domain';
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';
import { EditPosition } from './EditPosition.tsx';
import { useReadPositionsAgain } from './usePositions.ts';

export const positionParameter = 'position';

export function PositionOfAddress() {
  const [search, setSearch] = useAddressParams();
  const readAgain = useReadPositionsAgain();
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
  return <EditPosition key={id} positionId={id} onClose={close} onDone={readAgain} />;
}
