/** The acts, one a row; on a phone each one is a block. The act's name is the button that unfolds it beneath. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Fragment } from 'react';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { SkeletonRows, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import { ActDetail } from './ActDetail.tsx';
import type { Act } from './acts.ts';
import { Actor, Subject } from './People.tsx';
import { useNameOf } from './useNameOf.ts';
import { actionWord, summaryOf } from './words.ts';

interface ActRowsProps {
  /** Undefined while they are being read. */
  readonly acts: readonly Act[] | undefined;
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
}

const detailId = (id: number) => `act-${id}-detail`;

function Unfold({
  act,
  isOpen,
  onOpen,
}: {
  readonly act: Act;
  readonly isOpen: boolean;
  readonly onOpen: ActRowsProps['onOpen'];
}) {
  return (
    <button
      type="button"
      id={`act-${act.id}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId(act.id) : undefined}
      onClick={() => onOpen(isOpen ? null : act.id)}
      className="flex min-h-6 w-fit max-w-full items-center gap-1.5 rounded-control text-left font-medium hover:text-accent max-md:min-h-11"
    >
      <ChevronRight
        size={14}
        aria-hidden="true"
        className={`shrink-0 text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
      />
      <span className="min-w-0">{actionWord(act.action)}</span>
    </button>
  );
}

function Blocks({ acts = [], openId, onOpen }: ActRowsProps) {
  const nameOf = useNameOf();
  return (
    <ul aria-label="Acts, newest first">
      {acts.map((act) => {
        const isOpen = act.id === openId;
        const what = summaryOf(act.detail, nameOf);
        return (
          <li key={act.id} className="border-b border-line/65 px-4 py-2 text-13 last:border-b-0">
            <div className="flex items-center justify-between gap-3">
              <Unfold act={act} isOpen={isOpen} onOpen={onOpen} />
              <span className="shrink-0 text-12 text-text-2">
                <DateTime iso={act.at} />
              </span>
            </div>
            <dl className="grid grid-cols-[56px_minmax(0,1fr)] items-center gap-x-3 text-12">
              <dt className="text-text-3">Actor</dt>
              <dd className="min-w-0">
                <Actor act={act} />
              </dd>
              {act.subject_id === null ? null : (
                <>
                  <dt className="text-text-3">About</dt>
                  <dd className="min-w-0">
                    <Subject act={act} />
                  </dd>
                </>
              )}
              {what === null ? null : (
                <>
                  <dt className="self-start text-text-3">What</dt>
                  <dd className="figures wrap-anywhere">{what}</dd>
                </>
              )}
              {act.reason === null ? null : (
                <>
                  <dt className="self-start text-text-3">Reason</dt>
                  <dd className="wrap-anywhere text-text-2">{act.reason}</dd>
                </>
              )}
            </dl>
            {isOpen ? (
              <section
                id={detailId(act.id)}
                aria-label={actionWord(act.action)}
                className="mt-2 rounded-control bg-inset p-3"
              >
                <ActDetail act={act} />
              </section>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

const widths = ['120px', '96px', '140px', '96px', '160px', '60%'];

export function ActRows(props: ActRowsProps) {
  const { acts, openId, onOpen } = props;
  const phone = usePhone();
  const nameOf = useNameOf();
  if (phone && acts) return <Blocks {...props} />;
  return (
    <div className="overflow-x-auto">
      <Table
        caption="Acts, newest first"
        className="min-w-[680px] max-md:min-w-0"
        head={
          <>
            <Th className="w-40">Time</Th>
            <Th className="w-56 max-xl:w-44">Actor</Th>
            <Th className="w-60 max-xl:w-48">Act</Th>
            <Th className="w-44 max-xl:w-36">About</Th>
            <Th className="w-72 max-xl:hidden">What</Th>
            <Th>Reason</Th>
          </>
        }
      >
        {acts === undefined ? (
          <SkeletonRows rows={12} widths={widths} height={36} />
        ) : (
          acts.map((act) => {
            const isOpen = act.id === openId;
            const what = summaryOf(act.detail, nameOf) ?? undefined;
            return (
              <Fragment key={act.id}>
                <Tr className={isOpen ? 'bg-raised/70' : ''}>
                  <Td className="!text-12">
                    <DateTime iso={act.at} />
                  </Td>
                  <Td className="!text-12">
                    <Actor act={act} />
                  </Td>
                  <Td className="!text-12">
                    <Unfold act={act} isOpen={isOpen} onOpen={onOpen} />
                  </Td>
                  <Td className="!text-12">
                    <Subject act={act} />
                  </Td>
                  <Td className="figures max-w-0 truncate !text-12 max-xl:hidden" title={what}>
                    {what}
                  </Td>
                  <Td className="max-w-0 truncate !text-12 text-text-2" title={act.reason ?? undefined}>
                    {act.reason}
                  </Td>
                </Tr>
                {isOpen ? (
                  <tr className="border-b border-line/65">
                    <td colSpan={6} id={detailId(act.id)} className="bg-inset px-[18px] py-4">
                      <ActDetail act={act} />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })
        )}
      </Table>
    </div>
  );
}
