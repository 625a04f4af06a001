/** The sums of a period by one property of its trades, the largest result first. */
import type { PeriodReview } from '@fulcrum/contract';
import { type ReactNode, useState } from 'react';
import { Pnl } from '../../shared/numbers/index.ts';
import { Button, Table, Td, Th, Tr } from '../../shared/ui/index.ts';

const rowsFirst = 6;

interface GroupTableProps {
  readonly title: string;
  /** The header of the first column. */
  readonly what: string;
  readonly groups: PeriodReview['by_setup'];
  readonly labelOf?: (key: string) => string;
  /** In place of no rows. */
  readonly empty?: ReactNode;
}

export function GroupTable({ title, what, groups, labelOf = (key) => key, empty }: GroupTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? groups : groups.slice(0, rowsFirst);
  return (
    <section
      aria-label={title}
      className="min-w-0 p-4 [&_:is(td,th):first-child]:pl-0 [&_:is(td,th):last-child]:pr-0"
    >
      <h3 className="mb-1 text-13 font-semibold">{title}</h3>
      {groups.length === 0 ? (
        <div className="text-13 text-text-2">{empty}</div>
      ) : (
        <Table
          caption={`${title}, the largest result first`}
          head={
            <>
              <Th>{what}</Th>
              <Th numeric>Trades</Th>
              <Th numeric>Net, USDT</Th>
            </>
          }
        >
          {shown.map(({ key, trades, net_pnl }) => (
            <Tr key={key}>
              <Td className="max-w-40 truncate font-medium">{labelOf(key)}</Td>
              <Td numeric>{trades}</Td>
              <Td numeric>
                <Pnl value={net_pnl} />
              </Td>
            </Tr>
          ))}
        </Table>
      )}
      {groups.length > shown.length ? (
        <Button tone="quiet" size="compact" className="mt-1" onClick={() => setShowsAll(true)}>
          {`Show all ${groups.length}`}
        </Button>
      ) : null}
    </section>
  );
}
