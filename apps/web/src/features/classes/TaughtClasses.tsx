/**
 * The classes that the signed-in manager teaches, one shown at a time; nothing for a manager without any. The address names the shown one
 * (`?class=`), by default the one that ends last. Members who are assigned to the manager can be selected for a bulk action.
 */
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { useSupabase } from '../../shared/supabase/index.ts';
import { ButtonLink } from '../../shared/ui/index.ts';
import { defineUrlState, useUrlState, uuidField } from '../../shared/url-state/index.ts';
import { ClassView } from './ClassView.tsx';
import { classesQuery, hasEnded } from './queries.ts';

const urlState = defineUrlState<{ readonly class: string | null }>({ class: uuidField() });

export default function TaughtClasses() {
  const supabase = useSupabase();
  const { data: classes = [] } = useQuery(classesQuery(supabase));
  const [{ class: named }, change] = useUrlState(urlState);
  const shown = classes.find(({ id }) => id === named) ?? classes[0];
  if (shown === undefined) return null;
  return (
    <div className="flex flex-col gap-3 px-4 pb-4 max-md:px-3">
      {classes.length > 1 ? (
        <div className="max-w-[320px]">
          <SelectField
            label="Class"
            value={shown.id}
            options={classes.map((one) => ({
              value: one.id,
              label: hasEnded(one, Date.now()) ? `${one.name} (ended)` : one.name,
            }))}
            onChange={(id) => change({ class: id })}
          />
        </div>
      ) : null}
      <ClassView
        key={shown.id}
        shown={shown}
        actions={
          <ButtonLink to="/manager/contests" size="compact" tone="quiet">
            Contests
          </ButtonLink>
        }
      />
    </div>
  );
}
