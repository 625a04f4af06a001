/**
 * The console's part of the header: the longest wait, the number of sessions closed today, and the agent's
 * availability.
 */
import { type SupportStatus, supportStatuses } from '@fulcrum/domain';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useId } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Menu, MenuItem, usePhone } from '../../../shared/ui/index.ts';
import { statusVariants } from '../status-variants.ts';
import { chooseStatus, enterConsole, useAgent } from './agent-status.ts';
import { useConsoleFigures } from './console-figures.ts';
import { WaitMark } from './WaitMark.tsx';

const chosenStyles: Readonly<Record<SupportStatus, string>> = {
  available: 'bg-up/15 ring-up/35',
  busy: 'bg-warn/15 ring-warn/35',
  offline: 'bg-text-3/15 ring-text-3/35',
};
const Dot = ({ status }: { readonly status: SupportStatus }) => (
  <span aria-hidden="true" className={`size-[7px] rounded-full ${statusVariants[status].dot}`} />
);

function Choice({ status }: { readonly status: SupportStatus }) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label="Your status"
      className="flex gap-0.5 rounded-[8px] border border-line bg-canvas p-0.5"
    >
      {supportStatuses.map((value) => (
        <label
          key={value}
          className={`relative flex h-7 items-center gap-1.5 rounded-control px-2.5 text-12 font-medium transition-colors ${
            value === status ? `text-text ring-1 ${chosenStyles[value]}` : 'text-text-2 hover:text-text'
          }`}
        >
          <Dot status={value} />
          {statusVariants[value].label}
          <input
            type="radio"
            name={name}
            checked={value === status}
            onChange={() => chooseStatus(value)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-control"
          />
        </label>
      ))}
    </div>
  );
}

/** The compact form for a narrow header: the present status, and a menu. */
function Compact({ status }: { readonly status: SupportStatus }) {
  const { label } = statusVariants[status];
  const trigger = (
    <button
      type="button"
      aria-label={`Your status: ${label}`}
      className={`relative flex h-9 items-center gap-1.5 rounded-control px-2.5 after:absolute after:inset-x-0 after:-inset-y-1 text-12 font-medium ring-1 ring-inset ${chosenStyles[status]}`}
    >
      <Dot status={status} />
      {label}
      <ChevronDown size={12} aria-hidden="true" />
    </button>
  );
  return (
    <Menu trigger={trigger} label="Your status" align="end">
      {supportStatuses.map((value) => (
        <MenuItem key={value} onSelect={() => chooseStatus(value)}>
          <Dot status={value} />
          {statusVariants[value].label}
          {value === status ? <span className="ml-auto text-12 text-text-3">Now</span> : null}
        </MenuItem>
      ))}
    </Menu>
  );
}

function Figures() {
  const { longestSince, closedToday } = useConsoleFigures();
  return (
    <p className="flex items-center gap-2 text-12 whitespace-nowrap text-text-2 max-lg:hidden">
      {longestSince === null ? null : (
        <>
          <span className="inline-flex items-center gap-1.5">
            Longest wait <WaitMark since={longestSince} ring="none" />
          </span>
          <span aria-hidden="true">·</span>
        </>
      )}
      {closedToday === null ? null : <span className="figures">{`${closedToday} closed today`}</span>}
    </p>
  );
}

const savingLabels = {
  saved: '',
  pending: '',
  failed: 'Your status is not saved yet. Trying again.',
} as const;

export function StatusGroup() {
  const signedIn = useSignedIn();
  const { supabase, impersonation } = signedIn;
  const userId = signedIn.user.id;
  const { status, saving } = useAgent();
  const isPhone = usePhone();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reloaded profile is the same user
  useEffect(() => enterConsole(signedIn), [supabase, userId, impersonation]);
  return (
    <>
      <Figures />
      <p role="status" className="text-12 text-warn empty:hidden max-md:sr-only">
        {impersonation === null ? savingLabels[saving] : ''}
      </p>
      {impersonation === null ? isPhone ? <Compact status={status} /> : <Choice status={status} /> : null}
    </>
  );
}
