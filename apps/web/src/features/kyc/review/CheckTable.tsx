/** The rows of the list: a table, on a phone a list. A click on the name button or on the row opens the case. */
import { kycDocumentTypeLabels } from '@fulcrum/domain';
import { DateTime } from '../../../shared/time/DateTime.tsx';
import { Badge, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import type { ListedCheck } from './cases.ts';
import { statusStyles } from './labels.ts';

interface CheckTableProps {
  readonly rows: readonly ListedCheck[];
  readonly onOpen: (id: string) => void;
}

function StatusBadge({ row: { status, reject_type } }: { readonly row: ListedCheck }) {
  const { label, tone, Icon } = statusStyles[status];
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className="mr-1 shrink-0" />
      {reject_type === 'final' ? `${label}, final` : label}
    </Badge>
  );
}

const nameOf = ({ user }: ListedCheck) => user.username;

export function CheckTable({ rows, onOpen }: CheckTableProps) {
  const phone = usePhone();
  if (phone) {
    return (
      <ul aria-label="Identity checks">
        {rows.map((row) => (
          <li key={row.id} className="border-b border-line/65 last:border-b-0">
            <button
              type="button"
              id={`kyc-${row.id}`}
              onClick={() => onOpen(row.id)}
              className="flex w-full flex-col gap-0.5 px-3 py-2.5 text-left -outline-offset-2 hover:bg-raised/70"
            >
              <span className="flex w-full items-center justify-between gap-3">
                <bdi className="truncate text-14 font-medium">{nameOf(row)}</bdi>
                <StatusBadge row={row} />
              </span>
              <span className="w-full truncate text-12 text-text-2">{row.user.email}</span>
              <span className="flex w-full justify-between gap-3 text-12 text-text-3">
                <span className="truncate">{`${kycDocumentTypeLabels[row.document_type]}, ${row.country}, attempt ${row.attempt}`}</span>
                <DateTime iso={row.submitted_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table
      caption="Identity checks, newest first"
      head={
        <>
          <Th>Trader</Th>
          <Th>Country</Th>
          <Th>Document</Th>
          <Th numeric>Attempt</Th>
          <Th>Status</Th>
          <Th numeric>Submitted</Th>
        </>
      }
    >
      {rows.map((row) => (
        <Tr key={row.id} className="!h-12 cursor-pointer" onClick={() => onOpen(row.id)}>
          <Td>
            <button
              type="button"
              id={`kyc-${row.id}`}
              onClick={(event) => {
                event.stopPropagation();
                onOpen(row.id);
              }}
              className="flex max-w-72 min-w-0 flex-col rounded-control py-0.5 text-left"
            >
              <bdi className="max-w-full truncate text-13 font-medium">{nameOf(row)}</bdi>
              <span className="max-w-full truncate text-11 text-text-3">{row.user.email}</span>
            </button>
          </Td>
          <Td className="max-w-40 truncate">{row.country}</Td>
          <Td className="whitespace-nowrap">{kycDocumentTypeLabels[row.document_type]}</Td>
          <Td numeric>{row.attempt}</Td>
          <Td>
            <StatusBadge row={row} />
          </Td>
          <Td numeric>
            <DateTime iso={row.submitted_at} />
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
