/** Selects the manager of a trader (ADMIN-52, ADMIN-54, ADMIN-60). */
import { texts } from '@fulcrum/contract/texts';
import type { RefObject } from 'react';
import { namedOptions, SelectField } from '../../../shared/form/SelectField.tsx';
import { Button } from '../../../shared/ui/index.ts';
import { useManagers } from './managers.ts';

interface ManagerSelectProps {
  /** '' is no manager. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The trader's current manager, offered even while the list is loading. */
  readonly currentManagerId: string | null;
  readonly select?: RefObject<HTMLSelectElement | null>;
}

export function ManagerSelect({ value, onChange, currentManagerId, select }: ManagerSelectProps) {
  const { data: managers, isError, isFetching, refetch } = useManagers();
  const isListed = currentManagerId === null || managers?.some(({ id }) => id === currentManagerId) === true;
  const current = { id: currentManagerId ?? '', name: 'Current manager' };
  const listed = managers?.map(({ id, username }) => ({ id, name: username })) ?? [];
  const retry = () => void refetch();
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Manager"
        name="managerId"
        value={value}
        onChange={onChange}
        {...(select && { ref: select })}
        aria-busy={managers === undefined && !isError ? true : undefined}
        error={isError && managers === undefined ? texts.loadManagersFailed : undefined}
        options={namedOptions('No Manager', isListed ? listed : [current, ...listed])}
      />
      {isError && managers === undefined ? (
        <Button size="compact" className="self-start" onClick={retry} pending={isFetching}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}
