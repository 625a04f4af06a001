/** The classes that the signed-in manager teaches, one shown at a time; nothing for a manager without any. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { useSupabase } from '../../shared/supabase/index.ts';
import { ClassView } from './ClassView.tsx';
import { classesQuery } from './queries.ts';

export function TaughtClasses() {
  const supabase = useSupabase();
  const { data: classes = [] } = useQuery(classesQuery(supabase));
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = classes.find(({ id }) => id === chosen) ?? classes[0];
  if (shown === undefined) return null;
  return (
    <div className="flex flex-col gap-3 px-4 pb-4 max-md:px-3">
      {classes.length > 1 ? (
        <div className="max-w-[320px]">
          <SelectField label="Class" value={shown.id} onChange={setChosen}>
            {classes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
      ) : null}
      <ClassView shown={shown} />
    </div>
  );
}
