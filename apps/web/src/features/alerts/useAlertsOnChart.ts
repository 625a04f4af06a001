/** Price alerts on the chart: their lines, and the entry of a price's menu that sets one. */
import { formatFixed, priceDecimals, toNumber } from '@fulcrum/domain';
import { useMemo } from 'react';
import { snapToGrid } from '../../shared/decimals/snap-to-grid.ts';
import { failedWith } from '../../shared/form/index.ts';
import { newUuid } from '../../shared/ids/index.ts';
import { formatPrice } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Alert } from '../../shared/supabase/index.ts';
import { showToast } from '../../shared/ui/index.ts';
import type { Pair, PriceLine, PriceMenuEntries } from '../market/index.ts';
import { alertLines } from './alert-lines.ts';
import { useAlerts } from './queries.ts';
import { useAlertCommands } from './useAlertCommands.ts';

const none: readonly Alert[] = [];

export function useAlertLines({ symbol, tickSize, limits }: Pair): readonly PriceLine[] {
  const { data: alerts = none } = useAlerts();
  const { impersonation } = useSignedIn();
  const commands = useAlertCommands();
  return useMemo(
    () =>
      // They are the user's own; staff who look in cannot change them.
      impersonation !== null
        ? []
        : alertLines(alerts, {
            symbol,
            tickSize,
            limits,
            move: async (alert, level) => {
              await commands.change(alert.id, { level });
            },
            remove: (alert) => commands.remove(alert.id),
          }),
    [alerts, symbol, tickSize, limits, commands, impersonation],
  );
}

/** Sets the alert at once; its line shows it, and removes it. */
export function useAlertEntry({ symbol, tickSize, limits }: Pair): PriceMenuEntries {
  const commands = useAlertCommands();
  const { impersonation } = useSignedIn();
  return (price) => {
    if (impersonation !== null) return [];
    const snapped = snapToGrid(price, limits);
    const text = formatPrice(toNumber(snapped), tickSize);
    return [
      {
        id: 'alert',
        label: `Alert at ${text}`,
        perform: () => {
          commands
            .create({
              id: newUuid(),
              kind: 'price',
              symbol,
              positionId: null,
              level: formatFixed(snapped, priceDecimals(limits)),
              direction: null,
              windowMinutes: null,
              repeats: false,
            })
            .then(() => showToast('success', `Alert set: ${symbol} at ${text}`))
            .catch((cause: unknown) => showToast('error', failedWith('Failed to set the alert')(cause)));
        },
      },
    ];
  };
}
