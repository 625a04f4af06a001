/** The audit entries, one a row; on a phone one block each. The action's name is the button that expands the entry. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Fragment } from 'react';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { SkeletonRows, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import type { AuditEntry } from './audit-entries.ts';
import { EntryDetail } from './EntryDetail.tsx';
import { Actor, Subject } from './EntryUsers.tsx';
import { actionLabel, formatSummary } from './labels.ts';
import { useManagerNames } from './useManagerNames.ts';

interface EntryRowsProps {
  /** Undefined while they are being read. */
  readonly entries: readonly AuditEntry[] | undefined;
  readonly openId: number | null;
  readonly onOpen: (id: number | null) => void;
}

const detailId = (id: number) => `action-${id}-detail`;

function EntryToggle({
  entry,
  isOpen,
  onOpen,
}: {
  readonly entry: AuditEntry;
  readonly isOpen: boolean;
  readonly onOpen: EntryRowsProps['onOpen'];
}) {
  return (
    <button
      type="button"
      id={`action-${entry.id}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailId(entry.id) : undefined}
      onClick={() => onOpen(isOpen ? null : entry.id)}
      className="flex min-h-6 w-fit max-w-full items-center gap-1.5 rounded-control text-left font-medium hover:text-accent max-md:min-h-11"
    >
      <ChevronRight
        size={14}
        aria-hidden="true"
        className={`shrink-0 text-text-3 transition-transform ${isOpen ? 'rotate-90' : ''}`}
      />
      <span className="min-w-0">{actionLabel(entry.action)}</span>
    </button>
  );
}

function EntryBlocks({ entries = [], openId, onOpen }: EntryRowsProps) {
  const getManagerName = useManagerNames();
  return (
    <ul aria-label="Actions, newest first">
      {entries.map((entry) => {
        const isOpen = entry.id === openId;
        const what = formatSummary(entry.detail, getManagerName);
        return (
          <li key={entry.id} className="border-b border-line/65 px-4 py-2 text-13 last:border-b-0">
            <div className="flex items-center justify-between gap-3">
              <EntryToggle entry={entry} isOpen={isOpen} onOpen={onOpen} />
              <span className="shrink-0 text-12 text-text-2">
                <DateTime iso={entry.at} />
              </span>
            </div>
            <dl className="grid grid-cols-[56px_minmax(0,1fr)] items-center gap-x-3 text-12">
              <dt className="text-text-3">Actor</dt>
              <dd className="min-w-0">
                <Actor entry={entry} />
              </dd>
              {entry.subject_id === null ? null : (
                <>
                  <dt className="text-text-3">About</dt>
                  <dd className="min-w-0">
                    <Subject entry={entry} />
                  </dd>
                </>
              )}
              {what === null ? null : (
                <>
                  <dt className="self-start text-text-3">What</dt>
                  <dd className="figures wrap-anywhere">{what}</dd>
                </>
              )}
              {entry.reason === null ? null : (
                <>
                  <dt className="self-start text-text-3">Reason</dt>
                  <dd className="wrap-anywhere text-text-2">{entry.reason}</dd>
                </>
              )}
            </dl>
            {isOpen ? (
              <section
                id={detailId(entry.id)}
                aria-label={actionLabel(entry.action)}
                className="mt-2 rounded-control bg-inset p-3"
              >
                <EntryDetail entry={entry} />
              </section>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

const widths = ['120px', '96px', '140px', '96px', '160px', '60%'];

export function EntryRows(props: EntryRowsProps) {
  const { entries, openId, onOpen } = props;
  const phone = usePhone();
  const getManagerName = useManagerNames();
  if (phone && entries) return <EntryBlocks {...props} />;
  return (
    <div className="overflow-x-auto">
      <Table
        caption="Actions, newest first"
        className="min-w-[680px] max-md:min-w-0"
        head={
          <>
            <Th className="w-40">Time</Th>
            <Th className="w-56 max-xl:w-44">Actor</Th>
            <Th className="w-60 max-xl:w-48">Action</Th>
            <Th className="w-44 max-xl:w-36">About</Th>
            <Th className="w-72 max-xl:hidden">What</Th>
            <Th>Reason</Th>
          </>
        }
      >
        {entries === undefined ? (
          <SkeletonRows rows={12} widths={widths} height={36} />
        ) : (
          entries.map((entry) => {
            const isOpen = entry.id === openId;
            const what = formatSummary(entry.detail, getManagerName) ?? undefined;
            return (
              <Fragment key={entry.id}>
                <Tr className={isOpen ? 'bg-raised/70' : ''}>
                  <Td className="!text-12">
                    <DateTime iso={entry.at} />
                  </Td>
                  <Td className="!text-12">
                    <Actor entry={entry} />
                  </Td>
                  <Td className="!text-12">
                    <EntryToggle entry={entry} isOpen={isOpen} onOpen={onOpen} />
                  </Td>
                  <Td className="!text-12">
                    <Subject entry={entry} />
                  </Td>
                  <Td className="figures max-w-0 truncate !text-12 max-xl:hidden" title={what}>
                    {what}
                  </Td>
                  <Td className="max-w-0 truncate !text-12 text-text-2" title={entry.reason ?? undefined}>
                    {entry.reason}
                  </Td>
                </Tr>
                {isOpen ? (
                  <tr className="border-b border-line/65">
                    <td colSpan={6} id={detailId(entry.id)} className="bg-inset px-[18px] py-4">
                      <EntryDetail entry={entry} />
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
