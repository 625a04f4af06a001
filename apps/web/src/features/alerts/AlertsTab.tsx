/** The list of the user's alerts, with what they wait for, how they stand, and what can be done with each. */
import { alertsMax } from '@fulcrum/domain';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { NotificationSettings, priceAlerts } from '../../shared/desktop-notifications/index.ts';
import { failedWith } from '../../shared/form/index.ts';
import type { Alert } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import {
  Badge,
  type BadgeTone,
  Button,
  EmptyState,
  InstrumentMark,
  showToast,
  useMediaQuery,
} from '../../shared/ui/index.ts';
import type { Pair } from '../market/index.ts';
import { describeAlert, describeEarlierFirings, stateNames } from './alert-text.ts';
import { openAlertEditor, useEditedAlert } from './editor-store.ts';
import { useAlerts } from './queries.ts';
import { useAlertCommands } from './useAlertCommands.ts';

const AlertEditor = lazy(() => import('./AlertEditor.tsx'));

const stateTones: Readonly<Record<Alert['state'], BadgeTone>> = {
  armed: 'accent',
  paused: 'neutral',
  fired: 'warn',
  ended: 'neutral',
};

export interface AlertsTabProps {
  readonly pairs: readonly Pair[];
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  /** The selected pair. */
  readonly symbol: string;
  readonly onSelect: (symbol: string) => void;
}

const noTick = 0.01;

/** What the buttons of a row do. */
interface RowCommands {
  readonly toggle: (alert: Alert) => void;
  readonly edit: (alert: Alert) => void;
  readonly remove: (alert: Alert) => void;
}

interface RowButtonsProps extends RowCommands {
  readonly alert: Alert;
  /** What the alert waits for. */
  readonly text: string;
}

function RowButtons({ alert, text, toggle, edit, remove }: RowButtonsProps) {
  const name = `${alert.symbol}, ${text}`;
  const isEnded = alert.state === 'ended';
  const armed = alert.state === 'armed';
  return (
    <span className="inline-flex gap-1.5">
      {isEnded ? null : (
        <>
          <Button
            size="compact"
            aria-label={`${armed ? 'Pause' : 'Arm'} the alert: ${name}`}
            onClick={() => toggle(alert)}
          >
            {armed ? 'Pause' : 'Arm'}
          </Button>
          <Button size="compact" aria-label={`Edit the alert: ${name}`} onClick={() => edit(alert)}>
            Edit
          </Button>
        </>
      )}
      <Button size="compact" aria-label={`Delete the alert: ${name}`} onClick={() => remove(alert)}>
        Delete
      </Button>
    </span>
  );
}

export default function AlertsTab({ pairs, only, symbol, onSelect }: AlertsTabProps) {
  const list = useAlerts();
  const commands = useAlertCommands();
  const edited = useEditedAlert();
  const [busy, setBusy] = useState<string | null>(null);
  // The editor belongs to this list: the next visit, or the next user, begins without it.
  useEffect(() => () => openAlertEditor(null), []);
  const tickOf = useCallback(
    (of: string) => pairs.find((pair) => pair.symbol === of)?.tickSize ?? noTick,
    [pairs],
  );
  const rows = useMemo(
    () => list.data?.filter((alert) => only === null || alert.symbol === only),
    [list.data, only],
  );
  const columns = useMemo((): readonly Column<Alert>[] => {
    const run = (alert: Alert, work: Promise<unknown>, failed: string) => {
      setBusy(alert.id);
      work
        .catch((cause: unknown) => showToast('error', failedWith(failed)(cause)))
        .finally(() => setBusy(null));
    };
    const buttons: RowCommands = {
      toggle: (alert) =>
        alert.state === 'armed'
          ? run(alert, commands.pause(alert.id), 'Failed to pause the alert')
          : run(alert, commands.change(alert.id, {}), 'Failed to arm the alert'),
      edit: (alert) => openAlertEditor({ symbol: alert.symbol, alert }),
      remove: (alert) => run(alert, commands.remove(alert.id), 'Failed to delete the alert'),
    };
    return [
      {
        head: 'Symbol',
        width: '96px',
        card: '1 start',
        cell: ({ symbol: of }) => (
          <button
            type="button"
            title={`Show ${of}`}
            onClick={() => onSelect(of)}
            className="flex h-6 items-center gap-2.5 font-semibold hover:text-accent max-md:h-11"
          >
            <InstrumentMark symbol={of} size={20} />
            {of}
          </button>
        ),
      },
      {
        head: 'Alert',
        width: '180px',
        card: '2 start',
        cell: (alert) => <span className="figures">{describeAlert(alert, tickOf(alert.symbol))}</span>,
      },
      {
        head: 'State',
        width: '64px',
        card: '1 end',
        cell: ({ state, repeats }) => (
          <span className="inline-flex items-center gap-1.5">
            <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>
            {repeats && state !== 'ended' ? <span className="text-11 text-text-3">repeats</span> : null}
          </span>
        ),
      },
      {
        head: 'Last fired',
        width: '110px',
        card: 'line',
        cell: ({ firedAt, crossings }) =>
          firedAt === null ? (
            <span className="text-text-3">{describeEarlierFirings(crossings)}</span>
          ) : (
            <>
              <DateTime iso={firedAt} />
              {crossings > 1 ? <span className="text-text-3">{` ${crossings} times`}</span> : null}
            </>
          ),
      },
      {
        head: 'Actions',
        width: '150px',
        numeric: true,
        card: 'edge',
        cell: (alert) => (
          <span className={busy === alert.id ? 'pointer-events-none opacity-60' : ''}>
            <RowButtons alert={alert} text={describeAlert(alert, tickOf(alert.symbol))} {...buttons} />
          </span>
        ),
      },
    ];
  }, [commands, onSelect, tickOf, busy]);
  const pairOf = edited && pairs.find((pair) => pair.symbol === edited.symbol);
  const isTouch = useMediaQuery('(pointer: coarse)');
  const create = () => openAlertEditor({ symbol, alert: null });
  return (
    <>
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-1.5 max-md:px-0">
        <span className="text-12 text-text-3">{countText(list.data)}</span>
        <span className="flex items-center gap-2">
          <NotificationSettings
            label="How alerts and fills reach you"
            purpose={priceAlerts}
            note="When an alert fires, an order fills or a position is closed, while Fulcrum is open in a tab. The list of notifications always has it."
          />
          <Button size="compact" tone="primary" onClick={create}>
            New alert
          </Button>
        </span>
      </div>
      <DataTable
        caption="Alerts, newest first"
        columns={columns}
        rows={rows}
        reading={list}
        failed="Failed to load alerts"
        empty={
          <EmptyState title={only === null ? 'No alerts' : `No alerts on ${only}`}>
            {`Press New alert, or ${isTouch ? 'hold your finger on' : 'right-click'} a price of the chart.`}
          </EmptyState>
        }
        placeholders={3}
        className="!overflow-visible"
        cardClassName="panel px-3.5 py-3"
        listClassName="flex flex-col gap-2.5"
      />
      {edited && pairOf ? (
        <Suspense fallback={null}>
          <AlertEditor
            key={edited.alert?.id ?? edited.symbol}
            edited={edited}
            pair={pairOf}
            commands={commands}
            onClose={() => openAlertEditor(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function countText(alerts: readonly Alert[] | undefined): string {
  if (!alerts) return '';
  const waiting = alerts.filter(({ state }) => state === 'armed').length;
  return `${waiting} waiting, ${alerts.length} here, at most ${alertsMax} in all accounts`;
}
