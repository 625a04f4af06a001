/**
 * The operations panel for admins: price sources, ledger checks, the engine, and the operations on them. Invariants: each
 * operation needs a reason and is sent once; the panel is read again after each; unread values are never shown as healthy.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSignedIn } from '../../../../shared/session/index.ts';
import { Badge, Skeleton } from '../../../../shared/ui/index.ts';
import { Widget, WidgetBody, type WidgetReading } from '../../../../shared/widget/index.ts';
import { useActionFromUrl } from '../../user-dialogs/index.ts';
import { haltKey } from '../halt-key.ts';
import type { OperationsSnapshot } from '../useOverview.ts';
import { Backup } from './Backup.tsx';
import { Engine } from './Engine.tsx';
import { Feeds } from './Feeds.tsx';
import { Invariants } from './Invariants.tsx';
import { toOverallStatus } from './labels.ts';
import { HeldPrices, ReplayControls, Simulation } from './MarketControls.tsx';
import { type Operation, OperationDialog } from './OperationDialog.tsx';
import {
  decideHoldOperation,
  haltOperation,
  jumpOperation,
  pauseReplayOperation,
  replaySpeedOperation,
  resumeOperation,
  shockOperation,
} from './operations.ts';
import { Processes } from './Processes.tsx';

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'];

const skeleton = (
  <div className="flex grow flex-col gap-[11px] px-4 py-2">
    {skeletonRows.map((row) => (
      <div key={row} className="flex h-5 items-center justify-between">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 w-16" />
      </div>
    ))}
  </div>
);

const haltAction = ['halt'] as const;

export function OperationsPanel({ reading }: { readonly reading: WidgetReading<OperationsSnapshot> }) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const [operation, setOperation] = useState<Operation | null>(null);
  const halt = reading.figures?.engine.halt;
  const changeHalt = () => setOperation(halt === null ? haltOperation(supabase) : resumeOperation(supabase));
  useActionFromUrl(halt === undefined ? undefined : haltAction, changeHalt);
  const overallStatus = reading.figures && toOverallStatus(reading.figures);
  return (
    <Widget
      title="Operations"
      reading={reading}
      className="min-h-[560px]"
      aside={
        <span role="status">
          {overallStatus ? <Badge tone={overallStatus.tone}>{overallStatus.text}</Badge> : null}
        </span>
      }
    >
      <WidgetBody reading={reading} skeleton={skeleton} failed="Failed to fetch the operations status">
        {({ engine, controls: { holds, replay, shocks }, simulated, ...status }) => (
          <div className="flex grow flex-col border-t border-line">
            <Feeds {...status} />
            <HeldPrices
              holds={holds}
              onDecide={(hold, isAccepted) => setOperation(decideHoldOperation(supabase, hold, isAccepted))}
            />
            <Invariants {...status} />
            <Engine engine={engine} onHalt={changeHalt} />
            {replay ? (
              <ReplayControls
                replay={replay}
                onPause={() => setOperation(pauseReplayOperation(supabase, replay))}
                onJump={(decision) =>
                  replay.jump && setOperation(jumpOperation(supabase, replay.jump, decision))
                }
                onSpeed={() => setOperation(replaySpeedOperation(supabase, replay))}
              />
            ) : null}
            {simulated ? (
              <Simulation shocks={shocks} onShock={() => setOperation(shockOperation(supabase))} />
            ) : null}
            <Processes {...status} />
            <Backup {...status} />
            <div className="mt-auto flex min-h-11 items-center justify-between border-t border-line px-4 text-12">
              <span className="text-text-3">Staff actions</span>
              <Link
                to="/admin/audit"
                className="inline-flex min-h-6 items-center font-medium text-accent hover:underline max-md:min-h-11"
              >
                Audit log
              </Link>
            </div>
          </div>
        )}
      </WidgetBody>
      {operation ? (
        <OperationDialog
          operation={operation}
          onAnswered={() => {
            reading.refetch();
            void cache.invalidateQueries({ queryKey: haltKey });
          }}
          onClose={() => setOperation(null)}
          fallbackFocus={reading.ref}
        />
      ) : null}
    </Widget>
  );
}
