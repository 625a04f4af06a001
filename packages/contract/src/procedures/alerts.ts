/** A trader's alerts: they notify and trade nothing. */
import { alertDirections, alertKinds } from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, rowSchema, symbol } from '../columns.ts';
import { alerts } from '../tables/alerts.ts';
import { command } from './procedure.ts';

export const alertRow = rowSchema(alerts.columns);
export type AlertRow = z.infer<typeof alertRow>;

const minutes = z.number().int().min(1).max(1440);

export const createAlert = command('create_alert', {
  roles: ['trader'],
  args: z.strictObject({
    /** Of the new alert: a repeat with the same id answers with the same alert. */
    p_id: id.nullish(),
    p_kind: z.enum(alertKinds),
    /** Of `price` and `change`. */
    p_symbol: symbol.nullish(),
    /** Of `roe` and `liquidation`; the position's symbol is the alert's. */
    p_position_id: id.nullish(),
    p_level: decimal,
    /** Of a change it is required; else it follows from where the price or the ROE is now. */
    p_direction: z.enum(alertDirections).nullish(),
    /** Of a change: 5, 15, 60, 240 or 1440. */
    p_window_minutes: minutes.nullish(),
    p_repeats: z.boolean().nullish(),
  }),
  result: alertRow,
});

/** Changes what is named and arms the alert again, or pauses it. */
export const changeAlert = command('change_alert', {
  roles: ['trader'],
  args: z.strictObject({
    p_alert_id: id,
    p_level: decimal.nullish(),
    p_direction: z.enum(alertDirections).nullish(),
    p_window_minutes: minutes.nullish(),
    p_repeats: z.boolean().nullish(),
    p_paused: z.boolean().nullish(),
  }),
  result: alertRow,
});

/** Deletes an alert; one that is gone already is no error. */
export const deleteAlert = command('delete_alert', {
  roles: ['trader'],
  args: z.strictObject({ p_alert_id: id }),
  result: z.object({ deleted: z.boolean() }),
});
