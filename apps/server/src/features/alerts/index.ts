/**
 * Alerts: a user's wishes to be notified at a price, a change, an ROE or a distance to liquidation. They trade nothing.
 * Requests write the row and hand it to the monitor; the monitor fires it.
 */
import { AppError, type ArgsOf, alertRow, type SignedIn } from '@fulcrum/contract';
import { readWireRows, toRowDeletion } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { idOfHour } from '../../platform/ids.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import type { Market } from '../market/index.ts';
import { createMonitor, type MonitorDependencies } from './monitor.ts';
import { checkRequest, toChangedRequest, toRequest } from './requests.ts';
import {
  type Alert,
  countAlerts,
  deleteAlert as deleteStored,
  insertAlert,
  lockAlertsOf,
  readAlert,
  readChanges,
  updateAlert,
} from './store.ts';

interface AlertsDependencies extends MonitorDependencies {
  readonly market: Pick<Market, 'pair' | 'isListed' | 'price' | 'isStale' | 'candles'>;
}

const { alertsOfUser } = defaultLimits;

export function createAlerts(deps: AlertsDependencies) {
  const { db, bus, clock } = deps;
  const monitor = createMonitor(deps);

  async function readRow(tx: Queryable, id: string) {
    const [row] = await readWireRows(tx, 'alerts', [id]);
    if (!row) throw new Error('a written alert exists');
    return alertRow.parse(row);
  }

  return {
    monitor,
    start: () => monitor.start(),
    stop: () => monitor.stop(),
    procedures: {
      /** @throws AppError as `checkRequest`, `conflict` for an id in use or beyond the limit of alerts */
      create_alert: async (caller: SignedIn, args: ArgsOf<'create_alert'>) => {
        const { userId, accountId } = caller;
        const id = args.p_id ?? idOfHour(clock.now());
        const repeated = await findRepeated(accountId, id);
        if (repeated) return repeated;
        const { position, ...checked } = await checkRequest(deps, caller, toRequest(args));
        const at = new Date(clock.now());
        const alert: Alert = {
          ...checked,
          id,
          accountId,
          state: 'armed',
          crossings: 0,
          firedAt: null,
          updatedAt: at,
        };
        const { row, changes } = await db.transaction(async (tx) => {
          await lockAlertsOf(tx, userId);
          if ((await countAlerts(tx, userId)) >= alertsOfUser.most) {
            throw new AppError(
              'conflict',
              `You have ${alertsOfUser.most} alerts in all your accounts. Delete one of them first.`,
            );
          }
          if (!(await insertAlert(tx, alert))) {
            // A repeat that ran beside this one, or the id of another user.
            if (!(await readAlert(tx, accountId, id))) throw new AppError('conflict', 'Choose another id.');
            return { row: await readRow(tx, id), changes: [] };
          }
          return {
            row: await readRow(tx, id),
            changes: await readChanges(tx, 'alerts', 'INSERT', [id], at),
          };
        });
        if (changes.length > 0) {
          monitor.put(alert, position);
          bus.publish('account.changed', { changes });
        }
        return row;
      },

      /** Arms the alert with its new terms, or pauses it. @throws AppError not_found, and as `checkRequest` */
      change_alert: async (caller: SignedIn, args: ArgsOf<'change_alert'>) => {
        const { accountId } = caller;
        const stored = await db.transaction((tx) => readAlert(tx, accountId, args.p_alert_id));
        if (!stored) throw alertNotFound();
        const isPaused = args.p_paused ?? false;
        const checked = isPaused ? null : await checkRequest(deps, caller, toChangedRequest(stored, args));
        const at = new Date(clock.now());
        const { alert, row, changes } = await db.transaction(async (tx) => {
          const now = await readAlert(tx, accountId, args.p_alert_id);
          if (!now) throw alertNotFound();
          if (now.state === 'ended') {
            throw new AppError('position_closed', 'The position of this alert is closed. Delete the alert.');
          }
          const { position: _position, ...terms } = checked ?? { position: null };
          const alert: Alert = {
            ...now,
            ...terms,
            state: isPaused ? 'paused' : 'armed',
            // A repeated alert that is armed again does not wait after an earlier firing.
            firedAt: isPaused ? now.firedAt : null,
            updatedAt: at,
          };
          await updateAlert(tx, alert);
          return {
            alert,
            row: await readRow(tx, alert.id),
            changes: await readChanges(tx, 'alerts', 'UPDATE', [alert.id], at),
          };
        });
        monitor.put(alert, checked?.position ?? null);
        bus.publish('account.changed', { changes });
        return row;
      },

      delete_alert: async ({ accountId }: SignedIn, { p_alert_id: id }: ArgsOf<'delete_alert'>) => {
        const deleted = await deleteStored(db, accountId, id);
        if (deleted) {
          monitor.forget(id);
          const at = new Date(clock.now()).toISOString();
          bus.publish('account.changed', { changes: [toRowDeletion('alerts', id, accountId, at)] });
        }
        return { deleted };
      },
    },
  };

  async function findRepeated(accountId: string, id: string) {
    return db.transaction(async (tx) => ((await readAlert(tx, accountId, id)) ? readRow(tx, id) : null));
  }
}

const alertNotFound = () => new AppError('not_found', 'This alert is gone. Read the list again.');
